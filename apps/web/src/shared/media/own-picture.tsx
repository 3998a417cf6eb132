import { avatarFile } from '@cairn/core/profile/set-avatar.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { usePreferences } from '../session/preferences.ts';
import { useSignedIn } from '../session/session.ts';
import { usePicture } from './use-picture.ts';

/** The signed-in person: their picture where they chose one, else their initials. The name stands beside it as text. */
export function OwnPicture({ size = 'm' }: { size?: 'm' | 'l' | 'xl' }) {
  const { user } = useSignedIn();
  const { preferences } = usePreferences();
  const picture = usePicture(avatarFile(preferences.custom_avatar_url));
  const src = picture.status === 'ready' ? picture.url : undefined;
  return <Avatar name={user.fullName ?? user.email} size={size} src={src} />;
}
