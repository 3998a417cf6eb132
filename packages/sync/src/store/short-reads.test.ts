import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newId } from '@cairn/base/id.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openChanges } from './changes.ts';
import { openDatabase } from './database.ts';
import { healthOf } from './health.ts';
import { openStore } from './local-store.ts';
import { conflictsOf, outboxOf, statusOf } from '../outbox/overview.ts';
import { collectBackup } from '../recovery/snapshot-contents.ts';

/** Transactions that read, and those of them that were ended before an answer was there. */
let [begun, ended]: [number, number] = [0, 0];
const undo: (() => void)[] = [];

beforeEach(() => {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
    const tx = transaction.apply(this, given);
    if (tx.mode !== 'readonly') return tx;
    begun += 1;
    let isAnswered = false;
    const commit = tx.commit.bind(tx);
    tx.addEventListener('complete', () => (isAnswered = true));
    tx.commit = () => {
      if (!isAnswered) ended += 1;
      commit();
    };
    return tx;
  };
  undo.push(() => (IDBDatabase.prototype.transaction = transaction));
});
afterEach(() => {
  for (const each of undo.splice(0)) each();
});

async function device() {
  const [db, owner] = [await openDatabase(newId()), newId()];
  const { clock, openChannel } = virtualPlatform();
  const store = openStore({ db, owner, device: 'device', clock, changes: openChanges(openChannel('test'), owner) });
  return { db, owner, store };
}

test('who counts and copies what waits says with the question that this is all: a save does not wait for its page', async () => {
  const place = await device();
  const { db, owner } = place;
  [begun, ended] = [0, 0];
  await statusOf(place);
  await outboxOf(place, new Map());
  await conflictsOf(place);
  await healthOf(place);
  await collectBackup(db, owner, newId());
  expect([begun, ended]).toEqual([5, 5]);
});

test('an answer made anew from a changed row asks once and ends', async () => {
  const { store } = await device();
  const id = newId();
  const seen: string[] = [];
  const titleOf = (row: { title: string } | undefined) => row?.title ?? 'none';
  const stop = store.watch(
    {
      key: 'test/one',
      tables: ['action_items'],
      read: async tx => titleOf(await tx.get('action_items', id)),
      renew: async (_before, _changed, tx) => titleOf(await tx.get('action_items', id)),
    },
    answer => seen.push(answer),
    error => {
      throw error;
    },
  );
  await expect.poll(() => seen).toEqual(['none']);
  [begun, ended] = [0, 0];
  await store.write('test', tx => tx.put('action_items', { id, organization_id: newId(), title: 'Loose rail' }));
  await expect.poll(() => seen).toEqual(['none', 'Loose rail']);
  expect([begun, ended]).toEqual([1, 1]);
  stop();
});
