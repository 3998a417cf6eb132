import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { mayMove } from './action-status.ts';
import { changeActionItem, type ActionItemChanges } from './change-action-item.ts';
import { createActionItem } from './create-action-item.ts';
import { actionFields, actionValues, changeActionForNow, takeActionBack, type ActionChange } from './take-back.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [id, organizationId, me, other] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const at = '2026-11-21T09:00:00.000Z';

async function begun(): Promise<Store> {
  const store = memoryStore({}, me);
  await store.write('create', tx =>
    createActionItem(tx, { id, organizationId, playbookId: null, title: 'Chain', by: me }),
  );
  return store;
}
const change = (store: Store, changes: ActionItemChanges) =>
  store.write('change', tx => changeActionForNow(tx, { id, changes, by: me, at }));
const edit = (store: Store, changes: ActionItemChanges) =>
  store.write('edit', tx => changeActionItem(tx, { id, changes, by: other, at }));
const undo = (store: Store, made: ActionChange) => store.write('undo', tx => takeActionBack(tx, made, { by: me, at }));
async function now(store: Store) {
  const row = await store.read({ key: 'item', tables: ['action_items'], read: tx => tx.get('action_items', id) });
  if (!row) throw new Error('the action item is gone');
  return actionValues(row);
}

/** Few values of each, so that two people often choose the same. */
const changes: fc.Arbitrary<ActionItemChanges> = fc.record(
  {
    title: fc.constantFrom('Chain', 'Mast', 'Horn'),
    description: fc.constantFrom(null, 'Worn', 'Loose'),
    dueAt: fc.constantFrom(null, '2026-12-01T22:59:59.000Z', '2026-12-02T22:59:59.000Z'),
    assigneeId: fc.constantFrom(null, me, other),
    priority: fc.constantFrom('low', 'medium', 'high'),
    status: fc.constantFrom('in_progress', 'ready_for_verification', 'needs_revision', 'duplicate', 'closed'),
    kind: fc.constantFrom(null, 'corrective', 'preventive'),
    rootCause: fc.constantFrom(null, 'Age', 'Load'),
    checkOn: fc.constantFrom(null, '2027-01-10'),
  },
  { requiredKeys: [] },
);

/** The change without a move its state does not allow. */
async function allowed(store: Store, { status, ...rest }: ActionItemChanges): Promise<ActionItemChanges> {
  return status !== undefined && mayMove((await now(store)).status, status) ? { ...rest, status } : rest;
}

test('an undo takes back what still is as the change left it, leaves everything else as it is, and names it', async () => {
  await fc.assert(
    fc.asyncProperty(changes, changes, changes, async (first, mine, since) => {
      const store = await begun();
      await edit(store, await allowed(store, first));
      const before = await now(store);
      const made = await change(store, await allowed(store, mine));
      const after = await now(store);
      await edit(store, await allowed(store, since));
      const edited = await now(store);
      const left = await undo(store, made);
      const last = await now(store);
      for (const field of actionFields) {
        const isMine = before[field] !== after[field] && edited[field] === after[field];
        const mayLeave = field !== 'status' || mayMove(edited.status, before.status);
        expect([field, last[field]]).toEqual([field, isMine && mayLeave ? before[field] : edited[field]]);
        const stays = before[field] !== after[field] && edited[field] !== before[field] && !(isMine && mayLeave);
        expect([field, left.includes(field)]).toEqual([field, stays]);
      }
    }),
    { numRuns: 300 },
  );
});

test('giving it to somebody is taken back together with the state that followed from it', async () => {
  const store = await begun();
  const made = await change(store, { assigneeId: other });
  expect((await now(store)).status).toBe('assigned');
  expect(await undo(store, made)).toEqual([]);
  expect(await now(store)).toMatchObject({ assigneeId: null, status: 'open' });
});

test('a colleague’s date stays when the title goes back; the same moment written in another way is no change', async () => {
  const store = await begun();
  const made = await change(store, { title: 'Mast', dueAt: '2026-12-01T22:59:59.000Z' });
  await edit(store, { dueAt: '2026-12-01T22:59:59+00:00' });
  expect(await undo(store, made)).toEqual([]);
  expect(await now(store)).toMatchObject({ title: 'Chain', dueAt: null });
  const again = await change(store, { title: 'Mast', dueAt: '2026-12-01T22:59:59.000Z' });
  await edit(store, { dueAt: '2026-12-03T22:59:59.000Z' });
  expect(await undo(store, again)).toEqual(['dueAt']);
  expect(await now(store)).toMatchObject({ title: 'Chain', dueAt: '2026-12-03T22:59:59.000Z' });
});
