import * as fc from 'fast-check';
import { RRule, type Options, Weekday as OracleDay } from 'rrule';
import { type Recurrence, type Weekday, weekdays } from './recurrence.ts';

const anyWeekdays = fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1, maxLength: 4 });
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyMonthDay = fc.oneof(fc.integer({ min: 1, max: 31 }), fc.integer({ min: -31, max: -1 }));
const anyWeekday = fc.constantFrom(...weekdays);
// "Every Monday and the last Friday" in one rule: the oracle takes what is both, RFC 5545 what is either.
const anyNths = fc.oneof(
  fc.array(fc.record({ nth: fc.constantFrom(1, 2, 3, 4, 5, -1, -2), weekday: anyWeekday }), {
    minLength: 1,
    maxLength: 2,
  }),
  fc.array(fc.record({ nth: fc.constant(null), weekday: anyWeekday }), { minLength: 1, maxLength: 2 }),
);
export const anyDay = fc
  .integer({ min: Date.UTC(2023, 0, 1) / 86_400_000, max: Date.UTC(2029, 11, 31) / 86_400_000 })
  .map(day => new Date(day * 86_400_000).toISOString().slice(0, 10));

export const anyRule: fc.Arbitrary<Recurrence> = fc
  .record({
    every: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
    interval: fc.integer({ min: 1, max: 5 }),
    days: some(anyWeekdays),
    by: fc.oneof(
      fc.constant({}),
      fc.uniqueArray(anyMonthDay, { minLength: 1, maxLength: 3 }).map(monthDays => ({ monthDays })),
      anyNths.map(nthWeekdays => ({ nthWeekdays })),
    ),
    months: some(fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 })),
    weekStart: some(fc.constantFrom(...weekdays)),
    end: fc.oneof(
      fc.constant({}),
      fc.integer({ min: 1, max: 9 }).map(count => ({ count })),
      anyDay.map(until => ({ until })),
    ),
  })
  .map(({ every, interval, days, by, months, weekStart, end }) => {
    const short = every === 'day' || every === 'week';
    const needsMonths = every === 'year' && 'nthWeekdays' in by && months === undefined;
    return {
      every,
      interval,
      ...(short ? days && { weekdays: days } : by),
      ...(needsMonths ? { months: [3] } : months && { months }),
      ...(weekStart && { weekStart }),
      ...end,
    };
  });

const oracleDay = (day: Weekday): OracleDay => new OracleDay(weekdays.indexOf(day));
const FREQUENCIES = { day: RRule.DAILY, week: RRule.WEEKLY, month: RRule.MONTHLY, year: RRule.YEARLY };

/** The same rule, worked out by the library everybody else uses. */
export function oracle(rule: Recurrence, start: string, to: string): string[] {
  const begun = new Date(`${start}T00:00:00Z`);
  const days = rule.nthWeekdays?.map(({ nth, weekday }) =>
    nth === null ? oracleDay(weekday) : oracleDay(weekday).nth(nth),
  );
  // Where nothing names the days of a month, the first date does; the library then forgets it once months are named.
  const monthDays =
    rule.monthDays ?? (days || rule.every === 'day' || rule.every === 'week' ? null : [begun.getUTCDate()]);
  const byMonth = rule.months ?? (rule.every === 'year' && !rule.monthDays ? [begun.getUTCMonth() + 1] : null);
  const options: Partial<Options> = {
    freq: FREQUENCIES[rule.every],
    interval: rule.interval,
    dtstart: begun,
    wkst: oracleDay(rule.weekStart ?? 'MO'),
    byweekday: days ?? rule.weekdays?.map(oracleDay) ?? null,
    bymonthday: monthDays ? [...monthDays] : null,
    bymonth: byMonth ? [...byMonth] : null,
    count: rule.count ?? null,
    until: rule.until ? new Date(`${rule.until}T00:00:00Z`) : null,
  };
  const all = new RRule(options).between(begun, new Date(`${to}T00:00:00Z`), true);
  return all.map(date => date.toISOString().slice(0, 10));
}

export function monthsLater(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}
