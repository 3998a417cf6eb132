import type { WriteTx } from '@cairn/sync/store.ts';
import { defaultPreferences, languageChange, type PreferenceChange } from './preferences.ts';

/**
 * Saves some preferences of a person. The first save makes the row, to which the database adds every default (R3.22);
 * only chosen fields are sent, so that two devices which choose different things offline both keep them.
 *
 * @param given.language what the app speaks while nobody has chosen a language: the first save keeps it
 * @returns what undoes it: the same fields as they stood before
 */
export async function changePreferences(
  tx: WriteTx,
  { userId, change, language }: { userId: string; change: PreferenceChange; language?: string },
): Promise<PreferenceChange> {
  const present = await tx.get('user_preferences', userId);
  const shown = present ?? defaultPreferences(userId);
  if (present) await tx.change('user_preferences', userId, change);
  else {
    const spoken = language !== undefined && language !== shown.language ? languageChange(shown, language) : {};
    await tx.put('user_preferences', { id: userId, user_id: userId, ...spoken, ...change });
  }
  const keys = Object.keys(change) as (keyof PreferenceChange)[];
  return Object.fromEntries(keys.map(key => [key, shown[key]]));
}
