import { useSyncExternalStore } from 'react';
import i18n from 'i18next';
import { isZone } from '@cairn/base/wall-clock.ts';

/** How a person wants dates and times written; `weekStart` 0 is Sunday. */
export type FormatSettings = {
  /** IANA name; null follows the device. */
  timeZone: string | null;
  dateFormat: string;
  hour12: boolean;
  /** null follows the language and region. */
  weekStart: number | null;
};

const DEVICE: FormatSettings = { timeZone: null, dateFormat: 'MM/dd/yyyy', hour12: true, weekStart: null };
const changes = new EventTarget();
/** `stamp` is another string after each change: what follows the settings compares it and no more. */
const current = { settings: DEVICE, stamp: JSON.stringify(DEVICE) };

/** Writes every date and number from now on by these settings; open screens follow through `useFormat`. */
export function setFormat(settings: FormatSettings): void {
  const { timeZone } = settings;
  const next = { ...settings, timeZone: timeZone !== null && isZone(timeZone) ? timeZone : null };
  const stamp = JSON.stringify(next);
  if (stamp === current.stamp) return;
  Object.assign(current, { settings: next, stamp });
  writers.clear();
  changes.dispatchEvent(new Event('change'));
}

/** The language of the texts, and for English the region whose order of day and month was chosen. */
function language(): string {
  const spoken = i18n.resolvedLanguage ?? 'en';
  if (spoken === 'en' || spoken.startsWith('pseudo')) return isDayFirst() ? 'en-GB' : 'en-US';
  return navigator.languages.find(each => each === spoken || each.startsWith(`${spoken}-`)) ?? spoken;
}

const isDayFirst = (): boolean => current.settings.dateFormat.startsWith('dd');

/** Stands for a date that is none: one bad value in a record must not take the screen with it. */
const NO_DATE = '–';

const isDate = (instant: Date): boolean => !Number.isNaN(instant.getTime());

type Writer = Intl.DateTimeFormat | Intl.NumberFormat | Intl.RelativeTimeFormat;

/** Making a writer costs far more than using it, and lists write thousands of dates. */
const writers = new Map<string, Writer>();

function kept<Made extends Writer>(key: string, make: () => Made): Made {
  const known = (writers.get(key) as Made | undefined) ?? make();
  writers.set(key, known);
  return known;
}

function writer(options: Intl.DateTimeFormatOptions, locale = language()): Intl.DateTimeFormat {
  const { timeZone } = current.settings;
  const make = () => new Intl.DateTimeFormat(locale, { ...(timeZone && { timeZone }), ...options });
  return kept(`date ${locale}${JSON.stringify(options)}`, make);
}

function numberWriter(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const locale = language();
  return kept(`number ${locale}${JSON.stringify(options)}`, () => new Intl.NumberFormat(locale, options));
}

function dayWriter(): Intl.RelativeTimeFormat {
  const locale = language();
  return kept(`day ${locale}`, () => new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }));
}

const written = (instant: Date, options: Intl.DateTimeFormatOptions): string =>
  isDate(instant) ? writer(options).format(instant) : NO_DATE;

const clock = (): Intl.DateTimeFormatOptions => ({
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: current.settings.hour12 ? 'h12' : 'h23',
});

/** Year, month and day of an instant in the person's zone. */
function calendar(instant: Date): { year: number; month: number; day: number } {
  if (current.settings.timeZone === null)
    return { year: instant.getFullYear(), month: instant.getMonth() + 1, day: instant.getDate() };
  const parts = writer({ year: 'numeric', month: 'numeric', day: 'numeric', era: 'short' }, 'en-US').formatToParts(
    instant,
  );
  const part = (type: string) => Number(parts.find(each => each.type === type)?.value);
  const isBefore = parts.some(each => each.type === 'era' && each.value.startsWith('B'));
  return { year: isBefore ? 1 - part('year') : part('year'), month: part('month'), day: part('day') };
}

/** The calendar day as an instant without a zone, so that a day of 23 hours counts like any other. */
function dayNumber(instant: Date): number {
  if (!isDate(instant)) return Number.NaN;
  const { year, month, day } = calendar(instant);
  return new Date(0).setUTCFullYear(year, month - 1, day);
}

/** Days from the local day of `now` to the local day of `instant`; negative in the past. */
export function daysBetween(instant: Date, now: Date): number {
  return Math.round((dayNumber(instant) - dayNumber(now)) / 86_400_000);
}

/** "07:42 AM" or "07:42", as the person's clock. */
export const formatTime = (instant: Date): string => written(instant, clock());

/** "Nov 27" or "27 Nov", with the year when it is not this one. */
export function formatDay(instant: Date, now: Date = new Date()): string {
  if (!isDate(instant)) return NO_DATE;
  const year = calendar(instant).year === calendar(now).year ? {} : ({ year: 'numeric' } as const);
  return written(instant, { day: 'numeric', month: 'short', ...year });
}

/** `formatDay` of many calendar days (YYYY-MM-DD), whatever the zone: what they share is asked for once. */
export function formatDays(days: readonly string[], now: Date = new Date()): string[] {
  const thisYear = String(calendar(now).year).padStart(4, '0');
  const short = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const;
  const [here, elsewhere] = [writer(short), writer({ ...short, year: 'numeric' })];
  return days.map(day => {
    const noon = new Date(`${day}T12:00:00Z`);
    return isDate(noon) ? (day.startsWith(thisYear) ? here : elsewhere).format(noon) : NO_DATE;
  });
}

/** The whole date, exactly in the format the person chose: "11/27/2026", "27.11.2026". */
export function formatDate(instant: Date): string {
  if (!isDate(instant)) return NO_DATE;
  const { year, month, day } = calendar(instant);
  const padded = (value: number) => String(value).padStart(2, '0');
  return current.settings.dateFormat
    .replace('yyyy', String(year).padStart(4, '0'))
    .replace('MM', padded(month))
    .replace('dd', padded(day));
}

/** "11/27/2026, 07:42:08 AM": for receipts and histories, where seconds count. */
export const formatInstant = (instant: Date): string =>
  isDate(instant) ? `${formatDate(instant)}, ${written(instant, { ...clock(), second: '2-digit' })}` : NO_DATE;

/** "Europe/Berlin": the zone all of these are written in. */
export const zoneName = (): string => current.settings.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** "yesterday", "6 days ago", "tomorrow". */
export const formatRelativeDay = (days: number): string =>
  Number.isFinite(days) ? dayWriter().format(days, 'day') : NO_DATE;

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

/**
 * "12,480" or "12.480", rounded to `digits` after the point. Small counts are the same in all our languages, and the first
 * writer of numbers takes a start 15 ms to make.
 */
export const formatNumber = (value: number, digits = 0): string =>
  Number.isInteger(value) && value >= 0 && value < 1000
    ? String(value)
    : numberWriter({ maximumFractionDigits: digits }).format(value);

/** Digits are those after the point. */
const KILOBYTE = { size: 1000, unit: 'kilobyte', digits: 0 } as const;
/** Not in bytes: English says "643 byte", and between kilobytes it reads as more than they. */
const PART_OF_ONE = { ...KILOBYTE, digits: 1 } as const;
const UNITS = [
  { size: 1e9, unit: 'gigabyte', digits: 1 },
  { size: 1e6, unit: 'megabyte', digits: 1 },
  KILOBYTE,
] as const;

/** "3.4 MB". */
export function formatBytes(bytes: number): string {
  const { size, unit, digits } = UNITS.find(({ size }) => bytes >= size) ?? PART_OF_ONE;
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: digits } as const;
  // A single byte is not nothing.
  return numberWriter(options).format(bytes > 0 ? Math.max(bytes / size, 0.1) : 0);
}

/** m in a foot and in a mile. */
const FOOT = 0.3048;
const MILE = 1609.344;

const measured = (value: number, unit: string, digits: number): string =>
  new Intl.NumberFormat(language(), {
    style: 'unit',
    unit,
    unitDisplay: 'short',
    maximumFractionDigits: digits,
  }).format(value);

/** "120 m", "3.4 km"; in the United States "390 ft", "2.1 mi". @param metres never exacter than a device measures */
export function formatDistance(metres: number): string {
  if (!language().endsWith('-US')) {
    return metres < 1000 ? measured(metres, 'meter', 0) : measured(metres / 1000, 'kilometer', 1);
  }
  return metres < MILE / 4 ? measured(metres / FOOT, 'foot', 0) : measured(metres / MILE, 'mile', 1);
}

/** m² in an acre. */
const ACRE = 4046.856;

/** "340 m²", "1.2 ha"; in the United States "3,660 sq ft", "1.2 ac". @param squareMetres of the ground */
export function formatArea(squareMetres: number): string {
  if (!language().endsWith('-US')) {
    return squareMetres < 10_000 ? `${formatNumber(squareMetres)} m²` : measured(squareMetres / 10_000, 'hectare', 1);
  }
  const isSmall = squareMetres < ACRE / 4;
  return isSmall ? `${formatNumber(squareMetres / FOOT ** 2)} sq ft` : measured(squareMetres / ACRE, 'acre', 1);
}

/** Regions whose calendars begin on Sunday; the rest of ours begin on Monday (Unicode CLDR, weekData). */
const SUNDAY_FIRST = /-(US|CA|MX|BR|JP|KR|IN|IL|AU|ZA)$/;

/** The first day of a week, 0 for Sunday: as chosen, else as usual where the language is spoken. */
export function weekStart(): number {
  const { weekStart } = current.settings;
  return weekStart ?? (SUNDAY_FIRST.test(language()) ? 0 : 1);
}

/** The seven days of the week that holds `instant`, in the person's zone, first day first; each as YYYY-MM-DD. */
export function weekOf(instant: Date): string[] {
  const today = new Date(dayNumber(instant));
  const back = (today.getUTCDay() - weekStart() + 7) % 7;
  return Array.from({ length: 7 }, (_, index) =>
    new Date(today.getTime() + (index - back) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** "Mon, Nov 23" of a calendar day written YYYY-MM-DD, whatever the zone. */
export function formatWeekday(day: string): string {
  const noon = new Date(`${day}T12:00:00Z`);
  if (!isDate(noon)) return NO_DATE;
  return writer({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' }).format(noon);
}

const FORMAT = {
  daysBetween,
  formatTime,
  formatDay,
  formatDate,
  formatWeekday,
  formatInstant,
  zoneName,
  formatRelativeDay,
  formatDue,
  formatNumber,
  formatBytes,
  formatArea,
  formatDistance,
  weekStart,
  weekOf,
} as const;

function subscribe(listener: () => void): () => void {
  changes.addEventListener('change', listener);
  i18n.on('languageChanged', listener);
  return () => {
    changes.removeEventListener('change', listener);
    i18n.off('languageChanged', listener);
  };
}

const spoken = (): string => current.stamp + i18n.language;

/** The ways of writing dates and numbers; a screen that uses them follows a change of preference or language at once. */
export function useFormat(): typeof FORMAT {
  useSyncExternalStore(subscribe, spoken);
  return FORMAT;
}
