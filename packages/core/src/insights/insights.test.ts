import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { GoalSummary } from '../goals/queries.ts';
import { correlation, MIN_DAYS, isClear, type Pair } from './correlation.ts';
import { goesTogether, milestoneReview, steadiness } from './insights.ts';

const TODAY = '2026-11-21';
const dayAt = (index: number): string => addDays(TODAY, -index);
const pairs = (xs: readonly number[], ys: readonly number[]): Pair[] =>
  xs.map((x, index) => ({ day: dayAt(xs.length - index), x, y: ys[index] ?? 0 }));

test('r and its interval equal figures worked out by hand', () => {
  // Twenty days without likeness from one to the next: x 1 −1 −1 1 …, y = x but for four days.
  const xs = Array.from({ length: 20 }, (_, n) => (n % 4 === 0 || n % 4 === 3 ? 1 : -1));
  const ys = xs.map((x, n) => ([1, 6, 11, 16].includes(n) ? -x : x));
  const found = correlation(pairs(xs, ys));
  expect(found?.r).toBeCloseTo(0.6, 2);
  expect(found?.n).toBe(20);
  // tanh(atanh 0.6 ∓ 2.5758 / √(n − 3)), n as many days as they are worth.
  const half = 2.575829 / Math.sqrt((found?.worth ?? 0) - 3);
  expect(found?.from).toBeCloseTo(Math.tanh(Math.atanh(0.6) - half), 2);
  expect(found?.to).toBeCloseTo(Math.tanh(Math.atanh(0.6) + half), 2);
});

test('nothing is said of too few days, of what never changes, and of days that all resemble the one before', () => {
  const rising = Array.from({ length: 60 }, (_, n) => n);
  expect(correlation(pairs(rising.slice(0, MIN_DAYS - 1), rising))).toBeNull();
  expect(
    correlation(
      pairs(
        Array.from({ length: 60 }, () => 3),
        rising,
      ),
    ),
  ).toBeNull();
  expect(correlation(pairs(rising, rising))).toBeNull();
});

test('of things that have nothing to do with each other, hardly one in a hundred looks clear', () => {
  const days = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 60, maxLength: 60 });
  const drawn = fc.sample(fc.tuple(days, days), { numRuns: 2000, seed: 7 });
  const clear = drawn.filter(([xs, ys]) => {
    const found = correlation(pairs(xs, ys));
    return found !== null && isClear(found);
  });
  expect(clear.length).toBeLessThan(50);
});

const checkIn = (day: string, mood: number, sleep: number | null): Row<'wellness_check_ins'> => ({
  id: day,
  user_id: 'sam',
  day,
  at: `${day}T08:00:00Z`,
  mood,
  energy: null,
  stress: null,
  sleep_hours: sleep,
  sleep_quality: null,
  tags: [],
  note: null,
  skipped: null,
  created_at: '',
  updated_at: '',
  deleted_at: null,
  version: 1,
});

test('what goes together is said with its days, and what has too few of them is left out', () => {
  const good = [true, false, false, true, true, false, true, false];
  const checkIns = Array.from({ length: 40 }, (_, n) => {
    const isGood = good[(n * 5) % 8] === true;
    return checkIn(dayAt(n), isGood ? 4 : 2, isGood === (n % 9 !== 0) ? 8 : 6);
  });
  const { found } = goesTogether({ checkIns, habits: [], entries: [] });
  expect(found.map(({ beside, found: { n } }) => [beside.kind, n])).toEqual([['sleep_hours', 40]]);
  expect(goesTogether({ checkIns: checkIns.slice(0, 10), habits: [], entries: [] }).found).toEqual([]);
});

test('steadiness counts the last 28 days beside the 28 before, once there are so many', () => {
  const checkIns = Array.from({ length: 40 }, (_, n) => checkIn(dayAt(n), 3, null));
  const rows = { checkIns, habits: [], entries: [] };
  expect(steadiness(rows, TODAY)).toEqual([{ name: null, days: 28, of: 28, before: null }]);
  expect(steadiness({ ...rows, checkIns: checkIns.slice(0, 5) }, TODAY)).toEqual([]);
});

test('the review tells what was reached, in time or not, and what waits past its date', () => {
  const milestone = (title: string, due_on: string | null, done_on: string | null) => ({ title, due_on, done_on });
  const summary = {
    goal: { title: 'Coast', state: 'active' },
    milestones: [
      milestone('Half', '2026-11-01', '2026-11-10'),
      milestone('Start', null, '2026-11-12'),
      milestone('Old', null, '2026-01-01'),
      milestone('Rest', '2026-11-20', null),
    ],
  } as unknown as GoalSummary;
  expect(milestoneReview([summary], TODAY)).toEqual({
    reached: [
      { goal: 'Coast', title: 'Start', day: '2026-11-12', inTime: null },
      { goal: 'Coast', title: 'Half', day: '2026-11-10', inTime: false },
    ],
    late: [{ goal: 'Coast', title: 'Rest', due: '2026-11-20' }],
  });
});
