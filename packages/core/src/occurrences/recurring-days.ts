import { type NthWeekday, type Recurrence, weekdays } from './recurrence.ts';
import { lastDayOf } from './short-months.ts';

/** A day as a number: days since 1970-01-01, no time zone. */
type DayNumber = number;

const MS_PER_DAY = 86_400_000;
const numberOf = (year: number, month: number, day: number): DayNumber => Date.UTC(year, month - 1, day) / MS_PER_DAY;
/** 0 for Monday. */
const weekdayOf = (day: DayNumber): number => (((day + 3) % 7) + 7) % 7;
const dayText = (day: DayNumber): string => new Date(day * MS_PER_DAY).toISOString().slice(0, 10);

function dateOf(day: DayNumber) {
  const date = new Date(day * MS_PER_DAY);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** No day after this can be written with four digits. */
const LAST_DAY = numberOf(9999, 12, 31);

const dayNumber = (day: string): DayNumber => Date.parse(`${day}T00:00:00Z`) / MS_PER_DAY;

/** Between which days a rule is looked at. `first`: what its intervals are counted from. `from`: nothing before is asked for. */
type Span = { first: DayNumber; from: DayNumber; last: DayNumber };

/** The last step that does not lie beyond: what comes before it is left out without being looked at. */
const stepsTo = (distance: number, step: number): number => Math.max(0, Math.floor(distance / step)) * step;

/**
 * The days of a rule in their order, from the first on: each of them, however far apart. What lies before `after` is passed over
 * by arithmetic, but for a rule that ends after so many, which are counted.
 *
 * @param start YYYY-MM-DD: the first day where the rule has it, and what its intervals are counted from
 * @param to YYYY-MM-DD, included: no day after it is looked for
 * @param after YYYY-MM-DD: only those later than this day; all where left out
 */
export function* recurringDays(rule: Recurrence, start: string, to: string, after?: string): Generator<string> {
  const first = dayNumber(start);
  const last = Math.min(dayNumber(to), dayNumber(rule.until ?? to), LAST_DAY);
  const wanted = after === undefined ? first : Math.max(first, dayNumber(after) + 1);
  let left = rule.count ?? Number.POSITIVE_INFINITY;
  if (wanted > last) return;
  for (const days of periods(rule, { first, from: rule.count === undefined ? wanted : first, last })) {
    for (const day of days) {
      if (day < first) continue;
      if (day > last || left === 0) return;
      left -= 1;
      if (day >= wanted) yield dayText(day);
    }
  }
}

/** The days of each day, week, month or year that the rule looks at, each in order. */
function periods(rule: Recurrence, span: Span): Generator<DayNumber[]> {
  switch (rule.every) {
    case 'day':
      return dailyPeriods(rule, span);
    case 'week':
      return weeklyPeriods(rule, span);
    case 'month':
      return monthlyPeriods(rule, span);
    default:
      return yearlyPeriods(rule, span);
  }
}

function* dailyPeriods(rule: Recurrence, { first, from, last }: Span): Generator<DayNumber[]> {
  const allowed = rule.weekdays?.map(day => weekdays.indexOf(day));
  for (let day = first + stepsTo(from - first, rule.interval); day <= last; day += rule.interval) {
    if ((!allowed || allowed.includes(weekdayOf(day))) && inMonths(rule, day)) yield [day];
  }
}

function* weeklyPeriods(rule: Recurrence, { first, from, last }: Span): Generator<DayNumber[]> {
  const begins = weekdays.indexOf(rule.weekStart ?? 'MO');
  const inWeek = (weekday: number): number => (weekday - begins + 7) % 7;
  const offsets = rule.weekdays?.map(day => inWeek(weekdays.indexOf(day))) ?? [inWeek(weekdayOf(first))];
  const sorted = [...new Set(offsets)].toSorted((a, b) => a - b);
  const begun = first - inWeek(weekdayOf(first));
  const step = 7 * rule.interval;
  for (let week = begun + stepsTo(from - begun, step); week <= last; week += step) {
    yield sorted.map(offset => week + offset).filter(day => inMonths(rule, day));
  }
}

function* monthlyPeriods(rule: Recurrence, { first, from, last }: Span): Generator<DayNumber[]> {
  const { year, month } = dateOf(first);
  const asked = dateOf(from);
  const months = (asked.year - year) * 12 + asked.month - month;
  for (
    let index = month - 1 + stepsTo(months, rule.interval);
    numberOf(year, index + 1, 1) <= last;
    index += rule.interval
  ) {
    const here = { year: year + Math.floor(index / 12), month: (index % 12) + 1 };
    if (!rule.months || rule.months.includes(here.month)) yield daysInMonth(rule, here, first);
  }
}

function* yearlyPeriods(rule: Recurrence, { first, from, last }: Span): Generator<DayNumber[]> {
  const begun = dateOf(first);
  const months = rule.months ?? (rule.monthDays ? [...Array(12).keys()].map(index => index + 1) : [begun.month]);
  const sorted = [...new Set(months)].toSorted((a, b) => a - b);
  const skipped = stepsTo(dateOf(from).year - begun.year, rule.interval);
  for (let year = begun.year + skipped; numberOf(year, 1, 1) <= last; year += rule.interval) {
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
    : (rule.monthDays ?? [dateOf(first).day]).flatMap(day => monthDay(rule, day, lastDayOf(year, month)));
  return [...new Set(days)].toSorted((a, b) => a - b).map(day => numberOf(year, month, day));
}

function monthDay({ skip }: Recurrence, day: number, last: number): number[] {
  if (day < 0) return last + day + 1 >= 1 ? [last + day + 1] : skip === 'backward' ? [1] : [];
  if (day <= last) return [day];
  return skip === 'backward' ? [last] : [];
}

function nthDays({ nth, weekday }: NthWeekday, year: number, month: number): number[] {
  const last = lastDayOf(year, month);
  const firstOne = 1 + ((weekdays.indexOf(weekday) - weekdayOf(numberOf(year, month, 1)) + 7) % 7);
  const all: number[] = [];
  for (let day = firstOne; day <= last; day += 7) all.push(day);
  if (nth === null) return all;
  const found = nth > 0 ? all[nth - 1] : all.at(nth);
  return found === undefined ? [] : [found];
}
