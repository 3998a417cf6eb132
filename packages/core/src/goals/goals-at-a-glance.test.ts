import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import type { Store } from '@cairn/sync/store.ts';
import { countedReads } from '@cairn/testing/counted-reads.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { goalPage, goals } from './queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const PIA = uuid(1);
const GOAL = uuid(2);
const HABIT = uuid(3);
const TODAY = '2026-11-21';
const day = (back: number): string => addDays(TODAY, -back);

type SampleCheckIn = { back: number; value: number | null; progress: number | null };
type SampleGoal = {
  metric: string | null;
  endedBack: number | null;
  readings: readonly SampleCheckIn[];
  reached: readonly (number | null)[];
  paused: readonly number[];
  done: readonly number[];
};

const goalRow = ({ metric, endedBack }: SampleGoal) => ({
  id: GOAL,
  user_id: PIA,
  area: 'mindfulness-focus' as const,
  title: 'Walk the coast',
  state: endedBack === null ? ('active' as const) : ('achieved' as const),
  started_on: day(900),
  ended_on: endedBack === null ? null : day(endedBack),
  metric,
  baseline: metric === null ? null : 0,
  target: metric === null ? null : 100,
});

/** A goal as it was kept; days are counted back from today. */
function kept(life: SampleGoal): Store {
  const own = { user_id: PIA, goal_id: GOAL };
  const rows: MemoryRows = {
    goals: [goalRow(life)],
    goal_check_ins: life.readings.map(({ back, value, progress }, n) => ({
      ...own,
      id: uuid(100 + n),
      day: day(back),
      at: `${day(back)}T08:00:00.000Z`,
      value,
      progress,
    })),
    goal_milestones: life.reached.map((back, n) => ({
      ...own,
      id: uuid(2000 + n),
      title: `Part ${n}`,
      position: n,
      done_on: back === null ? null : day(back),
    })),
    goal_pauses: life.paused.map((from, n) => ({
      ...own,
      id: uuid(3000 + n),
      from_day: day(from + 9),
      until_day: day(from),
    })),
    goal_links: [{ ...own, id: uuid(4), kind: 'habit', item_id: HABIT }],
    habit_entries: life.done.map((back, n) => ({
      id: uuid(5000 + n),
      user_id: PIA,
      habit_id: HABIT,
      day: day(back),
      value: 'done',
    })),
  };
  return memoryStore(rows, PIA);
}

const back = fc.nat(90);
const anyGoal: fc.Arbitrary<SampleGoal> = fc.record({
  metric: fc.constantFrom(null, 'Distance'),
  endedBack: fc.option(fc.nat(40)),
  readings: fc.uniqueArray(fc.record({ back, value: fc.option(fc.nat(100)), progress: fc.option(fc.nat(100)) }), {
    maxLength: 8,
    selector: each => each.back,
  }),
  reached: fc.array(fc.option(back), { maxLength: 2 }),
  paused: fc.array(back, { maxLength: 2 }),
  done: fc.uniqueArray(back, { maxLength: 4 }),
});

test('a glance at a goal tells the same as its page, though it reads only the last weeks', async () => {
  await fc.assert(
    fc.asyncProperty(anyGoal, async life => {
      const store = kept(life);
      const [glance] = await store.read(goals(TODAY));
      if (!glance) throw new Error('no goal');
      expect(await store.read(goalPage(GOAL, TODAY))).toMatchObject(glance);
    }),
    { numRuns: 300 },
  );
});

test('of five years of words a week a glance reads those of four weeks', async () => {
  const weekly = Array.from({ length: 261 }, (_, week) => ({ back: week * 7, value: 300 - week, progress: null }));
  const daily = Array.from({ length: 1826 }, (_, each) => each);
  const plain = { metric: 'Distance', endedBack: null, readings: weekly, reached: [], paused: [], done: daily };
  const { store, rows } = countedReads(kept(plain));
  await store.read(goals(TODAY));
  expect(rows).toMatchObject({ goals: 1, goal_check_ins: 5, habit_entries: 29 });
});
