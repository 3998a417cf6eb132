import { Link } from '@tanstack/react-router';
import { Settings } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/icon.tsx';
import { rowClass, RowFace } from '@cairn/ui/surface.tsx';
import { ProfileScreen } from '../../features/profile/profile-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { RemoveSampleButton } from '../shell/remove-sample-button.tsx';
import { SignOutButton } from '../shell/sign-out-button.tsx';

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
