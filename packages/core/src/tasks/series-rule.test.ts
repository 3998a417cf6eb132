import { afterEach, expect, test, vi } from 'vitest';
import { nextDates } from '../occurrences/next-dates.ts';
import { planOf } from '../schedules/plan-schedule.ts';
import { seriesPlan } from './series-rule.ts';

const row = {
  id: '00000000-0000-4000-8000-000000000001',
  recurrence: 'FREQ=DAILY',
  start_day: '1970-01-02',
  due_time: null,
  zone: 'Europe/Berlin',
  based_on: 'scheduled' as 'scheduled' | 'completed',
  state: 'active' as const,
  deleted_at: null,
  active_since: '2026-11-20T12:00:00.000Z',
};
const now = '2026-11-21T12:00:00.000Z';
const fresh = { done: 0, last: null };

/** Each date asks the clocks of its zone three times: what a plan costs. */
function datesReckoned(work: () => unknown): number {
  const asked = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
  work();
  return Math.ceil(asked.mock.calls.length / 3);
}
afterEach(() => vi.restoreAllMocks());

test.each([
  ['FREQ=DAILY;UNTIL=20260101', 'completed', 0],
  ['FREQ=DAILY;UNTIL=20260101', 'scheduled', 0],
  ['FREQ=DAILY;COUNT=20000', 'completed', 0],
  ['FREQ=DAILY', 'completed', 1],
  ['FREQ=WEEKLY;BYDAY=MO,TH', 'completed', 1],
  ['FREQ=YEARLY', 'scheduled', 1],
] as const)('a series since 1970, %s, %s, reckons no date that is long past', (recurrence, based_on, dates) => {
  const plan = () => seriesPlan({ ...row, recurrence, based_on }, fresh, now);
  expect(plan()).toHaveLength(dates);
  expect(datesReckoned(plan)).toBeLessThan(20);
  const schedule = { ...row, recurrence, based_on, due_time: '09:00', opens_minutes: null, closes_minutes: null };
  expect(datesReckoned(() => planOf(schedule, { ...fresh, settledDay: null }, now))).toBeLessThan(20);
  expect(datesReckoned(() => nextDates(schedule, now, 1))).toBeLessThan(20);
});

test('a daily series by the calendar is planned from where it began to count, 13 months ahead', () => {
  const days = seriesPlan(row, fresh, now).map(({ day }) => day);
  expect([days[0], days.at(-1), days.length]).toEqual(['2026-11-20', '2027-12-21', 397]);
});
