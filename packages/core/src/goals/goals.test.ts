import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { goalsCsv } from './export-goals.ts';
import { moves } from './goal.ts';
import { checkGoal, linkGoal, reachMilestone, saveMilestone, takeNextStep, type GoalAnswers } from './goal-steps.ts';
import { momentum } from './momentum.ts';
import { progressOf, weeklyPace } from './progress.ts';
import { asksToday, goalFigures, goalPage, goals, goalsToExport } from './queries.ts';
import { goalProblem, moveGoal, removeGoal, reviseGoal, saveGoal, type GoalFields } from './save-goal.ts';
import { smart, SMART, type GoalText } from './smart.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const PIA = uuid(1);
const GOAL = uuid(2);
const TODAY = '2026-11-21';
const AT = '2026-11-21T08:00:00.000Z';
const COAST: GoalFields = {
  area: 'health-wellness-foundation',
  title: ' Walk the coast path ',
  why: 'To see the sea',
  metric: 'Distance',
  unit: 'km',
  baseline: 0,
  target: 180,
  dueOn: '2027-06-30',
  difficulty: 'steady',
};
const NOTHING: GoalAnswers = { value: null, progress: null, confidence: null, obstacle: '', nextStep: '' };

async function begun(fields = COAST, rows: MemoryRows = {}) {
  const store = memoryStore(rows, PIA);
  await store.write('save', tx => saveGoal(tx, { id: GOAL, userId: PIA, fields }));
  await store.write('begin', tx => moveGoal(tx, { id: GOAL, to: 'active', today: TODAY }));
  return store;
}
type Store = Awaited<ReturnType<typeof begun>>;
const check = (store: Store, n: number, day: string, answers: Partial<GoalAnswers>) =>
  store.write('check', tx =>
    checkGoal(tx, { id: uuid(n), goalId: GOAL, day, at: AT, answers: { ...NOTHING, ...answers } }),
  );
const page = async (store: Store, today = TODAY) => {
  const found = await store.read(goalPage(GOAL, today));
  if (!found) throw new Error('the goal is gone');
  return found;
};

const measure = (baseline: number, target: number) => ({ metric: 'm', unit: '', baseline, target });
const reading = (value: number | null, progress: number | null = null) => ({ day: TODAY, value, progress });

test.each([
  ['nothing was said yet: where it began', measure(0, 180), [], 0],
  ['112 of 180 km', measure(0, 180), [reading(50), reading(112)], 112 / 180],
  ['a word without a number keeps the number before it', measure(0, 180), [reading(112), reading(null)], 112 / 180],
  ['down from 80 to 70', measure(80, 70), [reading(78)], 0.2],
  ['never below nothing', measure(80, 70), [reading(90)], 0],
  ['never above all', measure(0, 10), [reading(12)], 1],
])('progress by metric: %s', (_name, of, words, part) => {
  expect(progressOf(of, [{ done_on: null }], words)?.part).toBeCloseTo(part, 6);
});

test('without a metric milestones say how far it is, without those the last guess, and else nothing', () => {
  const plain = { metric: null, unit: null, baseline: null, target: null };
  expect(progressOf(plain, [{ done_on: TODAY }, { done_on: null }], [reading(null, 90)])).toEqual({
    by: 'milestones',
    part: 0.5,
    done: 1,
    all: 2,
  });
  expect(progressOf(plain, [], [reading(null, 40), reading(null)])).toEqual({ by: 'guess', part: 0.4 });
  expect(progressOf(plain, [], [reading(null)])).toBeNull();
});

test('the pace asked for is what is left by the weeks that are left, at least one', () => {
  const of = { ...measure(0, 180), due_on: '2026-12-19' };
  expect(weeklyPace(of, 100, TODAY)).toBe(20);
  expect(weeklyPace({ ...of, due_on: '2026-11-22' }, 170, TODAY)).toBe(10);
  expect(weeklyPace({ ...of, due_on: TODAY }, 100, TODAY)).toBeNull();
});

const moved = (acts: readonly number[], pauses: readonly [number, number | null][] = [], age = 100) =>
  momentum({
    acts: acts.map(back => addDays(TODAY, -back)),
    pauses: pauses.map(([from, until]) => ({
      from_day: addDays(TODAY, -from),
      until_day: until === null ? null : addDays(TODAY, -until),
    })),
    startedOn: addDays(TODAY, -age),
    today: TODAY,
  }).weeks.map(Number);

// Worked by hand: weeks are days 0–6, 7–13, 14–20, 21–27 back; the oldest stands first.
test.each([
  ['nothing done', moved([]), [0, 0, 0, 0]],
  ['one act a week', moved([0, 13, 14, 27]), [1, 1, 1, 1]],
  ['an act before the four weeks', moved([28]), [0, 0, 0, 0]],
  ['a goal of three days', moved([1], [], 2), [1]],
  ['begun today, nothing done', moved([], [], 0), [0]],
  ['two weeks of pause are left out', moved([20, 27], [[13, 0]]), [0, 0, 1, 1]],
  ['a pause that goes on', moved([10], [[8, null]]), [0, 0, 0, 1]],
])('momentum: %s', (_name, weeks, expected) => {
  expect(weeks).toEqual(expected);
});

test('a pause never takes momentum away: the weeks before it stay as they were', () => {
  const days = fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 });
  fc.assert(
    fc.property(days, fc.integer({ min: 1, max: 90 }), (acts, length) => {
      const later = acts.map(back => back + length);
      expect(moved(later, [[length - 1, 0]], 400 - length)).toEqual(moved(acts, [], 400 - length));
    }),
  );
});

const WORDS: GoalText = { ...COAST, title: 'Walk the coast path', milestones: 0 };

test('the guide asks for what a sentence lacks, in order, and is content with a whole one', () => {
  expect(smart(WORDS, TODAY)).toMatchObject({ next: null, vague: null });
  const asked = (part: Partial<GoalText>) => smart({ ...WORDS, ...part }, TODAY).next;
  expect(asked({ title: 'Walk' })).toBe('specific');
  expect(asked({ metric: '' })).toBe('measurable');
  expect(asked({ target: 0 })).toBe('measurable');
  expect(asked({ difficulty: null })).toBe('achievable');
  expect(asked({ why: ' ' })).toBe('relevant');
  expect(asked({ dueOn: TODAY })).toBe('timeBound');
  expect(asked({ metric: '', milestones: 2 })).toBeNull();
});

test.each(['Get fitter this winter', 'Be better at chess', 'Ich will gesünder leben'])(
  '“%s” names a direction and no place until something is counted',
  title => {
    expect(smart({ ...WORDS, title, metric: '', milestones: 1 }, TODAY).next).toBe('specific');
    expect(smart({ ...WORDS, title }, TODAY).met.specific).toBe(true);
  },
);

test('a word inside another is no direction', () => {
  expect(smart({ ...WORDS, title: 'Go on a moreish tour', metric: '', milestones: 1 }, TODAY).vague).toBeNull();
  expect(SMART).toHaveLength(5);
});

test('a goal needs words, and a metric two different ends', async () => {
  expect(goalProblem(COAST)).toBeNull();
  expect(goalProblem({ ...COAST, title: ' ' })).toBe('titleNeeded');
  expect(goalProblem({ ...COAST, target: 0 })).toBe('numbersNeeded');
  expect(goalProblem({ ...COAST, target: Number.POSITIVE_INFINITY })).toBe('numbersNeeded');
  const store = memoryStore({}, PIA);
  const saving = store.write('save', tx => saveGoal(tx, { id: GOAL, userId: PIA, fields: { ...COAST, title: '' } }));
  await expect(saving).rejects.toMatchObject({ code: 'invalid' });
});

test('a goal is a draft until it begins, and goes only where its state leads', async () => {
  const store = memoryStore({}, PIA);
  await store.write('save', tx => saveGoal(tx, { id: GOAL, userId: PIA, fields: COAST }));
  expect((await page(store)).goal).toMatchObject({ state: 'draft', title: 'Walk the coast path', started_on: null });
  for (const to of ['paused', 'achieved', 'revised'] as const) {
    const moving = store.write('move', tx => moveGoal(tx, { id: GOAL, to, today: TODAY }));
    await expect(moving).rejects.toMatchObject({ code: 'stale_version' });
  }
  await store.write('move', tx => moveGoal(tx, { id: GOAL, to: 'active', today: TODAY }));
  await store.write('move', tx =>
    moveGoal(tx, { id: GOAL, to: 'achieved', today: TODAY, learned: ' Feet carry far ' }),
  );
  expect((await page(store)).goal).toMatchObject({ state: 'achieved', ended_on: TODAY, learned: 'Feet carry far' });
  expect(moves.achieved).toEqual([]);
  await expect(check(store, 30, TODAY, { value: 5 })).rejects.toMatchObject({ code: 'stale_version' });
});

test('what was said, reached and linked moves a goal', async () => {
  const store = await begun();
  await check(store, 10, '2026-11-20', { value: 112, confidence: 4, nextStep: ' Book the train ' });
  const linking = { goalId: GOAL, kind: 'habit' as const, itemId: uuid(20) };
  await store.write('link', async tx => {
    const often = { user_id: PIA, name: 'Walk', started_on: '2026-11-01', times: 1, per_days: 1 };
    await tx.put('habits', { id: uuid(20), ...often });
    await linkGoal(tx, { ...linking, linked: true });
    await linkGoal(tx, { ...linking, linked: true });
  });
  const found = await page(store);
  expect(found.progress).toMatchObject({ by: 'metric', value: 112 });
  expect(found.habits.map(({ name }) => name)).toEqual(['Walk']);
  expect(found.checkIns[0]).toMatchObject({ next_step: 'Book the train', obstacle: null, progress: null });
  await store.write('link', tx => linkGoal(tx, { ...linking, linked: false }));
  expect((await page(store)).habits).toEqual([]);
  await expect(check(store, 11, TODAY, {})).rejects.toMatchObject({ code: 'invalid' });
  await expect(check(store, 11, TODAY, { confidence: 6 })).rejects.toMatchObject({ code: 'invalid' });
});

test('a next step that was said becomes an action item of one’s own space once, tied to the goal', async () => {
  const privateSpace = { id: uuid(40), name: 'Home', slug: 'home', kind: 'private' as const, created_by: PIA };
  const store = await begun(COAST, { organizations: [privateSpace] });
  const take = (n: number) => store.write('take', tx => takeNextStep(tx, uuid(n)));
  await check(store, 30, TODAY, { nextStep: 'Book the train' });
  await check(store, 31, TODAY, { progress: null, obstacle: 'Sore feet' });
  await take(30);
  await take(30);
  expect((await page(store)).actions).toMatchObject([
    { title: 'Book the train', organization_id: uuid(40), assignee_id: PIA, status: 'assigned' },
  ]);
  await expect(take(31)).rejects.toMatchObject({ code: 'invalid' });
});

test('R2.42 Active Goals counts those that run, Progress Rate is the mean of those that say how far they are', async () => {
  const store = await begun();
  await check(store, 10, TODAY, { value: 90 });
  const plain = { ...COAST, title: 'Read twelve books', metric: '' };
  for (const [n, to] of [
    [40, 'active'],
    [41, 'active'],
    [42, null],
  ] as const) {
    await store.write('save', tx => saveGoal(tx, { id: uuid(n), userId: PIA, fields: plain }));
    if (to) await store.write('move', tx => moveGoal(tx, { id: uuid(n), to, today: TODAY }));
  }
  expect(goalFigures(await store.read(goals(TODAY)))).toEqual({ active: 3, rate: { mean: 0.5, n: 1 } });
  for (const [n, title] of [
    [50, 'First six'],
    [51, 'Last six'],
  ] as const) {
    await store.write('m', tx => saveMilestone(tx, { id: uuid(n), goalId: uuid(40), title, dueOn: null, position: n }));
  }
  await store.write('reach', tx => reachMilestone(tx, uuid(50), TODAY));
  await store.write('reach', tx => reachMilestone(tx, uuid(51), TODAY));
  expect(goalFigures(await store.read(goals(TODAY)))).toEqual({ active: 3, rate: { mean: 0.75, n: 2 } });
});

test('a paused goal asks nothing and keeps its momentum; the pause ends the day before it goes on', async () => {
  const store = await begun();
  const move = (to: 'active' | 'paused', today: string) =>
    store.write('move', tx => moveGoal(tx, { id: GOAL, to, today }));
  expect(asksToday(await page(store, '2026-11-27'), '2026-11-27')).toBe(false);
  expect(asksToday(await page(store, '2026-11-28'), '2026-11-28')).toBe(true);
  await move('paused', '2026-11-28');
  expect(asksToday(await page(store, '2026-12-20'), '2026-12-20')).toBe(false);
  await move('active', '2026-12-20');
  const pauses = await store.read({
    key: 'pauses',
    tables: ['goal_pauses'],
    read: tx => tx.range('goal_pauses', 'goal', GOAL, GOAL),
  });
  expect(pauses).toMatchObject([{ from_day: '2026-11-28', until_day: '2026-12-19' }]);
});

test('a revised goal keeps its story and hands on what is still open', async () => {
  const store = await begun();
  for (const [n, title] of [
    [50, 'The first half'],
    [51, 'The second half'],
  ] as const) {
    await store.write('m', tx => saveMilestone(tx, { id: uuid(n), goalId: GOAL, title, dueOn: null, position: n }));
  }
  await store.write('reach', tx => reachMilestone(tx, uuid(50), TODAY));
  const fields = { ...COAST, target: 120 };
  await store.write('revise', tx =>
    reviseGoal(tx, { id: GOAL, newId: uuid(3), fields, today: TODAY, learned: 'Too far' }),
  );
  const old = await page(store);
  expect(old.goal).toMatchObject({ state: 'revised', learned: 'Too far', target: 180 });
  expect(old.after?.id).toBe(uuid(3));
  const fresh = await store.read(goalPage(uuid(3), TODAY));
  expect(fresh?.goal).toMatchObject({ state: 'active', target: 120, follows_id: GOAL });
  expect(fresh?.milestones.map(({ title }) => title)).toEqual(['The second half']);
});

test('a goal that is deleted takes its rows along and leaves what was linked', async () => {
  const store = await begun();
  await check(store, 10, TODAY, { value: 5 });
  await store.write('m', tx => saveMilestone(tx, { id: uuid(50), goalId: GOAL, title: 'x', dueOn: null, position: 0 }));
  expect(
    goalsCsv(await store.read(goalsToExport))
      .trim()
      .split('\n'),
  ).toHaveLength(4);
  await store.write('remove', tx => removeGoal(tx, GOAL));
  const left = await store.read({
    key: 'left',
    tables: ['goals', 'goal_milestones', 'goal_check_ins'],
    read: async tx =>
      [...(await tx.all('goals')), ...(await tx.all('goal_milestones')), ...(await tx.all('goal_check_ins'))].filter(
        row => row.deleted_at === null,
      ),
  });
  expect(left).toEqual([]);
});
