import { Link, Navigate, useParams } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass, RowFace } from '@cairn/ui/layout/surface.tsx';
import { PersonProfileScreen } from '../../features/profile/person-profile-screen.tsx';
import { ProfileScreen } from '../../features/profile/profile-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { RemoveSampleButton } from '../shell/leave/remove-sample-button.tsx';
import { SignOutButton } from '../shell/leave/sign-out-button.tsx';

export const texts = loadTexts('profile');

export function ProfileRoute() {
  return (
    <ProfileScreen settingsLink={<SettingsLink />} signOut={<SignOutButton />} removeSample={<RemoveSampleButton />} />
  );
}

function SettingsLink() {
  const { t } = useTranslation('profile');
  return (
    <Link to="/settings" className={rowClass}>
      <RowFace start={<Icon of={Settings} />} title={t('settings')} detail={t('settingsText')} />
    </Link>
  );
}

/** Somebody else, as they chose to be seen; oneself has one's own page. */
export function PersonProfileRoute() {
  const { personId } = useParams({ from: '/signed-in/profile/$personId' });
  const { t } = useTranslation('profile');
  const { user } = useSignedIn();
  const { may } = useSpace();
  if (personId === user.id) return <Navigate to="/profile" replace />;
  return (
    <PersonProfileScreen
      key={personId}
      personId={personId}
      backLink={
        <Link to="/search" className="link tap back-link">
          {t('person.back')}
        </Link>
      }
      membershipLink={
        may('people.manage') && (
          <Link to="/members" search={{ member: personId }} className={buttonClass()}>
            {t('person.membership')}
          </Link>
        )
      }
    />
  );
}
