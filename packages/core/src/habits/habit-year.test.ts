import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import type { TableName } from '@cairn/schema';
import type { Query, Store } from '@cairn/sync/store.ts';
import { countedReads } from '@cairn/testing/counted-reads.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { firstDay, habitDays } from './habit-days.ts';
import type { HabitEntry } from './habit.ts';
import { entriesBefore, habitHistory, habitsToExport, habitWeeks, habitYear } from './queries.ts';
import { entryId, pauseHabits, sayDay } from './save-habit.ts';
import { strengths, streaks } from './strength.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const PIA = uuid(1);
const HABIT = uuid(9);
const TODAY = '2026-11-21';

type SampleEntry = { back: number; value: 'done' | 'no' | 'skip' };
type Life = {
  times: number;
  perDays: number;
  startedBack: number;
  dayEntries: readonly SampleEntry[];
  pauses: [number, number][];
};

/** A habit as it was lived; days are counted back from today. */
function lived({ times, perDays, startedBack, dayEntries, pauses }: Life): Store {
  const day = (back: number) => addDays(TODAY, -back);
  const entries = new Map(dayEntries.map(({ back, value }) => [back, value]));
  return memoryStore(
    {
      habits: [
        { id: HABIT, user_id: PIA, name: 'Walk', started_on: day(startedBack), times, per_days: perDays, position: 0 },
      ],
      habit_entries: [...entries].map(([back, value]) => ({
        id: entryId(HABIT, day(back)),
        user_id: PIA,
        habit_id: HABIT,
        day: day(back),
        value,
      })),
      habit_pauses: pauses.map(([from, length], index) => ({
        id: uuid(100 + index),
        user_id: PIA,
        from_day: day(from),
        until_day: day(from - length),
      })),
    },
    PIA,
  );
}

/** What the screen shows, reckoned from all rows at once. */
async function wholeLife(store: Store) {
  const [found] = await store.read(habitsToExport);
  if (!found) throw new Error('no habit');
  const { habit, entries: dayEntries } = found;
  const pauses = await store.read({ key: 'p', tables: ['habit_pauses'], read: tx => tx.all('habit_pauses') });
  const days = habitDays({
    rule: habit,
    entries: dayEntries,
    pauses,
    from: firstDay(habit.started_on, dayEntries),
    to: TODAY,
  });
  return { days, strength: strengths(habit, days).at(-1) ?? 0, streaks: streaks(habit, days) };
}

const anyLife: fc.Arbitrary<Life> = fc
  .record({
    perDays: fc.constantFrom(1, 2, 7, 10, 30, 31, 45),
    often: fc.integer({ min: 1, max: 31 }),
    startedBack: fc.integer({ min: 0, max: 90 }),
    dayEntries: fc.array(
      fc.record({
        back: fc.nat(120),
        value: fc.constantFrom('done', 'done', 'no', 'skip'),
      }) as fc.Arbitrary<SampleEntry>,
      { minLength: 1, maxLength: 60, size: 'max' },
    ),
    pauses: fc.array(fc.tuple(fc.nat(100), fc.nat(15)), { maxLength: 3 }),
  })
  .map(({ often, ...life }) => ({ ...life, times: Math.min(often, life.perDays) }));

test('the last days are the end of the whole history, and with what was said before them they give all of it', async () => {
  await fc.assert(
    fc.asyncProperty(anyLife, fc.integer({ min: 1, max: 60 }), async (life, length) => {
      const store = lived(life);
      const whole = await wholeLife(store);
      const year = await store.read(habitYear(HABIT, TODAY, length));
      if (!year) throw new Error('no habit');
      expect(year.days).toEqual(whole.days.slice(-length));
      const before = await store.read(entriesBefore(HABIT, year.readFrom));
      expect(habitHistory(year, before, TODAY)).toEqual(whole);
    }),
  );
});

/** Every change of one day, told by row or not: what `renew` says is what `read` says. */
async function renewed<A>(store: Store, query: Query<A>, before: A, table: TableName, id: string): Promise<A> {
  const changed = new Map([[table, new Set([id])]]);
  const again = await store.read({ ...query, read: async tx => query.renew?.(before, changed, tx) ?? null });
  return again ?? store.read(query);
}

test('what was said before the year is read anew only when one of its days changes', async () => {
  await fc.assert(
    fc.asyncProperty(anyLife, fc.nat(240), fc.constantFrom('done', 'no', null), async (life, which, value) => {
      const store = lived(life);
      // Half of the changes are to a day that was said already.
      const back = which > 120 ? (life.dayEntries[which % life.dayEntries.length]?.back ?? 0) : which;
      const query = entriesBefore(HABIT, addDays(TODAY, -40));
      const before = await store.read(query);
      const day = addDays(TODAY, -back);
      const id = entryId(HABIT, day);
      await store.write('change', async tx => {
        if (value === null) await tx.remove('habit_entries', id);
        else await sayDay(tx, { userId: PIA, habitId: HABIT, day, value, amount: null });
      });
      const days = (entries: readonly HabitEntry[]) => entries.map(each => [each.day, each.value]);
      const again = await renewed(store, query, before, 'habit_entries', id);
      expect(days(again)).toEqual(days(await store.read(query)));
      expect(again === before || back >= 40).toBe(true);
    }),
  );
});

const FIVE_YEARS = Array.from({ length: 1826 }, (_, back) => ({ back, value: 'done' as const }));
const DAILY: Life = { times: 3, perDays: 7, startedBack: 1825, dayEntries: FIVE_YEARS, pauses: [[30, 3]] };

test('of five years of days the year reads 365 and a month before it, where rules reach back to; the rest is read once', async () => {
  const { store, rows } = countedReads(lived(DAILY));
  const year = await store.read(habitYear(HABIT, TODAY));
  // The year, the month before it, and the very first day.
  expect(rows).toEqual({ habits: 1, habit_entries: 365 + 31 + 1, habit_pauses: 1 });
  const before = await store.read(entriesBefore(HABIT, year?.readFrom ?? ''));
  expect(before).toHaveLength(1826 - 365 - 31);
  expect(rows.habit_entries).toBe(1826 + 1);
});

test('a week of habits reads a week and the days a rule reaches back to', async () => {
  const { store, rows } = countedReads(lived(DAILY));
  await store.read(habitWeeks(TODAY, 7));
  expect(rows.habit_entries).toBe(7 + 7);
});

test('a pause that was made later reaches days of the year and before it', async () => {
  const store = lived({
    ...DAILY,
    dayEntries: FIVE_YEARS.filter(({ back }) => back !== 500 && back !== 20),
    perDays: 1,
    times: 1,
  });
  const shown = async () => {
    const year = await store.read(habitYear(HABIT, TODAY));
    return year && habitHistory(year, await store.read(entriesBefore(HABIT, year.readFrom)), TODAY).streaks;
  };
  expect(await shown()).toEqual({ present: 20, longest: 1825 - 500 });
  const pause = { id: uuid(50), userId: PIA, habitId: null, reason: 'sick' as const };
  const between = { fromDay: addDays(TODAY, -500), untilDay: addDays(TODAY, -20) };
  await store.write('pause', tx => pauseHabits(tx, { ...pause, ...between }));
  expect(await shown()).toEqual({ present: 1824, longest: 1824 });
});
