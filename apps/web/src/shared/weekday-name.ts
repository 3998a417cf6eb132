/** A Sunday; days of the week are named from it. */
const SUNDAY = Date.UTC(2026, 10, 22, 12);
const DAY_MS = 86_400_000;

/** "Monday" or "Mon". @param weekday 0 Sunday … 6 Saturday, larger ones go on with the week @param language BCP 47 */
export const weekdayName = (weekday: number, language: string, style: 'long' | 'short'): string =>
  new Intl.DateTimeFormat(language, { weekday: style, timeZone: 'UTC' }).format(SUNDAY + (weekday % 7) * DAY_MS);
