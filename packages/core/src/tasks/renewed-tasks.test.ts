import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Draft } from '@cairn/schema';
import type { Query, Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { openTasks } from './queries.ts';
import { taskStatuses } from './task-status.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [HERE, ELSEWHERE, ME] = [uuid(1), uuid(2), uuid(3)];
const space = { organizationId: HERE, playbookId: null };

const anyTask: fc.Arbitrary<Draft<'tasks'>> = fc.record({
  id: fc.nat(30).map(n => uuid(100 + n)),
  organization_id: fc.constantFrom(HERE, HERE, HERE, ELSEWHERE),
  title: fc.constantFrom('Oil', 'Grease'),
  status: fc.constantFrom(...taskStatuses),
  // Few moments, so that many tasks are due at the same.
  due_at: fc.constantFrom(null, '2026-11-21T09:00:00.000Z', '2026-11-21T10:00:00+01:00', '2026-12-01T00:00:00.000Z'),
  deleted_at: fc.constantFrom(null, null, null, '2026-11-20T00:00:00.000Z'),
});

const put = (store: Store, rows: readonly Draft<'tasks'>[]) =>
  store.write('put', async tx => {
    for (const row of rows) await tx.put('tasks', row);
  });

function renewed<A>(store: Store, query: Query<A>, before: A, ids: readonly string[]): Promise<A | null> {
  const changed = new Map([['tasks', new Set(ids)]]);
  return store.read({ ...query, read: async tx => (await query.renew?.(before, changed, tx)) ?? null });
}

test('a list of open tasks that is renewed is the one that is read', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyTask, { maxLength: 40 }), fc.array(anyTask, { maxLength: 6 }), async (had, come) => {
      const store = memoryStore({}, ME);
      const query = openTasks(space);
      await put(store, had);
      const before = await store.read(query);
      await put(store, come);
      const after = await renewed(
        store,
        query,
        before,
        come.map(({ id }) => id),
      );
      expect(after).toEqual(await store.read(query));
    }),
  );
});

test('what did not change stays the very same, so that nothing is drawn anew for it', async () => {
  const store = memoryStore({}, ME);
  const query = openTasks(space);
  const task = (n: number) => ({ id: uuid(n), organization_id: HERE, title: `Task ${n}`, status: 'todo' as const });
  await put(store, [task(10), task(11)]);
  const before = await store.read(query);
  await put(store, [{ ...task(11), title: 'Other' }]);
  const after = await renewed(store, query, before, [uuid(11)]);
  expect(after?.[0]).toBe(before[0]);
  expect(after?.map(({ title }) => title)).toEqual(['Task 10', 'Other']);
});
