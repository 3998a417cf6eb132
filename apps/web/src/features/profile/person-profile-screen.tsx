import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { knownPerson, presenceOf, type PersonProfile } from '@cairn/core/profile/person-profile.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useServerCalls } from '../../shared/server/server-calls.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { useSpace } from '../../shared/session/space.ts';
import './profile.css';

type Props = {
  personId: string;
  backLink: ReactNode;
  /** The way to their membership; drawn by the route for whoever keeps the list of members. */
  membershipLink: ReactNode;
};

/** A colleague or one of the circle, as they chose to be seen (profile_visibility, show_activity_status). */
export function PersonProfileScreen({ personId, backLink, membershipLink }: Props) {
  const { t } = useTranslation('profile');
  const { t: tShell } = useTranslation('shell');
  const { organization } = useSpace();
  const calls = useServerCalls();
  const live = useLive(knownPerson(personId, organization.id));
  const query = useQuery({
    queryKey: ['person-profile', personId],
    queryFn: () => calls.call<PersonProfile | null>('person_profile', { p_person: personId }),
  });
  const known = live.status === 'loading' ? null : live.answer;
  const name = query.data?.name ?? known?.name ?? t('person.unnamed');
  const presence = useShownPresence(query.data ?? null);
  const words = useAnswerTexts();
  const isGone = query.data === null && known?.name == null;
  if (isGone)
    return (
      <div className="profile">
        {backLink}
        <StateBlock state="not-found" title={t('person.unknown')} level={1}>
          {t('person.unknownText')}
        </StateBlock>
      </div>
    );
  return (
    <div className="profile">
      {backLink}
      <header className="profile-person">
        <Avatar name={name} size="l" presence={presence?.dot} />
        <div className="grow">
          <h1 className="h1">{name}</h1>
          {known?.role && <Pill>{tShell(`roles.${known.role}`)}</Pill>}
        </div>
        {known?.role && membershipLink}
      </header>
      <ServerAnswer query={query} words={words} rows={2}>
        {profile => <Shown profile={profile} />}
      </ServerAnswer>
    </div>
  );
}

function useAnswerTexts() {
  const { t } = useTranslation('profile');
  return {
    loading: t('person.loading'),
    offline: t('person.offline'),
    offlineText: t('person.offlineText'),
    failed: t('person.failed'),
    failedText: t('person.failedText'),
    again: t('person.again'),
  };
}

/** Null: they are no colleague any more, and not of the circle. */
function Shown({ profile }: { profile: PersonProfile | null }) {
  const { t } = useTranslation('profile');
  const presence = useShownPresence(profile);
  const isEmpty = profile?.is_shared === true && profile.job_title === null && profile.bio === null;
  return (
    <Card label={t('about')} className="parts">
      {presence && <p className="muted">{presence.label}</p>}
      {profile?.job_title != null && <p className="strong">{profile.job_title}</p>}
      {profile?.bio != null && <p className="profile-words">{profile.bio}</p>}
      {isEmpty && <p className="muted">{t('person.nothing')}</p>}
      {profile?.is_shared !== true && <p className="muted">{t('person.notShared')}</p>}
    </Card>
  );
}

/** When they were last here, as far as they show it: a dot at their picture, and a sentence. */
function useShownPresence(profile: PersonProfile | null) {
  const { t } = useTranslation('profile');
  const { formatDay } = useFormat();
  const now = useNow();
  const seenAt = profile?.seen_at ?? null;
  const state = presenceOf(seenAt, now);
  if (state === null || seenAt === null) return null;
  const label = state === 'here' ? t('person.here') : t('person.seen', { day: formatDay(new Date(seenAt)) });
  return { dot: { state, label }, label };
}
