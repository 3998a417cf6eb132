import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';
import { changePreferences } from '../preferences/change-preferences.ts';
import type { PreferenceChange } from '../preferences/preferences.ts';
import { privateSpace } from '../spaces/private-space.ts';

/** How `custom_avatar_url` names a picture that lies with the person's other files. */
const PLACE = 'media:';

/** The file a stored avatar address leads to; null where it is none of ours. */
export const avatarFile = (url: string | null): string | null =>
  url?.startsWith(PLACE) ? url.slice(PLACE.length) : null;

/** `side`: px; it is square. */
export type AvatarPicture = Omit<NewFile, 'width' | 'height'> & { side: number };

/**
 * Keeps a square picture of oneself and queues it like any photo, so that it can be chosen with no signal. Its row stands
 * in the person's private space: no company owns it.
 *
 * @param at device time, ISO 8601
 * @returns what undoes it
 * @throws {Failure} `not_found` while the private space has not arrived on this device
 */
export async function setAvatar(
  tx: WriteTx,
  { userId, picture, at }: { userId: string; picture: AvatarPicture; at: string },
): Promise<PreferenceChange> {
  const space = await privateSpace(tx, userId);
  const file = { ...picture, width: picture.side, height: picture.side };
  await keepFile(tx, file, { organization_id: space.id, captured_at: at, captured_by: userId });
  return changePreferences(tx, { userId, change: { custom_avatar_url: PLACE + picture.id } });
}
