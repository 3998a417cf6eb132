import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Row } from '@cairn/schema';
import { myProfile, type MyProfile } from '@cairn/core/profile/queries.ts';
import { memberTitle } from '@cairn/core/roles/role-names.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, Row as ListRow } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { PictureCard } from './picture-card.tsx';
import { ProfileField } from './profile-field.tsx';
import './profile.css';

type Props = { settingsLink: ReactNode; signOut: ReactNode; removeSample: ReactNode };

/** Who one is here: name and contact, where one belongs and as what, and the way out. */
export function ProfileScreen({ settingsLink, signOut, removeSample }: Props) {
  const { t } = useTranslation('profile');
  const { user, verified } = useSignedIn();
  const live = useLive(myProfile(user.id));
  return (
    <div className="profile">
      <header className="page-head">
        <h1 className="h1">{t('title')}</h1>
      </header>
      {!verified && <Banner title={t('unverified')} />}
      <Card flush>
        <List>
          <li>{settingsLink}</li>
        </List>
      </Card>
      <PictureCard />
      {live.status === 'loading' ? <SkeletonRows label={t('loading')} /> : <Known mine={live.answer} />}
      <div className="row wrap profile-acts">
        {signOut}
        {removeSample}
      </div>
    </div>
  );
}

function Known({ mine }: { mine: MyProfile }) {
  const { t } = useTranslation('profile');
  return (
    <>
      {mine.profile ? <AboutCards profile={mine.profile} /> : <Banner title={t('arriving')} />}
      <BelongingCard mine={mine} />
    </>
  );
}

function AboutCards({ profile }: { profile: Row<'profiles'> }) {
  const { t } = useTranslation('profile');
  return (
    <>
      <Card label={t('about')} className="parts">
        <h2 className="h2">{t('about')}</h2>
        <p className="hint">{t('aboutHint')}</p>
        <ProfileField profile={profile} field="full_name" autoComplete="name" />
        <ProfileField profile={profile} field="display_name" autoComplete="nickname" />
        <Facts look="under" facts={[[t('email'), profile.email]]} />
        <ProfileField profile={profile} field="job_title" autoComplete="organization-title" />
        <ProfileField profile={profile} field="phone" autoComplete="tel" type="tel" />
        <ProfileField profile={profile} field="bio" />
      </Card>
      <Card label={t('emergency')} className="parts">
        <h2 className="h2">{t('emergency')}</h2>
        <p className="hint">{t('emergencyHint')}</p>
        <ProfileField profile={profile} field="emergency_contact_name" autoComplete="off" />
        <ProfileField profile={profile} field="emergency_contact_phone" autoComplete="off" type="tel" />
      </Card>
    </>
  );
}

function BelongingCard({ mine: { memberships, roles } }: { mine: MyProfile }) {
  const { t } = useTranslation('profile');
  const { t: tShell } = useTranslation('shell');
  const { formatDate } = useFormat();
  return (
    <>
      <Card flush label={t('memberships')}>
        <CardHead title={t('memberships')} />
        <List label={t('memberships')}>
          {memberships.map(({ organization, role, joinedAt }) => (
            <ListRow
              key={organization.id}
              title={organization.kind === 'private' ? t('private') : organization.name}
              detail={t('since', { day: formatDate(new Date(joinedAt)) })}
              end={organization.kind === 'company' && <Pill>{tShell(`titles.${memberTitle(role, roles)}`)}</Pill>}
            />
          ))}
        </List>
      </Card>
      {roles.length > 0 && (
        <Card label={t('system')} className="parts">
          <h2 className="h2">{t('system')}</h2>
          <div className="row wrap">
            {roles.map(role => (
              <Pill key={role}>{t(`systemRoles.${role}`)}</Pill>
            ))}
          </div>
        </Card>
      )}
    </>
  );
}
