/** A Sunday; days of the week are named from it. */
const SUNDAY = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;

/** Making a writer costs far more than using it. */
const writers = new Map<string, Intl.DateTimeFormat>();

function writer(language: string, style: 'long' | 'short'): Intl.DateTimeFormat {
  const key = `${language}/${style}`;
  const made = writers.get(key) ?? new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' });
  writers.set(key, made);
  return made;
}

/** "Monday" or "Mon". @param weekday 0 Sunday … 6 Saturday, larger ones go on with the week @param language BCP 47 */
export const weekdayName = (weekday: number, language: string, style: 'long' | 'short'): string =>
  writer(language, style).format(SUNDAY + (weekday % 7) * DAY_MS);

/** The seven names in short, the first day of the week first. @param start 0 Sunday … 6 Saturday */
export const weekdayNames = (start: number, language: string): string[] =>
  Array.from({ length: 7 }, (_, index) => weekdayName(start + index, language, 'short'));
