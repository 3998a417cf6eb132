import type { WriteTx } from '@cairn/sync/store.ts';
import {
  defaultPreferences,
  isLocaleChosen,
  shownPreferences,
  type Locale,
  type PreferenceChange,
  type Preferences,
} from './preferences.ts';

/** What a person chooses of their locale; with the first of it the rest of what is shown is kept too. */
const LOCALE_FIELDS = [
  'language',
  'timezone',
  'date_format',
  'time_format',
] as const satisfies (keyof PreferenceChange)[];

/**
 * Saves some preferences of a person. The first save makes the row, to which the database adds every default (R3.22);
 * only chosen fields are sent, so that two devices which choose different things offline both keep them.
 *
 * @param given.locale what this browser shows while nobody has chosen a locale: kept with the first choice of one, so that the rest of
 * it does not turn into the stored defaults
 * @returns what undoes it: the same fields as they were shown before
 */
export async function changePreferences(
  tx: WriteTx,
  { userId, change, locale }: { userId: string; change: PreferenceChange; locale?: Locale },
): Promise<PreferenceChange> {
  const present = await tx.get('user_preferences', userId);
  const stored = present ?? defaultPreferences(userId);
  const shown = locale ? shownPreferences(stored, locale) : stored;
  const saved = { ...firstLocale(shown, change), ...change };
  if (present) await tx.change('user_preferences', userId, saved);
  else await tx.put('user_preferences', { id: userId, user_id: userId, ...saved });
  const keys = Object.keys(change) as (keyof PreferenceChange)[];
  return Object.fromEntries(keys.map(key => [key, shown[key]]));
}

function firstLocale(shown: Preferences, change: PreferenceChange): PreferenceChange {
  if (isLocaleChosen(shown) || !LOCALE_FIELDS.some(field => field in change)) return {};
  const { language, date_format, time_format } = shown;
  return { language, date_format, time_format, locale_chosen: true };
}
