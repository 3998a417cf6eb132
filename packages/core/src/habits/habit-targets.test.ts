import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import { firstDay, habitDays } from './habit-days.ts';
import type { DayStatus, HabitRule, PauseRange, DayEntry } from './habit.ts';
import { strengths, streaks } from './strength.ts';

const yesNo = (times: number, per_days: number): HabitRule => ({
  kind: 'yes_no',
  target: null,
  target_kind: 'at_least',
  times,
  per_days,
});
const number = (target_kind: HabitRule['target_kind'], target: number, per_days = 1): HabitRule => ({
  kind: 'number',
  target,
  target_kind,
  times: 1,
  per_days,
});

type Amount = number | 's' | null;
const FIRST = '2026-10-05';

/** One entry a day from Monday, 5 October 2026: an amount, s for skipped, null where nothing was said. */
const entriesFrom = (amounts: readonly Amount[], first = FIRST): DayEntry[] =>
  amounts.flatMap((amount, index) => {
    if (amount === null) return [];
    const day = addDays(first, index);
    return [amount === 's' ? { day, value: 'skip', amount: null } : { day, value: 'done', amount }];
  });

function lived(rule: HabitRule, amounts: readonly Amount[], pauses: readonly PauseRange[] = []) {
  const entries = entriesFrom(amounts);
  const days = habitDays({ rule, entries, pauses, from: FIRST, to: addDays(FIRST, amounts.length - 1) });
  return { days, streaks: streaks(rule, days), strengths: strengths(rule, days) };
}

const CHARS: Record<DayStatus, string> = { done: 'x', rule: 'r', missed: 'm', skip: 's', no: 'n', unknown: '.' };
const drawn = (rule: HabitRule, amounts: readonly Amount[], pauses: readonly PauseRange[] = []): string =>
  lived(rule, amounts, pauses)
    .days.map(({ status }) => CHARS[status])
    .join('');

describe('a number is done when its target is met', () => {
  test.each<[string, HabitRule, Amount[], string, number]>([
    ['at least 8 a day', number('at_least', 8), [8, 9, 7.5, 8], 'xxmx', 1],
    ['today may still become enough', number('at_least', 8), [8, 8, 3], 'xxm', 2],
    ['zero is not enough', number('at_least', 8), [8, 0, 8], 'xnx', 1],
    ['at most 2 a day: 7 cups are not done', number('at_most', 2), [1, 2, 7], 'xxm', 0],
    ['at most 2 a day: zero is done', number('at_most', 2), [0, 0, 3, 0], 'xxmx', 1],
    ['at most 2 a day: nothing said says nothing', number('at_most', 2), [1, null, 1], 'x.x', 1],
    ['at most 0', number('at_most', 0), [0, 0.1, 0], 'xmx', 1],
    ['at least 0: zero is a value', number('at_least', 0), [0, null, 0], 'x.x', 1],
    ['20 in 7 days: 10 and 10', number('at_least', 20, 7), [10, null, null, 10, null, null, null], 'xrrxrrr', 7],
    ['20 in 7 days: not enough', number('at_least', 20, 7), [10, null, null, 9, null, null, null, null], 'm..m....', 0],
    [
      '20 in 7 days: its days are not over',
      number('at_least', 20, 7),
      [20, null, null, null, null, null, null, 9],
      'xrrrrrrm',
      7,
    ],
    ['4 in 7 days at most: 1 each day', number('at_most', 4, 7), [1, 1, 1, 1, 1, 1, 1], 'xxxxmmm', 0],
    [
      '4 in 7 days at most: what was said holds for the days around',
      number('at_most', 4, 7),
      [2, null, null, 2, null],
      'xrrxr',
      5,
    ],
    ['amounts are added without a rest', number('at_most', 0.3, 3), [0.1, 0.1, 0.1], 'xxx', 3],
    ['amounts are enough without a rest', number('at_least', 0.3, 3), [0.1, 0.1, 0.1], 'xxx', 3],
  ])('%s', (_name, rule, amounts, chars, present) => {
    expect(drawn(rule, amounts)).toBe(chars);
    expect(lived(rule, amounts).streaks.present).toBe(present);
  });

  test('10 km each Monday and Thursday of 20 a week are 56 days kept in eight weeks', () => {
    const week = [10, null, null, 10, null, null, null];
    const eight = Array.from({ length: 8 }, () => week).flat();
    expect(lived(number('at_least', 20, 7), eight).streaks).toEqual({ present: 56, longest: 56 });
  });

  test('"at most 0" with decimals recovers', () => {
    const clean = Array.from({ length: 200 }, () => 0);
    const { strengths: values } = lived(number('at_most', 0, 7), [0.1, 0.2, 0.7, ...clean]);
    expect(values[8]).toBeLessThan(0.85);
    expect(values.at(-1)).toBeGreaterThan(0.99);
  });
});

describe('a pause or a skip neither breaks nor lengthens nor weakens', () => {
  const WEEKLY = yesNo(1, 7);
  const done = ['2026-11-02', '2026-11-09', '2026-11-23'].map(day => ({ day, value: 'done' as const, amount: null }));

  test('once a week, paused from the 12th to the 20th: 13 days in a row, as many as without it', () => {
    const request = { rule: WEEKLY, entries: done, from: '2026-11-02', to: '2026-11-23' };
    const paused = habitDays({ ...request, pauses: [{ from_day: '2026-11-12', until_day: '2026-11-20' }] });
    expect(streaks(WEEKLY, paused)).toEqual({ present: 13, longest: 13 });
    expect(streaks(WEEKLY, habitDays({ ...request, pauses: [] }))).toEqual({ present: 1, longest: 14 });
  });

  /** A life with days left out, and the same without them. */
  const anyRule = fc.oneof(
    fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 4, max: 10 })).map(([n, days]) => yesNo(n, days)),
    fc
      .tuple(
        fc.constantFrom('at_least' as const, 'at_most' as const),
        fc.integer({ min: 0, max: 9 }),
        fc.constantFrom(1, 3, 7, 14),
      )
      .map(([kind, target, days]) => number(kind, target, days)),
  );
  const anyAmounts = fc.array(fc.oneof(fc.integer({ min: 0, max: 6 }), fc.constant(null), fc.constant('s' as const)), {
    minLength: 1,
    maxLength: 80,
  });

  test('whatever was skipped or paused: the other days, the streaks and the strength are those of a life without it', () => {
    fc.assert(
      fc.property(anyRule, anyAmounts, fc.boolean(), (rule, amounts, isPause) => {
        const isOut = (amount: Amount): amount is 's' => amount === 's';
        const pauses = amounts.flatMap((amount, index) =>
          isOut(amount) ? [{ from_day: addDays(FIRST, index), until_day: addDays(FIRST, index) }] : [],
        );
        const whole = isPause
          ? lived(
              rule,
              amounts.map(amount => (isOut(amount) ? null : amount)),
              pauses,
            )
          : lived(rule, amounts);
        const without = lived(
          rule,
          amounts.filter(amount => !isOut(amount)),
        );
        const counted = whole.days.flatMap((day, index) => (day.status === 'skip' ? [] : [index]));
        expect(counted.map(index => whole.days[index]?.status)).toEqual(without.days.map(({ status }) => status));
        expect(counted.map(index => whole.strengths[index])).toEqual(without.strengths);
        expect(whole.streaks.longest).toBe(without.streaks.longest);
        // Of a life that ends today with a day left out, what is open still is another day.
        const which = isOut(amounts.at(-1) ?? null) ? 'longest' : 'present';
        expect(whole.streaks[which]).toBe(without.streaks[which]);
      }),
      { numRuns: Number(process.env['RUNS'] ?? 500) },
    );
  });
});

/** How a day stands by what a person would reckon with a calendar: each stretch that an amount begins, from the newest back. */
function oracle({ target, target_kind, per_days }: HabitRule, amounts: readonly (number | null)[]): boolean[] {
  const wanted = target ?? 0;
  const sum = (from: number, to: number): number =>
    amounts.slice(Math.max(0, from), to + 1).reduce<number>((all, amount) => all + (amount ?? 0), 0);
  if (target_kind === 'at_most') {
    return amounts.map((_, day) => {
      const first = Math.max(0, day - per_days + 1);
      return sum(first, day) <= wanted && amounts.slice(first, day + 1).some(amount => amount !== null);
    });
  }
  const kept = amounts.map(() => false);
  let taken = Number.POSITIVE_INFINITY;
  for (let begin = amounts.length - 1; begin >= 0; begin -= 1) {
    if (!(amounts[begin] ?? 0)) continue;
    let enough = begin;
    while (enough < begin + per_days && sum(begin, enough) < wanted) enough += 1;
    if (enough >= Math.min(amounts.length, begin + per_days)) continue;
    // Its days move back to where the newer ones begin, and still hold the one that made it enough.
    const shift = Math.max(0, Math.min(begin + per_days - taken, begin + per_days - 1 - enough));
    taken = begin - shift;
    for (let day = taken; day < taken + per_days; day += 1) if (day >= 0 && day < kept.length) kept[day] = true;
  }
  return kept;
}

test('days kept of a number are those an oracle finds day by day', () => {
  const anyNumber = fc
    .tuple(
      fc.constantFrom('at_least' as const, 'at_most' as const),
      fc.integer({ min: 1, max: 12 }),
      fc.constantFrom(1, 2, 7, 10),
    )
    .map(([kind, target, days]) => number(kind, target, days));
  const anyAmounts = fc.array(fc.option(fc.integer({ min: 0, max: 8 }), { nil: null }), {
    minLength: 1,
    maxLength: 60,
  });
  fc.assert(
    fc.property(anyNumber, anyAmounts, (rule, amounts) => {
      const kept = lived(rule, amounts).days.map(({ status }) => status === 'done' || status === 'rule');
      expect(kept).toEqual(oracle(rule, amounts));
    }),
    { numRuns: Number(process.env['RUNS'] ?? 1000) },
  );
});

// Values of Loop Habit Tracker's own tests (iSoron/uhabits, ScoreListTest.kt, GPL-3.0: figures only), the newest day first.
describe("strength is Loop's", () => {
  const newest = (rule: HabitRule, chars: readonly Amount[]): number[] => lived(rule, chars).strengths.toReversed();
  const times = (count: number, amount: Amount): Amount[] => Array.from({ length: count }, () => amount);
  const close = (values: readonly number[], table: readonly number[]): void =>
    table.forEach((value, index) => expect(values[index]).toBeCloseTo(value, 5));

  const DAILY = [
    0.655747, 0.636894, 0.617008, 0.596033, 0.57391, 0.550574, 0.525961, 0.5, 0.472617, 0.443734, 0.41327, 0.381137,
    0.347244, 0.311495, 0.273788, 0.234017, 0.192067, 0.14782, 0.101149, 0.051922,
  ];
  const done: [string, HabitRule, number][] = [
    ['yes or no', yesNo(1, 1), 0],
    ['at least 2', number('at_least', 2), 2],
  ];

  test.each(done)('%s, each of 20 days', (_name, rule, amount) => {
    close(newest(rule, times(20, amount)), DAILY);
  });

  test.each(done)('%s, with days skipped', (_name, rule, amount) => {
    const days = [...times(8, amount), 's', 's', ...times(4, amount), 's', ...times(5, amount)] as Amount[];
    close(
      newest(rule, days),
      [
        0.596033, 0.57391, 0.550574, 0.525961, 0.5, 0.472617, 0.472617, 0.443734, 0.41327, 0.381137, 0.347244, 0.347244,
        0.347244, 0.311495, 0.273788, 0.234017, 0.192067, 0.14782, 0.101149, 0.051922,
      ],
    );
  });

  test('6 in 7 days, with days skipped: those are as if they never were', () => {
    const days = [...times(5, 0), 's', 's', 's', ...times(10, 0)] as Amount[];
    close(
      newest(yesNo(6, 7), days),
      [
        0.365222, 0.3331, 0.299354, 0.263899, 0.226651, 0.191734, 0.159268, 0.129375, 0.102187, 0.077839, 0.056477,
        0.056477, 0.056477, 0.056477, 0.038251, 0.023319, 0.011848, 0.004014,
      ],
    );
  });

  test('half of an amount each day comes to half, and more than enough is enough', () => {
    expect(lived(number('at_least', 2), times(500, 1)).strengths.at(-1)).toBeCloseTo(0.5, 5);
    expect(lived(number('at_least', 2), [10_000]).strengths.at(-1)).toBeCloseTo(0.051922, 5);
    expect(lived(number('at_least', 2, 2), [2, 2]).strengths.at(-1)).toBeCloseTo(0.072631, 5);
  });

  test('3 in 7 days with one missing each week comes to two thirds', () => {
    const week: Amount[] = [null, null, null, null, null, 0, 0];
    const weeks = Array.from({ length: 100 }, () => week).flat();
    expect(lived(yesNo(3, 7), weeks).strengths.at(-1)).toBeCloseTo(2 / 3, 5);
  });
});

test('a habit lived before it was written down counts from its first day', () => {
  const entries = entriesFrom([10, null, null, 10]);
  expect(firstDay('2026-10-08', entries)).toBe(FIRST);
});
