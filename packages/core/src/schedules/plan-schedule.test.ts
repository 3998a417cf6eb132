import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDates } from '../occurrences/next-dates.ts';
import { MADE_AHEAD_DAYS, planOf, type ScheduleHistory } from './plan-schedule.ts';

const row = {
  id: '00000000-0000-4000-8000-000000000001',
  recurrence: 'FREQ=DAILY',
  start_day: '2026-11-01',
  due_time: '09:00',
  zone: 'Europe/Berlin',
  based_on: 'scheduled' as const,
  opens_minutes: 60,
  closes_minutes: null,
  state: 'active' as const,
  active_since: '2026-11-20T12:00:00.000Z',
  deleted_at: null,
};
const fresh: ScheduleHistory = { done: 0, settledDay: null, last: null };
const now = '2026-11-21T12:00:00.000Z';
const days = (rows: { day: string }[]) => rows.map(({ day }) => day);

describe('planOf', () => {
  test('plans what fell due since it began, and 35 days ahead; it opens before and closes when the next is due', () => {
    const plan = planOf(row, fresh, now);
    expect(days(plan).slice(0, 2)).toEqual(['2026-11-21', '2026-11-22']);
    expect(plan).toHaveLength(1 + MADE_AHEAD_DAYS);
    expect(plan[0]).toMatchObject({
      due_at: '2026-11-21T08:00:00.000Z',
      opens_at: '2026-11-21T07:00:00.000Z',
      closes_at: '2026-11-22T08:00:00.000Z',
    });
  });

  test('what was planned and fell due is not planned again; what a stopped server left out is', () => {
    const late = '2026-11-25T12:00:00.000Z';
    const seen = { ...fresh, settledDay: '2026-11-22' };
    expect(days(planOf(row, seen, late)).slice(0, 4)).toEqual(['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26']);
  });

  test('a yearly one is always there once', () => {
    const yearly = { ...row, recurrence: 'FREQ=YEARLY', start_day: '2026-10-05', closes_minutes: 1440 };
    expect(planOf(yearly, fresh, now)).toMatchObject([
      { day: '2027-10-05', due_at: '2027-10-05T07:00:00.000Z', closes_at: '2027-10-06T07:00:00.000Z' },
    ]);
  });

  test('paused, ended, removed or unreadable: nothing', () => {
    expect(planOf({ ...row, state: 'paused' }, fresh, now)).toEqual([]);
    expect(planOf({ ...row, state: 'ended' }, fresh, now)).toEqual([]);
    expect(planOf({ ...row, deleted_at: now }, fresh, now)).toEqual([]);
    expect(planOf({ ...row, recurrence: 'FREQ=HOURLY' }, fresh, now)).toEqual([]);
  });

  test('counted from completion there is one at a time, after the last was done', () => {
    const weekly = { ...row, recurrence: 'FREQ=WEEKLY', based_on: 'completed' as const, start_day: '2026-11-23' };
    expect(days(planOf(weekly, fresh, now))).toEqual(['2026-11-23']);
    const open = { done: 0, settledDay: null, last: { day: '2026-11-23', open: true, endedAt: null } };
    expect(days(planOf(weekly, open, now))).toEqual(['2026-11-23']);
    const done = { ...open, done: 1, last: { day: '2026-11-23', open: false, endedAt: '2026-11-25T10:00:00.000Z' } };
    expect(days(planOf(weekly, done, now))).toEqual(['2026-12-02']);
  });

  test('done before its day, the next is another day than the one just done', () => {
    const monthly = { ...row, recurrence: 'FREQ=MONTHLY;BYMONTHDAY=15', based_on: 'completed' as const };
    const early = {
      done: 1,
      settledDay: null,
      last: { day: '2026-12-15', open: false, endedAt: '2026-12-10T10:00:00.000Z' },
    };
    expect(days(planOf(monthly, early, now))).toEqual(['2027-01-15']);
  });

  test('planning again changes nothing, whenever it is done: the same day has the same id', () => {
    const instant = fc.integer({ min: 0, max: 400 * 24 }).map(hours => new Date(Date.parse(now) + hours * 3_600_000));
    fc.assert(
      fc.property(instant, fc.integer({ min: 0, max: 20 }), (first, laterDays) => {
        const later = new Date(first.getTime() + laterDays * 86_400_000);
        const before = planOf(row, fresh, first.toISOString());
        const after = planOf(row, fresh, later.toISOString());
        const both = new Set(days(after).filter(day => days(before).includes(day)));
        expect(after.filter(({ day }) => both.has(day))).toEqual(before.filter(({ day }) => both.has(day)));
      }),
      { numRuns: 50 },
    );
  });
});

test('nextDates shows the nearest dates that are still to come', () => {
  expect(days(nextDates(row, now, 3))).toEqual(['2026-11-22', '2026-11-23', '2026-11-24']);
});
