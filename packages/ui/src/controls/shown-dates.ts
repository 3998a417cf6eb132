const DAY_MS = 86_400_000;

const utc = (day: string) => new Date(`${day}T00:00:00Z`);

/** Making a writer costs far more than using it. */
const writers = new Map<string, Intl.DateTimeFormat>();

function writer(locale: string): Intl.DateTimeFormat {
  const made = writers.get(locale) ?? new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeZone: 'UTC' });
  writers.set(locale, made);
  return made;
}

/** A day (YYYY-MM-DD) written out, e.g. "Tuesday 24 November 2026"; undefined when it is no day. */
export function longDate(day: string, locale: string): string | undefined {
  const date = utc(day);
  if (Number.isNaN(date.getTime())) return undefined;
  return writer(locale).format(date);
}

/** Days from one day to another, both counted: 1 for the same day, 0 or less when the end lies before the start. */
export function daysBetween(from: string, to: string): number {
  return Math.round((utc(to).getTime() - utc(from).getTime()) / DAY_MS) + 1;
}
