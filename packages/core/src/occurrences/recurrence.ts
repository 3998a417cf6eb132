/** Days of the week as RFC 5545 writes them. */
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof weekdays)[number];

/** A day of the week in a month: the second Monday is `{ nth: 2, weekday: 'MO' }`, the last -1, every one null. */
export type NthWeekday = { nth: number | null; weekday: Weekday };

/**
 * How something comes again: the part of RFC 5545's RRULE that people set by hand. Where a part is left out, the first date
 * gives it.
 */
export type Recurrence = {
  every: 'day' | 'week' | 'month' | 'year';
  /** Every so many days, weeks, months or years; 1 or more. */
  interval: number;
  /** week: on these days. day: only on these days. */
  weekdays?: readonly Weekday[];
  /** month, year: 1 to 31, or from the end, -1 for the last day. */
  monthDays?: readonly number[];
  /** month, year: instead of days by number. */
  nthWeekdays?: readonly NthWeekday[];
  /** Only in these months, 1 to 12. */
  months?: readonly number[];
  /**
   * What becomes of the 31st of a month with 30 days (RFC 7529): `omit` leaves it out, as RFC 5545 does, `backward` takes the
   * last day, so that no month is without. Where it is left out, `withLastDays` (short-months.ts) says which.
   */
  skip?: 'omit' | 'backward';
  /** First day of the week, for every second week and the like; Monday where left out. */
  weekStart?: Weekday;
  /** Ends after so many. */
  count?: number;
  /** Ends with this day, YYYY-MM-DD, included. */
  until?: string;
};

/** The largest `interval` a rule takes. */
export const MAX_INTERVAL = 1000;

export type ReadRecurrence = { ok: true; recurrence: Recurrence } | { ok: false; problem: string };

/** Why a rule cannot be used, for the person who wrote it. */
class RuleError extends Error {
  override name = 'RuleError';
}

const FREQUENCIES = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const;
const PARTS = new Set('FREQ INTERVAL BYDAY BYMONTHDAY BYMONTH WKST COUNT UNTIL SKIP RSCALE'.split(' '));

/**
 * Reads an RRULE such as `FREQ=MONTHLY;BYDAY=-1FR;COUNT=12`; `RRULE:` before it is allowed.
 *
 * @returns the rule, or in one sentence why it cannot be used
 */
export function parseRecurrence(text: string): ReadRecurrence {
  try {
    return { ok: true, recurrence: readRule(partsOf(text)) };
  } catch (error) {
    if (error instanceof RuleError) return { ok: false, problem: error.message };
    throw error;
  }
}

function partsOf(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (const part of text
    .trim()
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')) {
    const [name = '', value = ''] = part.split('=');
    if (name === '' && value === '') continue;
    if (!PARTS.has(name)) throw new RuleError(`"${name}" is not supported in a rule.`);
    if (parts.has(name)) throw new RuleError(`"${name}" stands twice in the rule.`);
    parts.set(name, value);
  }
  return parts;
}

function readRule(parts: Map<string, string>): Recurrence {
  const frequency = parts.get('FREQ') ?? '';
  if (!isFrequency(frequency)) throw new RuleError('FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY.');
  const days = parts.has('BYDAY') ? list(parts.get('BYDAY')).map(readDay) : undefined;
  const recurrence: Recurrence = {
    every: FREQUENCIES[frequency],
    interval: parts.has('INTERVAL') ? whole(parts.get('INTERVAL'), 'INTERVAL', 1, MAX_INTERVAL) : 1,
    ...(days && placed(FREQUENCIES[frequency], days)),
    ...(parts.has('BYMONTHDAY') && { monthDays: list(parts.get('BYMONTHDAY')).map(readMonthDay) }),
    ...(parts.has('BYMONTH') && { months: list(parts.get('BYMONTH')).map(month => whole(month, 'BYMONTH', 1, 12)) }),
    ...(parts.get('SKIP') === 'BACKWARD' && { skip: 'backward' }),
    ...(parts.get('SKIP') === 'OMIT' && { skip: 'omit' }),
    ...(parts.has('WKST') && { weekStart: weekdayOf(parts.get('WKST') ?? '') }),
    ...(parts.has('COUNT') && { count: whole(parts.get('COUNT'), 'COUNT', 1, 100_000) }),
    ...(parts.has('UNTIL') && { until: readUntil(parts.get('UNTIL') ?? '') }),
  };
  checkTogether(recurrence, parts);
  return recurrence;
}

const isFrequency = (text: string): text is keyof typeof FREQUENCIES => Object.hasOwn(FREQUENCIES, text);
const list = (text = ''): string[] => text.split(',');

function whole(text: string | undefined, name: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text ?? '') && value >= least && value <= most) return value;
  throw new RuleError(`${name} must be a whole number from ${least} to ${most}.`);
}

function weekdayOf(text: string): Weekday {
  const found = weekdays.find(day => day === text);
  if (!found) throw new RuleError(`"${text}" is no day of the week.`);
  return found;
}

function readDay(text: string): NthWeekday {
  const [, nth = '', day = ''] = /^([+-]?\d+)?([A-Z]{2})$/.exec(text) ?? [];
  const weekday = weekdayOf(day === '' ? text : day);
  if (nth === '') return { nth: null, weekday };
  if (Number(nth) === 0 || Math.abs(Number(nth)) > 5) throw new RuleError(`A month has no "${text}".`);
  return { nth: Number(nth), weekday };
}

function readMonthDay(text: string): number {
  const day = Number(text);
  if (/^[+-]?\d+$/.test(text) && day !== 0 && Math.abs(day) <= 31) return day;
  throw new RuleError(`"${text}" is no day of a month.`);
}

function readUntil(text: string): string {
  const [, year, month, day, time] = /^(\d{4})(\d{2})(\d{2})(?:T(\d{6}Z?))?$/.exec(text) ?? [];
  if (year === undefined || (time !== undefined && time !== '235959')) {
    throw new RuleError('UNTIL must be a day such as 20261231.');
  }
  const written = `${year}-${month}-${day}`;
  const date = new Date(`${written}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== written) {
    throw new RuleError(`There is no day "${text}".`);
  }
  return written;
}

function placed(every: Recurrence['every'], days: NthWeekday[]): Pick<Recurrence, 'weekdays' | 'nthWeekdays'> {
  if (every === 'month' || every === 'year') return { nthWeekdays: days };
  if (days.some(({ nth }) => nth !== null)) throw new RuleError('Only months and years have a first or last Monday.');
  return { weekdays: days.map(({ weekday }) => weekday) };
}

function checkTogether(
  { every, monthDays, nthWeekdays, months, count, until }: Recurrence,
  parts: Map<string, string>,
): void {
  if (monthDays && nthWeekdays) throw new RuleError('BYDAY and BYMONTHDAY cannot stand together.');
  if (monthDays && (every === 'day' || every === 'week')) throw new RuleError('BYMONTHDAY needs MONTHLY or YEARLY.');
  if (every === 'year' && nthWeekdays && !months) throw new RuleError('BYDAY in a year needs BYMONTH.');
  if (count !== undefined && until !== undefined) throw new RuleError('COUNT and UNTIL cannot stand together.');
  if (parts.has('SKIP') && !['OMIT', 'BACKWARD'].includes(parts.get('SKIP') ?? '')) {
    throw new RuleError('SKIP must be OMIT or BACKWARD.');
  }
  if (parts.has('RSCALE') && parts.get('RSCALE') !== 'GREGORIAN') throw new RuleError('RSCALE must be GREGORIAN.');
}

const NAMES = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const;

/** Writes a rule so that `parseRecurrence` gives the same again. */
export function printRecurrence(recurrence: Recurrence): string {
  const { every, interval, months, monthDays, skip, weekStart, count, until } = recurrence;
  const days = recurrence.nthWeekdays?.map(({ nth, weekday }) => `${nth ?? ''}${weekday}`) ?? recurrence.weekdays;
  const parts: [string, string | number | undefined][] = [
    ['RSCALE', skip === undefined ? undefined : 'GREGORIAN'],
    ['FREQ', NAMES[every]],
    ['INTERVAL', interval === 1 ? undefined : interval],
    ['BYMONTH', months?.join(',')],
    ['BYMONTHDAY', monthDays?.join(',')],
    ['BYDAY', days?.join(',')],
    ['WKST', weekStart],
    ['SKIP', skip?.toUpperCase()],
    ['COUNT', count],
    ['UNTIL', until?.replaceAll('-', '')],
  ];
  return parts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`])).join(';');
}
