import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { habitsCsv } from './export-habits.ts';
import { habitDays } from './habit-days.ts';
import type { HabitRule, PauseRange, DayEntry } from './habit.ts';
import { keepLoopHabit, readLoopExport } from './loop-import.ts';
import { allHabits, entriesBefore, habitHistory, habitsToExport, habitWeeks, habitYear } from './queries.ts';
import {
  endPause,
  entryId,
  habitProblem,
  pauseHabits,
  removeHabit,
  saveHabit,
  sayDay,
  type HabitFields,
} from './save-habit.ts';
import { nextStrength, strengths, streaks } from './strength.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const SAM = uuid(1);
const DAILY: HabitRule = { kind: 'yes_no', target: null, target_kind: 'at_least', times: 1, per_days: 1 };
const rule = (times: number, per_days: number): HabitRule => ({ ...DAILY, times, per_days });
const NO_PAUSE: PauseRange[] = [];

const FIRST = '2026-11-01';
/** One letter a day from 1 November: x done, n no, s skip, . nothing said. */
const entriesOf = (chars: string): DayEntry[] =>
  Array.from(chars).flatMap((char, index) => {
    const value = ({ x: 'done', n: 'no', s: 'skip' } as const)[char];
    return value ? [{ day: addDays(FIRST, index), value, amount: null }] : [];
  });
const daysOf = (chars: string, of = DAILY, pauses = NO_PAUSE) =>
  habitDays({ rule: of, entries: entriesOf(chars), pauses, from: FIRST, to: addDays(FIRST, chars.length - 1) });
const drawn = (chars: string, of: HabitRule, pauses = NO_PAUSE) =>
  daysOf(chars, of, pauses)
    .map(({ status }) => ({ done: 'x', rule: 'r', missed: 'm', skip: 's', no: 'n', unknown: '.' })[status])
    .join('');

// Worked by hand from Loop's published rule: stretches of m days from an act, with n acts in them, slid back until they touch.
test.each([
  ['once a week', rule(1, 7), 'x......', 'xrrrrrr'],
  ['once a week, the week is over', rule(1, 7), 'x.......', 'xrrrrrr.'],
  ['3 in 7', rule(3, 7), 'x.x.x..', 'xrxrxrr'],
  ['3 in 7, not enough', rule(3, 7), 'x.x....', 'x.x....'],
  ['a no inside a stretch is covered', rule(1, 3), 'xn..', 'xrr.'],
  ['a skip stays a skip and takes no day from a stretch', rule(1, 3), 'xs...', 'xsrr.'],
  ['an older stretch slides back to where the newer begins', rule(1, 3), '...x.x.', '..rxrxr'],
])('done by rule: %s', (_name, of, chars, expected) => {
  expect(drawn(chars, of)).toBe(expected);
});

test('done by rule: in 30 days means the month an act lies in', () => {
  const days = habitDays({
    rule: rule(1, 30),
    entries: [{ day: '2026-02-01', value: 'done', amount: null }],
    pauses: [],
    from: '2026-02-01',
    to: '2026-03-02',
  });
  expect(days.filter(({ status }) => status === 'rule').at(-1)?.day).toBe('2026-02-28');
});

test('paused days are skipped, unless something was done on them', () => {
  const pauses = [{ from_day: '2026-11-02', until_day: '2026-11-04' }];
  expect(drawn('x.x.x', DAILY, pauses)).toBe('xsxsx');
  expect(drawn('x...', DAILY, [{ from_day: '2026-11-03', until_day: null }])).toBe('x.ss');
});

// m = 0.5^(√f / 13): a daily habit keeps 0.948079 of its strength a day.
test('strength follows the published formula: worked tables', () => {
  expect(nextStrength(1, 0, 1)).toBeCloseTo(0.051922, 5);
  expect(nextStrength(1, 1, 0)).toBeCloseTo(0.948078, 5);
  const values = strengths(DAILY, daysOf('xxx..s.'));
  const table = [0.051922, 0.101148, 0.147818, 0.140143, 0.132866, 0.132866, 0.125967];
  values.forEach((value, index) => expect(value).toBeCloseTo(table[index] ?? Number.NaN, 4));
});

test('strength of a daily habit is one half after 13 days without a miss, and half of it is left 13 days later', () => {
  const values = strengths(DAILY, daysOf('x'.repeat(13) + '.'.repeat(13)));
  expect(values[12]).toBeCloseTo(0.5, 10);
  expect(values[25]).toBeCloseTo(0.25, 10);
});

test('a habit of 3 in 7 days counts a doubled window, so that other days of the week cost nothing', () => {
  const week = 'x.x.x..';
  const values = strengths(rule(3, 7), daysOf(week.repeat(20), rule(3, 7)));
  expect(values.at(-1)).toBeGreaterThan(0.9);
  const moved = strengths(rule(3, 7), daysOf('..xxx..'.repeat(20), rule(3, 7)));
  expect(moved.at(-1)).toBeCloseTo(values.at(-1) ?? 0, 1);
});

test('numbers: at least fills up to its target over its days, at most begins whole and falls with what is too much', () => {
  const km: HabitRule = { kind: 'number', target: 10, target_kind: 'at_least', times: 1, per_days: 7 };
  const ran = (amounts: (number | null)[]) =>
    amounts.map((amount, index) => ({
      day: addDays(FIRST, index),
      status: amount === null ? ('unknown' as const) : ('done' as const),
      amount,
    }));
  const [first] = strengths(km, ran([5]));
  expect(first).toBeCloseTo(nextStrength(1 / 7, 0, 0.5), 10);
  const coffee: HabitRule = { ...km, target: 2, target_kind: 'at_most', per_days: 1 };
  const [kept, over] = strengths(coffee, ran([2, 3]));
  expect(kept).toBe(1);
  expect(over).toBeCloseTo(nextStrength(1, 1, 0.5), 10);
});

test('a streak passes over skipped and paused days, breaks at a miss, and today may still be open', () => {
  expect(streaks(DAILY, daysOf('xxsx.'))).toEqual({ present: 3, longest: 3 });
  expect(streaks(DAILY, daysOf('xxx.x'))).toEqual({ present: 1, longest: 3 });
  expect(streaks(DAILY, daysOf('xxxn'))).toEqual({ present: 0, longest: 3 });
  const sick = [{ from_day: '2026-11-03', until_day: '2026-11-05' }];
  expect(streaks(DAILY, daysOf('xx...x', DAILY, sick))).toEqual({ present: 3, longest: 3 });
});

test('back-filling a day gives the same as having said it that day, in any order', () => {
  const char = fc.constantFrom('x', 'n', 's', '.');
  const range = fc.tuple(fc.nat(40), fc.nat(6));
  fc.assert(
    fc.property(
      fc.array(char, { minLength: 1, maxLength: 60 }),
      fc.array(range, { maxLength: 3 }),
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 4, max: 10 }),
      (chars, ranges, times, perDays) => {
        const of = rule(times, perDays);
        const pauses = ranges.map(([start, length]) => ({
          from_day: addDays(FIRST, start),
          until_day: addDays(FIRST, start + length),
        }));
        const request = { rule: of, pauses, from: FIRST, to: addDays(FIRST, chars.length - 1) };
        const straight = habitDays({ ...request, entries: entriesOf(chars.join('')) });
        const shuffled = habitDays({ ...request, entries: entriesOf(chars.join('')).toReversed() });
        expect(shuffled).toEqual(straight);
        const values = strengths(of, straight);
        expect(values.every(value => value >= 0 && value <= 1)).toBe(true);
        const still = straight.flatMap(({ status }, index) => (status === 'skip' ? [index] : []));
        expect(still.map(index => values[index])).toEqual(still.map(index => (index === 0 ? 0 : values[index - 1])));
      },
    ),
  );
});

const FIELDS: HabitFields = {
  name: 'Walk',
  question: '',
  kind: 'yes_no',
  unit: '',
  target: null,
  targetKind: 'at_least',
  times: 3,
  perDays: 7,
  remindAt: null,
};

async function withHabit(fields: HabitFields = FIELDS) {
  const store = memoryStore();
  await store.write('save', tx => saveHabit(tx, { id: uuid(9), userId: SAM, fields, startedOn: FIRST, position: 0 }));
  const say = (day: string, value: 'done' | 'no' | 'skip' | 'unknown', amount: number | null = null) =>
    store.write('say', tx => sayDay(tx, { userId: SAM, habitId: uuid(9), day, value, amount }));
  return { store, say };
}

async function historyIn(store: Store, id: string, today: string) {
  const year = await store.read(habitYear(id, today));
  return year && habitHistory(year, await store.read(entriesBefore(id, year.readFrom)), today);
}

test('two devices that tick one day make one entry; a tick can be taken back', async () => {
  const { store, say } = await withHabit();
  await say('2026-11-21', 'done');
  await say('2026-11-21', 'unknown');
  expect(await store.read(habitWeeks('2026-11-21', 7))).toMatchObject([{ days: { length: 7 } }]);
  const [exported] = await store.read(habitsToExport);
  expect(exported?.entries.map(({ id }) => id)).toEqual([entryId(uuid(9), '2026-11-21')]);
});

test('the week of a habit on Today is the end of its history, rules reaching back included', async () => {
  const { store, say } = await withHabit();
  for (const day of ['2026-11-10', '2026-11-12', '2026-11-13']) await say(day, 'done');
  const [week] = await store.read(habitWeeks('2026-11-16', 3));
  const history = await historyIn(store, uuid(9), '2026-11-16');
  expect(week?.days).toEqual(history?.days.slice(-3));
  expect(week?.days.map(({ status }) => status)).toEqual(['rule', 'rule', 'rule']);
});

test('a pause of all habits reaches each of them and can be ended', async () => {
  const { store } = await withHabit();
  const pause = {
    id: uuid(20),
    userId: SAM,
    habitId: null,
    fromDay: '2026-11-02',
    untilDay: null,
    reason: 'sick',
  } as const;
  await store.write('pause', tx => pauseHabits(tx, pause));
  await store.write('end', tx => endPause(tx, uuid(20), '2026-11-03'));
  const history = await historyIn(store, uuid(9), '2026-11-04');
  expect(history?.days.map(({ status }) => status)).toEqual(['unknown', 'skip', 'skip', 'unknown']);
  const backwards = { ...pause, id: uuid(21), untilDay: '2026-11-01' };
  await expect(store.write('pause', tx => pauseHabits(tx, backwards))).rejects.toMatchObject({ code: 'invalid' });
});

test.each([
  ['nameNeeded', { name: ' ' }],
  ['targetNeeded', { kind: 'number' as const }],
  ['tooOften', { times: 8 }],
  ['tooOften', { perDays: 0 }],
])('a habit with %s is not saved', (problem, part) => {
  expect(habitProblem({ ...FIELDS, ...part })).toBe(problem);
});

test('a deleted habit takes its days along', async () => {
  const { store, say } = await withHabit();
  await say('2026-11-21', 'done');
  await store.write('remove', tx => removeHabit(tx, uuid(9)));
  expect(await store.read(habitsToExport)).toEqual([]);
});

const HABITS_CSV = `Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,Target Value,Archived?
001,"Walk, outside",YES_NO,Did you walk?,,3,7,#FF8F00,,,,false
002,Water,NUMERICAL,How much?,,1,1,#000000,glasses,AT_LEAST,8.0,true
`;
const CHECKMARKS = `Date,"Walk, outside",Water,
2026-11-03,YES_MANUAL,7500,
2026-11-02,YES_AUTO,SKIP,
2026-11-01,SKIP,UNKNOWN,
`;

test('the CSV export of Loop comes over: names, targets, frequency, done, skipped and amounts; what it reckoned does not', async () => {
  const zip = zipSync({ 'Habits.csv': strToU8(HABITS_CSV), 'Checkmarks.csv': strToU8(CHECKMARKS) });
  const [walk, water] = readLoopExport(zip.buffer);
  expect(walk).toMatchObject({
    fields: { name: 'Walk, outside', question: 'Did you walk?', times: 3, perDays: 7 },
    entries: [
      { day: '2026-11-03', value: 'done' },
      { day: '2026-11-01', value: 'skip' },
    ],
  });
  expect(water).toMatchObject({
    isArchived: true,
    fields: { kind: 'number', unit: 'glasses', target: 8 },
    entries: [
      { day: '2026-11-03', value: 'done', amount: 7.5 },
      { day: '2026-11-02', value: 'skip', amount: null },
    ],
  });
  const store = memoryStore();
  if (!walk || !water) throw new Error('no habit');
  const keep = { userId: SAM, today: '2026-11-21', at: '2026-11-21T08:00:00.000Z', position: 0 };
  await store.write('import', tx => keepLoopHabit(tx, { ...keep, id: uuid(30), habit: walk }));
  await store.write('import', tx => keepLoopHabit(tx, { ...keep, id: uuid(31), habit: water }));
  const archived = (await store.read(allHabits)).filter(habit => habit.archived_at !== null);
  expect(archived.map(({ name }) => name)).toEqual(['Water']);
  const history = await historyIn(store, uuid(30), '2026-11-03');
  expect(history?.days.map(({ status }) => status)).toEqual(['skip', 'unknown', 'done']);
  expect(habitsCsv(await store.read(habitsToExport)).split('\r\n')[1]).toContain('"Walk, outside",yes_no');
});

test('older exports of Loop write numbers for values', () => {
  const [habit] = readLoopExport(strToU8('Date,Read\n2020-01-02,2\n2020-01-01,0\n').buffer);
  expect(habit?.entries.map(({ value }) => value)).toEqual(['done', 'no']);
});

test.each(['', 'not a table', 'PK\u0003\u0004broken'])('a file that is no export of Loop is refused: %j', text => {
  expect(() => readLoopExport(strToU8(text).buffer)).toThrow(/readLoopExport/);
});
