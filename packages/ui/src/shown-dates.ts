const DAY_MS = 86_400_000;

const utc = (day: string) => new Date(`${day}T00:00:00Z`);

/** A day (YYYY-MM-DD) written out, e.g. "Tuesday 24 November 2026"; undefined when it is no day. */
export function longDate(day: string, locale: string): string | undefined {
  const date = utc(day);
  if (Number.isNaN(date.getTime())) return undefined;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' }).format(date);
}

/** Days from one day to another, both counted: 1 for the same day, 0 or less when the end lies before the start. */
export function daysBetween(from: string, to: string): number {
  return Math.round((utc(to).getTime() - utc(from).getTime()) / DAY_MS) + 1;
}
