import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { changePreferences } from '../preferences/change-preferences.ts';
import type { PreferenceChange } from '../preferences/preferences.ts';

/** How `custom_avatar_url` names a picture that lies with the person's other files. */
const PLACE = 'media:';

/** The file a stored avatar address leads to; null where it is none of ours. */
export const avatarFile = (url: string | null): string | null =>
  url?.startsWith(PLACE) ? url.slice(PLACE.length) : null;

export type AvatarPicture = {
  /** A fresh id. */
  id: string;
  bytes: ArrayBuffer;
  mime: string;
  /** Hex, over `bytes`. */
  sha256: string;
  /** px; it is square. */
  side: number;
};

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
  const space = (await tx.all('organizations')).find(each => each.kind === 'private');
  if (!space) throw new Failure('not_found', 'setAvatar: no private space on this device');
  await tx.put('media', {
    id: picture.id,
    organization_id: space.id,
    kind: 'photo',
    mime: picture.mime,
    bytes: picture.bytes.byteLength,
    sha256: picture.sha256,
    width: picture.side,
    height: picture.side,
    captured_at: at,
    captured_by: userId,
  });
  await tx.putBytes(picture.id, picture.bytes);
  return changePreferences(tx, { userId, change: { custom_avatar_url: PLACE + picture.id } });
}
