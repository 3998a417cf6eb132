import { ProfileScreen } from '../../features/profile/profile-screen.tsx';
import { SignOutButton } from '../shell/sign-out-button.tsx';

export function ProfileRoute() {
  return <ProfileScreen signOut={<SignOutButton />} />;
}
