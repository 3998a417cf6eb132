import { beforeEach, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { changeActionItem } from './change-action-item.ts';
import { createActionItem } from './create-action-item.ts';
import { dismissRecurrence, makeMeasure } from './decide-recurrence.ts';
import { actionItem } from './queries.ts';
import { proposalsAmong, RECURRENCE_TABLES, recurrencesAt } from './recurrence-queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organizationId, me, measureId] = [uuid(1), uuid(2), uuid(30)];
const at = new Date().toISOString();
let store: Store;

async function happens(n: number): Promise<void> {
  await store.write('create', async tx => {
    await createActionItem(tx, { id: uuid(n), organizationId, playbookId: null, title: `Oil ${n}`, by: me });
    await changeActionItem(tx, { id: uuid(n), changes: { rootCause: 'Oil on the floor' }, by: me, at });
  });
}

const proposals = () =>
  store.read({
    key: 'proposals',
    tables: RECURRENCE_TABLES,
    read: async tx => proposalsAmong(tx, await tx.all('action_items'), at),
  });
async function onlyProposal() {
  const [proposal] = await proposals();
  if (!proposal) throw new Error('nothing is proposed');
  return proposal;
}
const recurring = async (n: number) => {
  const opened = await store.read(actionItem(uuid(n)));
  if (!opened) throw new Error(`no action item ${n}`);
  return store.read(recurrencesAt(opened.item, at, true));
};
const dismiss = async (reason: string) => {
  const recurrence = await onlyProposal();
  await store.write('dismiss', tx =>
    dismissRecurrence(tx, { id: uuid(20), organizationId, recurrence, reason, by: me, at }),
  );
};

beforeEach(async () => {
  store = memoryStore({}, me);
  for (const n of [11, 12, 13]) await happens(n);
});

test('a reason dismisses what recurs; its sources say so; one time more proposes it again, with all of them', async () => {
  await dismiss('The floor is renewed in May');
  expect(await proposals()).toEqual([]);
  expect((await recurring(11)).decisions).toMatchObject([{ decision: { reason: 'The floor is renewed in May' } }]);
  await happens(14);
  expect((await onlyProposal()).items).toHaveLength(4);
});

test('without a reason nothing is dismissed', async () => {
  await expect(dismiss('  ')).rejects.toThrow(Failure);
  expect(await proposals()).toHaveLength(1);
});

test('a measure is a corrective action that leads to its sources, and they to it; it is no time that it went wrong', async () => {
  const recurrence = await onlyProposal();
  const action = { id: measureId, playbookId: null, title: 'Change the training: oil' };
  const measure = { id: uuid(21), organizationId, recurrence, changes: 'training', action, by: me, at } as const;
  await store.write('measure', tx => makeMeasure(tx, measure));
  expect(await proposals()).toEqual([]);
  expect((await recurring(12)).decisions).toMatchObject([{ measure: { id: measureId, kind: 'corrective' } }]);
  expect((await recurring(30)).answers.map(({ id }) => id).toSorted()).toEqual([11, 12, 13].map(uuid));
  await store.write('cause', tx =>
    changeActionItem(tx, { id: measureId, changes: { rootCause: 'Oil on the floor' }, by: me, at }),
  );
  expect(await proposals()).toEqual([]);
});

test('what was a duplicate or not valid did not happen', async () => {
  await store.write('end', tx => tx.change('action_items', uuid(11), { status: 'not_valid' }));
  expect(await proposals()).toEqual([]);
});
