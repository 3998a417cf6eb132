import { type NthWeekday, type Recurrence, weekdays } from './recurrence.ts';

/** A day as a number: days since 1970-01-01, no time zone. */
type DayNumber = number;

const MS_PER_DAY = 86_400_000;
const numberOf = (year: number, month: number, day: number): DayNumber => Date.UTC(year, month - 1, day) / MS_PER_DAY;
const lastOf = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
/** 0 for Monday. */
const weekdayOf = (day: DayNumber): number => (((day + 3) % 7) + 7) % 7;
const dayText = (day: DayNumber): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10);

function dateOf(day: DayNumber) {
  const date = new Date(day * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** No day after this can be written with four digits. */
const LAST_DAY = numberOf(9999, 12, 31);

/**
 * The days of a rule in their order, from the first on: each of them, however far apart.
 *
 * @param start YYYY-MM-DD: the first day where the rule has it, and what its intervals are counted from
 * @param to YYYY-MM-DD, included: no day after it is looked for
 */
export function* recurringDays(rule: Recurrence, start: string, to: string): Generator<string> {
  const first = Date.parse(`${start}T00:00:00Z`) / MS_PER_DAY;
  const ends = [to, rule.until ?? to].map(day => Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY);
  const last = Math.min(...ends, LAST_DAY);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  for (const days of periods(rule, first, last)) {
    for (const day of days) {
      if (day < first) continue;
      if (day > last || left === 0) return;
      left -= 1;
      yield dayText(day);
    }
  }
}

/** The days of each day, week, month or year that the rule looks at, each in order. */
function periods(rule: Recurrence, first: DayNumber, last: DayNumber): Generator<DayNumber[]> {
  switch (rule.every) {
    case 'day':
      return dailyPeriods(rule, first, last);
    case 'week':
      return weeklyPeriods(rule, first, last);
    case 'month':
      return monthlyPeriods(rule, first, last);
    default:
      return yearlyPeriods(rule, first, last);
  }
}

function* dailyPeriods(rule: Recurrence, first: DayNumber, last: DayNumber): Generator<DayNumber[]> {
  const allowed = rule.weekdays?.map(day => weekdays.indexOf(day));
  for (let day = first; day <= last; day += rule.interval) {
    if ((!allowed || allowed.includes(weekdayOf(day))) && inMonths(rule, day)) yield [day];
  }
}

function* weeklyPeriods(rule: Recurrence, first: DayNumber, last: DayNumber): Generator<DayNumber[]> {
  const begins = weekdays.indexOf(rule.weekStart ?? 'MO');
  const inWeek = (weekday: number): number => (weekday - begins + 7) % 7;
  const offsets = rule.weekdays?.map(day => inWeek(weekdays.indexOf(day))) ?? [inWeek(weekdayOf(first))];
  const sorted = [...new Set(offsets)].toSorted((a, b) => a - b);
  for (let week = first - inWeek(weekdayOf(first)); week <= last; week += 7 * rule.interval) {
    yield sorted.map(offset => week + offset).filter(day => inMonths(rule, day));
  }
}

function* monthlyPeriods(rule: Recurrence, first: DayNumber, last: DayNumber): Generator<DayNumber[]> {
  const { year, month } = dateOf(first);
  for (let index = month - 1; numberOf(year, index + 1, 1) <= last; index += rule.interval) {
    const here = { year: year + Math.floor(index / 12), month: (index % 12) + 1 };
    if (!rule.months || rule.months.includes(here.month)) yield daysInMonth(rule, here, first);
  }
}

function* yearlyPeriods(rule: Recurrence, first: DayNumber, last: DayNumber): Generator<DayNumber[]> {
  const begun = dateOf(first);
  const months = rule.months ?? (rule.monthDays ? [...Array(12).keys()].map(index => index + 1) : [begun.month]);
  const sorted = [...new Set(months)].toSorted((a, b) => a - b);
  for (let { year } = begun; numberOf(year, 1, 1) <= last; year += rule.interval) {
    yield sorted.flatMap(month => daysInMonth(rule, { year, month }, first));
  }
}

const inMonths = ({ months }: Recurrence, day: DayNumber): boolean => !months || months.includes(dateOf(day).month);

/** The days of one month, in order, each once. */
function daysInMonth(
  rule: Recurrence,
  { year, month }: { year: number; month: number },
  first: DayNumber,
): DayNumber[] {
  const days = rule.nthWeekdays
    ? rule.nthWeekdays.flatMap(wanted => nthDays(wanted, year, month))
    : (rule.monthDays ?? [dateOf(first).day]).flatMap(day => monthDay(rule, day, lastOf(year, month)));
  return [...new Set(days)].toSorted((a, b) => a - b).map(day => numberOf(year, month, day));
}

function monthDay({ skip }: Recurrence, day: number, last: number): number[] {
  if (day < 0) return last + day + 1 >= 1 ? [last + day + 1] : skip === 'backward' ? [1] : [];
  if (day <= last) return [day];
  return skip === 'backward' ? [last] : [];
}

function nthDays({ nth, weekday }: NthWeekday, year: number, month: number): number[] {
  const last = lastOf(year, month);
  const firstOne = 1 + ((weekdays.indexOf(weekday) - weekdayOf(numberOf(year, month, 1)) + 7) % 7);
  const all: number[] = [];
  for (let day = firstOne; day <= last; day += 7) all.push(day);
  if (nth === null) return all;
  const found = nth > 0 ? all[nth - 1] : all.at(nth);
  return found === undefined ? [] : [found];
}
