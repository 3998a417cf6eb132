import * as fc from 'fast-check';
import { RRule, type Frequency } from 'rrule';
import { describe, expect, test } from 'vitest';
import { seriesPlan } from '../tasks/series-rule.ts';
import { parseRecurrence, printRecurrence } from './recurrence.ts';
import { occurrenceAfterDone, plannedOccurrences, type Schedule } from './schedule.ts';
import { addMonths, ruleWithLastDays } from './short-months.ts';

const MS_PER_DAY = 86_400_000;
const dayText = (date: Date): string => date.toISOString().slice(0, 10);
const FIRST = Date.UTC(2000, 0, 1);
const LAST = Date.UTC(2040, 11, 31);

/** Every day of 40 years that some month is too short for. */
const LATE_DAYS = Array.from({ length: (LAST - FIRST) / MS_PER_DAY + 1 }, (_, index) =>
  dayText(new Date(FIRST + index * MS_PER_DAY)),
).filter(day => Number(day.slice(8)) > 28);

/** The first days of a duty by the library everybody else uses: of the days up to its date, the last that the month has. */
function oracleDays(freq: Frequency, start: string, interval: number, count: number): string[] {
  const dtstart = new Date(`${start}T00:00:00Z`);
  const date = dtstart.getUTCDate();
  const bymonthday = Array.from({ length: Math.max(1, date - 27) }, (_, index) => Math.min(28, date) + index);
  const bymonth = freq === RRule.YEARLY ? [dtstart.getUTCMonth() + 1] : null;
  return new RRule({ freq, interval, count, dtstart, bymonthday, bymonth, bysetpos: -1 }).all().map(dayText);
}

const RULES = { month: 'FREQ=MONTHLY', year: 'FREQ=YEARLY' };
const FREQUENCIES = { month: RRule.MONTHLY, year: RRule.YEARLY };
type Unit = keyof typeof RULES;

function scheduleOf(rule: string, startDay: string, basedOn: Schedule['basedOn'] = 'scheduled'): Schedule {
  const read = parseRecurrence(rule);
  if (!read.ok) throw new Error(read.problem);
  const id = '00000000-0000-4000-8000-000000000001';
  return { id, recurrence: read.recurrence, startDay, dueTime: '23:59', zone: 'Europe/Berlin', basedOn };
}

/** Noon of a day in Berlin, ISO 8601. */
const noon = (day: string): string => `${day}T11:00:00.000Z`;
const after = (schedule: Schedule, day: string): string | undefined =>
  occurrenceAfterDone(schedule, { day, endedAt: noon(day), count: 1 })?.day;

const daysUntil = (rule: string, start: string, now: string): string[] =>
  [...plannedOccurrences(scheduleOf(rule, start), noon(now))].map(({ day }) => day);

describe('what takes its day from its first date falls on the last day of a month that is too short', () => {
  test.each<[Unit, number]>([
    ['month', 1],
    ['month', 3],
    ['month', 6],
    ['year', 1],
  ])('every %s (%i), begun on any 29th, 30th or 31st of 40 years, as another library has it', (unit, interval) => {
    const rule = `${RULES[unit]};INTERVAL=${interval}`;
    for (const start of LATE_DAYS) {
      const expected = oracleDays(FREQUENCIES[unit], start, interval, 5);
      const days = daysUntil(rule, start, expected[4] ?? start).slice(0, 5);
      expect([start, ...days]).toEqual([start, ...expected]);
      // Done on that very day, the next comes as far from it.
      expect([start, after(scheduleOf(rule, start, 'completed'), start)]).toEqual([start, expected[1]]);
    }
  });

  test('any day of 40 years, any interval: the days by the calendar, the next after completion, and so many months later agree', () => {
    const anyStart = fc
      .integer({ min: FIRST / MS_PER_DAY, max: LAST / MS_PER_DAY })
      .map(day => dayText(new Date(day * MS_PER_DAY)));
    fc.assert(
      fc.property(
        anyStart,
        fc.constantFrom<Unit>('month', 'year'),
        fc.integer({ min: 1, max: 24 }),
        (start, unit, n) => {
          const [, next = ''] = oracleDays(FREQUENCIES[unit], start, n, 2);
          const rule = `${RULES[unit]};INTERVAL=${n}`;
          expect(daysUntil(rule, start, next)[1]).toBe(next);
          expect(after(scheduleOf(rule, start, 'completed'), start)).toBe(next);
          expect(addMonths(start, unit === 'year' ? 12 * n : n)).toBe(next);
          // As text, for programs that know RFC 7529.
          expect(daysUntil(ruleWithLastDays(rule, start), start, next)[1]).toBe(next);
        },
      ),
      { numRuns: Number(process.env['RUNS'] ?? 500) },
    );
  });

  test.each([
    ['FREQ=MONTHLY;INTERVAL=3', '2025-11-29', '2026-02-28'],
    ['FREQ=MONTHLY;INTERVAL=3', '2027-11-29', '2028-02-29'],
    ['FREQ=YEARLY', '2028-02-29', '2029-02-28'],
    ['FREQ=YEARLY;INTERVAL=4', '2096-02-29', '2100-02-28'],
    ['FREQ=MONTHLY;INTERVAL=6', '2026-08-31', '2027-02-28'],
  ])('%s done on %s is due again on %s', (rule, done, next) => {
    const series = {
      id: '00000000-0000-4000-8000-000000000001',
      recurrence: rule,
      start_day: '2020-08-29',
      due_time: null,
      zone: 'Europe/Berlin',
      based_on: 'completed' as const,
      state: 'active' as const,
      deleted_at: null,
      active_since: noon('2025-08-01'),
    };
    const history = { done: 1, last: { day: done, open: false, endedAt: noon(done) } };
    expect(seriesPlan(series, history, noon(done)).map(({ day }) => day)).toEqual([next]);
  });
});

describe('whoever names days means just those', () => {
  test.each([
    ['FREQ=MONTHLY;BYMONTHDAY=31', '2027-01-31', '2027-01-31 2027-03-31 2027-05-31'],
    ['FREQ=MONTHLY;BYMONTHDAY=31;SKIP=BACKWARD', '2027-01-31', '2027-01-31 2027-02-28 2027-03-31'],
    ['FREQ=MONTHLY;SKIP=OMIT', '2027-01-31', '2027-01-31 2027-03-31 2027-05-31'],
    ['FREQ=MONTHLY;BYDAY=5MO', '2026-11-30', '2026-11-30 2027-03-29 2027-05-31'],
  ])('%s from %s', (rule, start, days) => {
    expect(daysUntil(rule, start, '2027-12-31').slice(0, 3).join(' ')).toBe(days);
    expect(ruleWithLastDays(rule, start)).toBe(rule);
  });

  test('a rule that leaves short months out says so as text', () => {
    const read = parseRecurrence('FREQ=MONTHLY;SKIP=OMIT');
    expect(read.ok && printRecurrence(read.recurrence)).toBe('RSCALE=GREGORIAN;FREQ=MONTHLY;SKIP=OMIT');
  });
});

test.each([
  ['2026-11-31', 1],
  ['9999-12-01', 1],
  ['0001-01-01', -1],
])('so many months after %s (%i) is no day', (day, months) => {
  expect(() => addMonths(day, months)).toThrow(RangeError);
});
