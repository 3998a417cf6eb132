import { parseRecurrence, printRecurrence, type Recurrence } from './recurrence.ts';

/**
 * The one rule for months that are too short. What comes every so many months or years and takes its day from its first date
 * falls on the last day of a month that has no such day: the 31st on 30 April, 29 February on the 28th. The first date stays
 * what is counted from, so that May has its 31st again. Whoever names days ("only on the 31st", BYMONTHDAY) or says SKIP=OMIT
 * means just those (RFC 5545); SKIP=BACKWARD (RFC 7529) says the last day of them, too.
 *
 * `dayInMonth` is the same for a date that is counted once. Docs: docs/decisions/26-schedules-and-recurrence.md.
 */
export function withLastDays(rule: Recurrence): Recurrence {
  const isLong = rule.every === 'month' || rule.every === 'year';
  return isLong && !rule.monthDays && !rule.nthWeekdays && rule.skip === undefined
    ? { ...rule, skip: 'backward' }
    : rule;
}

/**
 * The same of a rule as text, written into it where it makes a difference, so that other programs read what we mean.
 *
 * @param text an RRULE; one that cannot be read comes back as it is @param start its first day, YYYY-MM-DD
 */
export function ruleWithLastDays(text: string, start: string): string {
  if (Number(start.slice(8)) <= 28) return text;
  const read = parseRecurrence(text);
  if (!read.ok) return text;
  const rule = withLastDays(read.recurrence);
  return rule === read.recurrence ? text : printRecurrence(rule);
}

/** The last day of a month, 28 to 31. @param month 1 to 12 */
export const lastDayOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** A day of a month, or its last where it is too short. @param month 1 to 12 @param day 1 to 31 */
export const dayInMonth = (year: number, month: number, day: number): number => Math.min(day, lastDayOf(year, month));

/**
 * The same day so many months later, or the last of a month that is too short: three months from 29 November are 28 February.
 *
 * @param day YYYY-MM-DD @param months whole, also below 0
 * @throws {RangeError} for a day that is none, or beyond the years 0001 to 9999
 */
export function addMonths(day: string, months: number): string {
  const index = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + months;
  const [year, month] = [Math.floor(index / 12), (((index % 12) + 12) % 12) + 1];
  const isDay = new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
  if (!isDay || year < 1 || year > 9999) throw new RangeError(`addMonths: ${day} and ${months} months`);
  const date = dayInMonth(year, month, Number(day.slice(8)));
  return [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(date).padStart(2, '0')].join('-');
}
