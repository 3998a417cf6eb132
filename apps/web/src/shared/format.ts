import i18n from 'i18next';

/** The language of the texts, in the region the device asks for: "en-GB" writes 16:00 where "en-US" writes 4:00 PM. */
function language(): string {
  const spoken = i18n.resolvedLanguage ?? 'en';
  return navigator.languages.find(each => each === spoken || each.startsWith(`${spoken}-`)) ?? spoken;
}

/** Stands for a date that is none: one bad value in a record must not take the screen with it. */
const NO_DATE = '–';

const isDate = (instant: Date): boolean => !Number.isNaN(instant.getTime());

function written(instant: Date, options: Intl.DateTimeFormatOptions): string {
  return isDate(instant) ? new Intl.DateTimeFormat(language(), options).format(instant) : NO_DATE;
}

/** Days from the local day of `now` to the local day of `instant`; negative in the past. */
export function daysBetween(instant: Date, now: Date): number {
  return Math.round((dayNumber(instant) - dayNumber(now)) / 86_400_000);
}

/** The calendar day as an instant without a zone, so that a day of 23 hours counts like any other. */
const dayNumber = (date: Date): number => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());

/** "07:42" in the way of the language. */
export const formatTime = (instant: Date): string => written(instant, { hour: '2-digit', minute: '2-digit' });

/** "27 Nov", with the year when it is not this one. */
export function formatDay(instant: Date, now: Date = new Date()): string {
  const year = instant.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  return written(instant, { day: 'numeric', month: 'short', ...year });
}

/** "27 Nov, 07:42:08": for receipts and histories, where seconds count. */
export const formatInstant = (instant: Date): string => written(instant, { dateStyle: 'medium', timeStyle: 'medium' });

/** "yesterday", "6 days ago", "tomorrow". */
export const formatRelativeDay = (days: number): string =>
  Number.isFinite(days) ? new Intl.RelativeTimeFormat(language(), { numeric: 'auto' }).format(days, 'day') : NO_DATE;

/**
 * When something is due: today a clock time, late how late, other days a date, and what is no date "–".
 *
 * @returns the words, and `late` (its instant has passed), `soon` (later today) or `later`
 */
export function formatDue(due: Date, now: Date): { text: string; state: 'late' | 'soon' | 'later' } {
  const days = daysBetween(due, now);
  const late = due.getTime() < now.getTime();
  if (days === 0) return { text: formatTime(due), state: late ? 'late' : 'soon' };
  if (late) return { text: formatRelativeDay(days), state: 'late' };
  return { text: days === 1 ? formatRelativeDay(1) : formatDay(due, now), state: 'later' };
}

export const formatNumber = (value: number, digits = 0): string =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: digits }).format(value);

/** "3.4 MB". */
export function formatBytes(bytes: number): string {
  const [value, unit] =
    bytes < 1000 ? [bytes, 'byte'] : bytes < 1_000_000 ? [bytes / 1000, 'kilobyte'] : [bytes / 1_000_000, 'megabyte'];
  return new Intl.NumberFormat(language(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: unit === 'megabyte' ? 1 : 0,
  }).format(value);
}
