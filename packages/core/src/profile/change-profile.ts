import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';

/** What a person writes about themselves, with the most characters each may have (the database's own bounds). */
export const PROFILE_LIMITS = {
  full_name: 200,
  display_name: 200,
  job_title: 200,
  phone: 60,
  bio: 2000,
  emergency_contact_name: 200,
  emergency_contact_phone: 60,
} as const;

export type ProfileField = keyof typeof PROFILE_LIMITS;

/**
 * Saves one field of one's own profile; an empty text clears it.
 *
 * @returns the field as it stood before
 * @throws {Failure} `invalid` when the text is too long, `not_found` while the profile has not arrived on this device
 */
export async function changeProfile(
  tx: WriteTx,
  { userId, field, value }: { userId: string; field: ProfileField; value: string },
): Promise<string | null> {
  const text = value.trim();
  if (Array.from(text).length > PROFILE_LIMITS[field]) throw new Failure('invalid', `changeProfile: ${field} too long`);
  const present = await tx.get('profiles', userId);
  if (!present) throw new Failure('not_found', 'changeProfile: no profile on this device');
  await tx.change('profiles', userId, { [field]: text === '' ? null : text });
  return present[field];
}
