import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changeTask, createTask, type TaskChanges } from './save-task.ts';
import { changeTaskForNow, takeBack, taskFields, valuesOf, type TaskChange } from './take-back.ts';
import { mayMove } from './task-status.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [id, organizationId, me, other] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const at = '2026-11-21T09:00:00.000Z';
const mine = { by: me, manages: true, at };

async function begun(): Promise<Store> {
  const store = memoryStore({}, me);
  await store.write('create', tx =>
    createTask(tx, { id, organizationId, playbookId: null, title: 'Call', by: me, at }),
  );
  return store;
}
const change = (store: Store, changes: TaskChanges) =>
  store.write('change', tx => changeTaskForNow(tx, { id, changes, ...mine }));
const edit = (store: Store, changes: TaskChanges) =>
  store.write('edit', tx => changeTask(tx, { id, changes, by: other, manages: true, at }));
const undo = (store: Store, made: TaskChange) => store.write('undo', tx => takeBack(tx, made, mine));
const now = async (store: Store): Promise<TaskChanges> => {
  const row = await store.read({ key: 'task', tables: ['tasks'], read: tx => tx.get('tasks', id) });
  if (!row) throw new Error('the task is gone');
  return valuesOf(row, taskFields);
};

/** Few values of each, so that two people often choose the same. */
const changes: fc.Arbitrary<TaskChanges> = fc.record(
  {
    title: fc.constantFrom('Call', 'Write', 'Meet'),
    notes: fc.constantFrom(null, 'Twice', 'Soon'),
    status: fc.constantFrom('in_progress', 'done', 'cancelled'),
    priority: fc.constantFrom('none', 'low', 'high'),
    due: fc.constantFrom(
      null,
      { day: '2026-12-01', time: null, zone: 'UTC' },
      { day: '2026-12-01', time: '09:00', zone: 'UTC' },
    ),
    startDay: fc.constantFrom(null, '2026-11-25'),
    assigneeId: fc.constantFrom(null, me, other),
    watcherIds: fc.constantFrom([], [me], [me, other]),
    labels: fc.constantFrom([], ['a'], ['a', 'b']),
    estimateMinutes: fc.constantFrom(null, 10, 20),
    evidenceRequired: fc.constant(false),
  },
  { requiredKeys: [] },
);

const allowed = (from: TaskChanges, { status, ...rest }: TaskChanges): TaskChanges =>
  status !== undefined && from.status !== undefined && mayMove(from.status, status) ? { ...rest, status } : rest;

test('an undo takes back what still is as the change left it, leaves everything else as it is, and names it', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, changes, async (first, mineNow, since) => {
      const store = await begun();
      await edit(store, allowed(await now(store), first));
      const before = await now(store);
      const made = await change(store, allowed(before, mineNow));
      const after = await now(store);
      await edit(store, allowed(after, since));
      const edited = await now(store);
      const left = await undo(store, made);
      const last = await now(store);
      for (const field of taskFields) {
        const [was, gave, there, end] = [before, after, edited, last].map(each => JSON.stringify(each[field] ?? null));
        const isMine = was !== gave && there === gave;
        const mayLeave = field !== 'status' || mayMove(edited.status ?? 'todo', before.status ?? 'todo');
        expect([field, end]).toEqual([field, isMine && mayLeave ? was : there]);
        expect([field, left.includes(field)]).toEqual([field, was !== gave && there !== was && !(isMine && mayLeave)]);
      }
    }),
    { numRuns: 300 },
  );
});

test('a due date goes back as a whole: another time of it alone is somebody else’s', async () => {
  const store = await begun();
  const made = await change(store, { due: { day: '2026-12-01', time: null, zone: 'UTC' }, title: 'Write' });
  await edit(store, { due: { day: '2026-12-01', time: '09:00', zone: 'UTC' } });
  expect(await undo(store, made)).toEqual(['due']);
  expect(await now(store)).toMatchObject({ title: 'Call', due: { day: '2026-12-01', time: '09:00' } });
});

test('a state with its reason goes back as one; a second undo changes nothing', async () => {
  const store = await begun();
  const made = await change(store, { status: 'in_progress' });
  await edit(store, { status: 'blocked', reason: 'No parts' });
  expect(await undo(store, made)).toEqual(['status']);
  await edit(store, { status: 'in_progress' });
  expect(await undo(store, made)).toEqual([]);
  expect(await now(store)).toMatchObject({ status: 'todo' });
  expect(await undo(store, made)).toEqual([]);
  expect(await now(store)).toMatchObject({ status: 'todo' });
});

test('a state that needs a reason comes back with the one it had', async () => {
  const store = await begun();
  await edit(store, { status: 'blocked', reason: 'No parts' });
  const made = await change(store, { status: 'in_progress' });
  expect(await undo(store, made)).toEqual([]);
  expect(await now(store)).toMatchObject({ status: 'blocked', reason: 'No parts' });
});
