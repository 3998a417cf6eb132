import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { addDays } from '@cairn/base/local-day.ts';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { reminders } from '../notifications/reminders.ts';
import { today } from '../today/queries.ts';
import { endedTasks, openedTask, openTasks, tasksBetween } from './queries.ts';
import { changeFollowing, createSeries, endSeries } from './save-series.ts';
import { type CreateTask, changeTask, createTask, removeTask, type TaskChanges } from './save-task.ts';
import { nextDates } from '../occurrences/next-dates.ts';
import { addStep, tickStep } from './steps.ts';
import { everyTask, filtered, nextOfSeries, readFilter } from './task-filter.ts';
import { dueFields } from './task-due.ts';
import {
  isEnded,
  mayChangeSteps,
  mayEnd,
  mayNameReviewer,
  mayMove,
  maySetDue,
  mayTick,
  missingForDone,
  taskStatuses,
  transitions,
} from './task-status.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [id, organizationId, me, other] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const at = '2026-11-21T09:00:00.000Z';
const space = { organizationId, playbookId: null };
let store: Store;

const create = (more: Partial<CreateTask> = {}) =>
  store.write('create', tx =>
    createTask(tx, { id, organizationId, playbookId: null, title: ' Call the vendor ', by: me, at, ...more }),
  );
const change = (changes: TaskChanges, task = id) =>
  store.write('change', tx => changeTask(tx, { id: task, changes, by: me, manages: false, at }));
const task = async (which = id) => (await store.read(openedTask(which)))?.task;
const step = (more: { id: string; required: boolean }) =>
  store.write('step', tx => addStep(tx, { taskId: id, title: 'Find the number', by: me, ...more }));

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error.code;
  throw new Error(`expected a Failure, got ${String(error)}`);
}

beforeEach(() => {
  store = memoryStore({}, me);
});

describe('a task', () => {
  test('needs a title, at the start and later', async () => {
    expect(await refusal(create({ title: '  ' }))).toBe('invalid');
    await create();
    expect(await refusal(change({ title: ' ' }))).toBe('invalid');
    expect(await task()).toMatchObject({ title: 'Call the vendor', status: 'todo', priority: 'none' });
  });

  test('says who ended it and when; reopening takes that back', async () => {
    await create();
    await change({ status: 'done' });
    expect(await task()).toMatchObject({ status: 'done', ended_at: at, ended_by: me });
    await change({ status: 'reopened' });
    expect(await task()).toMatchObject({ status: 'reopened', ended_at: null, ended_by: null });
  });

  test('that is blocked or does not apply says why, and no longer once it goes on', async () => {
    await create();
    expect(await refusal(change({ status: 'blocked' }))).toBe('invalid');
    await change({ status: 'blocked', reason: ' No key ' });
    expect(await task()).toMatchObject({ status: 'blocked', status_reason: 'No key' });
    await change({ status: 'in_progress' });
    expect((await task())?.status_reason).toBeNull();
  });

  test('makes no move its state does not allow', async () => {
    await create();
    await change({ status: 'done' });
    expect(await refusal(change({ status: 'in_progress' }))).toBe('stale_version');
    await store.write('remove', tx => removeTask(tx, id));
    expect(await refusal(change({ title: 'x' }))).toBe('not_found');
  });

  test("with a reviewer is ended by them alone, in whatever way; its day is its maker's too", async () => {
    await create();
    await change({ reviewerId: other });
    expect(await refusal(change({ status: 'not_applicable', reason: 'x' }))).toBe('not_allowed');
    expect(await refusal(change({ status: 'cancelled' }))).toBe('not_allowed');
    await change({ due: { day: '2026-12-01', time: null, zone: 'UTC' } });
    expect(maySetDue({ reviewer_id: other, created_by: other }, me, false)).toBe(false);
    expect(mayEnd({ reviewer_id: other }, other, false)).toBe(true);
  });

  test('keeps its reviewer once work has begun, but for who reviews or manages', async () => {
    await create();
    await change({ reviewerId: other });
    await change({ reviewerId: me });
    await change({ reviewerId: other });
    await change({ status: 'in_progress' });
    expect(await refusal(change({ reviewerId: null }))).toBe('not_allowed');
    const task = { status: 'in_progress', reviewer_id: other, created_by: me } as const;
    expect([me, other].map(by => mayNameReviewer(task, by, false))).toEqual([false, false]);
    expect(mayNameReviewer(task, me, true)).toBe(true);
    expect(mayNameReviewer({ ...task, status: 'todo' }, me, false)).toBe(true);
    expect(mayNameReviewer({ ...task, reviewer_id: null }, me, false)).toBe(true);
  });

  test('is not done while evidence, a step or its reviewer is missing', async () => {
    await create();
    await change({ evidenceRequired: true, reviewerId: other });
    await step({ id: uuid(20), required: true });
    await step({ id: uuid(21), required: false });
    const opened = await store.read(openedTask(id));
    const asks = opened && missingForDone(opened.task, opened.steps, { by: me, manages: false });
    expect(asks).toEqual(['evidence', 'steps', 'review']);
    expect(await refusal(change({ status: 'done' }))).toBe('invalid');
    await change({ reviewerId: null });
    await store.write('file', tx => tx.change('tasks', id, { media_ids: [uuid(30)] }));
    expect(await refusal(change({ status: 'done' }))).toBe('invalid');
    await store.write('tick', tx => tickStep(tx, { id: uuid(20), done: true, by: me, at }));
    await change({ status: 'done' });
    expect(await task()).toMatchObject({ status: 'done' });
  });

  test('keeps labels clean: each once, without blanks', async () => {
    await create({ labels: [' Shop', 'shop', '', 'fire '] });
    expect((await task())?.labels).toEqual(['Shop', 'fire']);
  });
});

test('from every state an end can be reached, and every end can be opened again', () => {
  for (const from of taskStatuses) {
    const seen = new Set([from]);
    for (const state of seen) for (const next of transitions[state]) seen.add(next);
    expect(seen.has('done')).toBe(true);
    expect(!isEnded(from) || mayMove(from, 'reopened')).toBe(true);
  }
});

test.each([
  ['2026-11-24', '09:00', 'Europe/Berlin', '2026-11-24T08:00:00.000Z'],
  ['2026-11-24', null, 'Europe/Berlin', '2026-11-24T22:59:59.000Z'],
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-10-25', '02:30', 'Europe/Berlin', '2026-10-25T01:30:00.000Z'],
])('%s %s in %s is %s, as the server has it', (day, time, zone, instant) => {
  expect(dueFields({ day, time, zone }).due_at).toBe(instant);
});

describe('what is read', () => {
  const due = (day: string) => ({ day, time: null, zone: 'UTC' });

  test('open ones have the earliest due first, those without a date last; ended ones the last first', async () => {
    await create({ title: 'no date' });
    await create({ id: uuid(5), title: 'later', due: due('2026-11-25') });
    await create({ id: uuid(6), title: 'first', due: due('2026-11-22') });
    await create({ id: uuid(7), title: 'elsewhere', organizationId: uuid(99) });
    await create({ id: uuid(8), title: 'done', status: 'done' });
    expect((await store.read(openTasks(space))).map(row => row.title)).toEqual(['first', 'later', 'no date']);
    expect((await store.read(endedTasks(space, 9))).map(row => row.title)).toEqual(['done']);
    const between = await store.read(tasksBetween(space, '2026-11-22', '2026-11-24'));
    expect(between.map(row => row.title)).toEqual(['first']);
  });

  test('my day has what is mine and what I made and nobody has, late ones ahead', async () => {
    await create({ title: 'mine later', assigneeId: me, due: due('2026-11-30') });
    await create({ id: uuid(5), title: 'unassigned today', due: due('2026-11-21') });
    await create({ id: uuid(6), title: 'late', assigneeId: me, due: due('2026-11-19') });
    await create({ id: uuid(7), title: "somebody else's", assigneeId: other, due: due('2026-11-21') });
    const day = await store.read(today({ space, userId: me, endOfDay: '2026-11-21T23:59:59.999Z' }));
    expect(day.items.map(({ title }) => title)).toEqual(['late', 'unassigned today']);
    expect(day.later.map(({ title }) => title)).toEqual(['mine later']);
  });

  test('a device reminds of them by itself: at nine of their day or an hour before, and when they are late', async () => {
    await create({ assigneeId: me, due: due('2027-01-15') });
    await create({ id: uuid(5), assigneeId: me, due: { day: '2027-01-16', time: '09:00', zone: 'UTC' } });
    const all = await store.read(reminders(me));
    expect(all.map(each => [each.type, new Date(each.at).toISOString()])).toEqual([
      ['task.due_soon', '2027-01-15T08:59:59.000Z'],
      ['task.overdue', '2027-01-15T23:59:59.000Z'],
      ['task.due_soon', '2027-01-16T08:00:00.000Z'],
      ['task.overdue', '2027-01-16T09:00:00.000Z'],
    ]);
  });

  test('filters take what they say, and a saved one is read again as it was', async () => {
    await create({ title: 'Gloves', assigneeId: me, priority: 'high', labels: ['shop'], due: due('2026-11-21') });
    await create({ id: uuid(5), title: 'Oil', notes: 'for gloves and pumps', assigneeId: other });
    await create({ id: uuid(6), title: 'Paint', due: due('2026-11-19'), status: 'blocked', statusReason: 'x' });
    const rows = await store.read(openTasks(space));
    const looking = { userId: me, today: '2026-11-21', now: at };
    const titles = (part: object) => filtered(rows, { ...everyTask, ...part }, looking).map(row => row.title);
    expect(titles({ text: 'GLOVES' })).toEqual(['Gloves', 'Oil']);
    expect(titles({ who: 'mine' })).toEqual(['Paint', 'Gloves']);
    expect(titles({ who: 'nobody' })).toEqual(['Paint']);
    expect(titles({ who: other })).toEqual(['Oil']);
    expect(titles({ when: 'overdue' })).toEqual(['Paint']);
    expect(titles({ when: 'today' })).toEqual(['Gloves']);
    expect(titles({ when: 'none' })).toEqual(['Oil']);
    expect(titles({ statuses: ['blocked'] })).toEqual(['Paint']);
    expect(titles({ labels: ['shop'] })).toEqual(['Gloves']);
    expect(titles({ sort: 'priority' })[0]).toBe('Gloves');
    const kept = { ...everyTask, who: 'mine', when: 'week' as const, labels: ['shop'] };
    expect(readFilter(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
    expect(readFilter('nonsense')).toEqual(everyTask);
  });
});

test('steps of an ended task are its reviewer’s; a tick that was asked for is taken back by whoever opens it again', () => {
  const task = { status: 'done', reviewer_id: other, created_by: me } as const;
  expect(mayChangeSteps({ ...task, status: 'todo' }, me, false)).toBe(true);
  expect(mayChangeSteps(task, me, false)).toBe(false);
  expect(mayChangeSteps(task, other, false)).toBe(true);
  expect(mayChangeSteps(task, me, true)).toBe(true);
  expect(mayChangeSteps({ ...task, reviewer_id: null }, me, false)).toBe(true);
  const who = { by: me, manages: false };
  expect(mayTick(task, { required: true, done_at: at }, who)).toBe(true);
  expect(mayTick(task, { required: false, done_at: at }, who)).toBe(false);
  expect(mayTick(task, { required: true, done_at: null }, who)).toBe(false);
});

describe('a series', () => {
  const series = (more: object = {}) =>
    store.write('series', tx =>
      createSeries(tx, {
        id,
        organizationId,
        playbookId: null,
        title: 'Round',
        recurrence: 'FREQ=WEEKLY;BYDAY=MO',
        startDay: '2026-12-21',
        time: '09:00',
        zone: 'Europe/Berlin',
        by: me,
        at,
        ...more,
      }),
    );
  const days = async () => (await store.read(openTasks(space))).map(row => row.occurs_on);

  test('has its next tasks on the device at once, across New Year, with the ids the server gives them', async () => {
    await series();
    const rows = await store.read(openTasks(space));
    expect(rows.map(row => row.occurs_on)).toEqual(['2026-12-21', '2026-12-28', '2027-01-04', '2027-01-11']);
    for (const row of rows) expect(row.id).toBe(derivedId(id, `occurrence/${row.occurs_on}`));
    expect(rows[0]).toMatchObject({ due_at: '2026-12-21T08:00:00.000Z', series_id: id, title: 'Round' });
  });

  test('is refused with a rule that cannot be read, or that has no day left', async () => {
    expect(await refusal(series({ recurrence: 'FREQ=HOURLY' }))).toBe('invalid');
    expect(await refusal(series({ recurrence: 'FREQ=DAILY;UNTIL=20260101', startDay: '2025-01-01' }))).toBe('invalid');
  });

  test('that counts from completion has one task, and the next once that is done', async () => {
    await series({ recurrence: 'FREQ=DAILY;INTERVAL=10', startDay: '2026-11-22', basedOn: 'completed' });
    const [first] = await store.read(openTasks(space));
    expect(await days()).toEqual(['2026-11-22']);
    await change({ status: 'done' }, first?.id);
    expect(await days()).toEqual(['2026-12-01']);
  });

  test('changed from one day on keeps what was before, and goes on from there', async () => {
    await series();
    const changes = { title: 'Longer round', recurrence: 'FREQ=WEEKLY;BYDAY=TU', time: null };
    await store.write('following', tx =>
      changeFollowing(tx, { seriesId: id, from: '2027-01-04', newId: uuid(50), changes, by: me, at }),
    );
    const rows = await store.read(openTasks(space));
    expect(rows.map(row => [row.occurs_on, row.title])).toEqual([
      ['2026-12-21', 'Round'],
      ['2026-12-28', 'Round'],
      ['2027-01-05', 'Longer round'],
      ['2027-01-12', 'Longer round'],
      ['2027-01-19', 'Longer round'],
      ['2027-01-26', 'Longer round'],
    ]);
    await store.write('end', tx => endSeries(tx, uuid(50), '2027-01-12'));
    expect((await days()).length).toBe(3);
  });

  test('of so many times has that many in all, changed from one day on or not', async () => {
    await series({ recurrence: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4' });
    const changes = { title: 'Longer round', recurrence: 'FREQ=WEEKLY;BYDAY=MO;COUNT=4' };
    await store.write('following', tx =>
      changeFollowing(tx, { seriesId: id, from: '2027-01-04', newId: uuid(50), changes, by: me, at }),
    );
    expect(await days()).toEqual(['2026-12-21', '2026-12-28', '2027-01-04', '2027-01-11']);
  });

  test('what follows keeps reviewer, evidence and steps, or has all of it as one task has it', async () => {
    const first = [
      { title: 'Look', required: true },
      { title: 'Note', required: false },
    ];
    await series({ reviewerId: other, evidenceRequired: true, estimateMinutes: 20, steps: first });
    const following = (newId: string, from: string, likeTaskId: string | null = null) =>
      store.write('following', tx =>
        changeFollowing(tx, { seriesId: id, from, newId, changes: {}, likeTaskId, by: me, at }),
      );
    const begins = async (seriesId: string) => {
      const [task] = (await store.read(openTasks(space))).filter(row => row.series_id === seriesId);
      const key = { key: 'steps', tables: ['task_items' as const] };
      const steps = await store.read({
        ...key,
        read: tx => tx.range('task_items', 'task', `${task?.id}/`, `${task?.id}/\uffff`),
      });
      const { reviewer_id: reviewer, evidence_required: evidence, estimate_minutes: minutes } = task ?? {};
      const ids = steps.map(step => step.id);
      expect(ids).toEqual(steps.map(step => derivedId(task?.id ?? '', `step/${step.position}`)));
      return { reviewer, evidence, minutes, steps: steps.map(({ title, required }) => ({ title, required })) };
    };
    const asFirst = { reviewer: other, evidence: true, minutes: 20, steps: first };
    expect(await begins(id)).toEqual(asFirst);
    await following(uuid(50), '2027-01-04');
    expect(await begins(uuid(50))).toEqual(asFirst);

    const one = derivedId(id, 'occurrence/2026-12-28');
    await store.write('change', tx =>
      changeTask(tx, {
        id: one,
        changes: { reviewerId: null, evidenceRequired: false, estimateMinutes: 5 },
        by: me,
        manages: true,
        at,
      }),
    );
    await store.write('step', tx => addStep(tx, { id: uuid(61), taskId: one, title: 'Sign', required: true, by: me }));
    await following(uuid(51), '2026-12-28', one);
    expect(await begins(uuid(51))).toEqual({
      reviewer: null,
      evidence: false,
      minutes: 5,
      steps: [...first, { title: 'Sign', required: true }],
    });
  });

  test('is one line of a list, and all that is late', () => {
    const row = (day: string, status = 'todo') => ({ series_id: id, due_day: day, status }) as never;
    const all = ['2026-11-19', '2026-11-20', '2026-11-23', '2026-11-24'].map(day => row(day));
    expect(nextOfSeries(all, '2026-11-21').map((each: { due_day: string }) => each.due_day)).toEqual([
      '2026-11-19',
      '2026-11-20',
      '2026-11-23',
    ]);
  });

  test('shows days of its rule, in order, none twice, whatever rule and zone', () => {
    const rule = fc.record({
      recurrence: fc.constantFrom(
        'FREQ=DAILY',
        'FREQ=WEEKLY;BYDAY=MO,TH',
        'FREQ=MONTHLY;BYMONTHDAY=31',
        'FREQ=MONTHLY;BYDAY=-1FR',
      ),
      zone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Pacific/Auckland', 'UTC'),
      due_time: fc.constantFrom(null, '00:00', '02:30', '23:30'),
      start: fc.integer({ min: 0, max: 800 }),
    });
    fc.assert(
      fc.property(rule, ({ recurrence, zone, due_time, start }) => {
        const start_day = addDays('2026-01-01', start);
        const rows = nextDates({ id, recurrence, zone, due_time, start_day, based_on: 'scheduled' }, at, 6);
        expect(rows.map(({ day }) => day)).toEqual([...new Set(rows.map(({ day }) => day))].toSorted());
        for (const { day, dueAt } of rows) {
          expect(day >= start_day && Date.parse(dueAt) > Date.parse(at)).toBe(true);
        }
      }),
    );
  });
});
