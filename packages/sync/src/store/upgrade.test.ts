import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import fc from 'fast-check';
import { openDB } from 'idb';
import { afterEach, describe, expect, test } from 'vitest';
import { RECORD_STORES } from './database-schema.ts';
import { openDatabase } from './database.ts';
import { ownerRange } from './read-tx.ts';
import { keyAt } from './record-key.ts';

const PERSON = '00000000-0000-4000-8000-0000000000b1';
const add = IDBObjectStore.prototype.add;
const put = IDBObjectStore.prototype.put;
afterEach(() => {
  IDBObjectStore.prototype.add = add;
  IDBObjectStore.prototype.put = put;
});

type OldRecord = { title: string; queued: ('insert' | 'update' | 'delete')[]; dirty: boolean };

/** A device as version 1 left it. */
async function firstVersion(records: readonly OldRecord[], withQueue: boolean): Promise<string> {
  const name = newId();
  const db = await openDB(name, 1, {
    upgrade(made) {
      for (const store of RECORD_STORES) made.createObjectStore(store, { keyPath: 'id' });
      if (withQueue) made.createObjectStore('sync_queue', { autoIncrement: true });
    },
  });
  const fields = { lastSync: 5, syncPriority: 2, isDirty: false };
  await db.put('users', { ...fields, id: 'current_user', type: 'user', data: { id: PERSON } });
  for (const [n, { title, dirty, queued }] of records.entries()) {
    const id = actionId(n + 1);
    await db.put('tasks', { ...fields, id, type: 'action_items', data: { id, title }, isDirty: dirty });
    if (!withQueue || !dirty) continue;
    for (const [at, operation] of queued.entries()) {
      const data = operation === 'delete' ? {} : { title: `${title} ${at}` };
      const entry = { operation, dataType: 'action_items', dataId: id, data, priority: 2, timestamp: n * 100 + at };
      await db.add('sync_queue', { ...entry, retryCount: 1 });
    }
  }
  db.close();
  return name;
}

async function contents(name: string) {
  const db = await openDatabase(name);
  const tx = await db.transaction(['tasks', 'sync_queue'], 'readonly');
  const records = await tx.objectStore('tasks').getAll();
  const entries = await tx.objectStore('sync_queue').index('order').getAll(ownerRange(PERSON));
  db.close();
  return { records, entries };
}

async function oldContents(name: string) {
  const db = await openDB(name);
  const version = db.version;
  const records: unknown[] = version === 1 ? await db.getAll('tasks') : [];
  const entries: unknown[] = db.objectStoreNames.contains('sync_queue') ? await db.getAll('sync_queue') : [];
  db.close();
  return { version, records, entries };
}

/** The process dies at the n-th thing the upgrade lays down: its transaction ends with it. */
function dieAt(n: number): void {
  let left = n;
  const dying = <A extends unknown[]>(real: (this: IDBObjectStore, ...given: A) => IDBRequest<IDBValidKey>) =>
    function (this: IDBObjectStore, ...given: A) {
      left -= 1;
      if (left === 0) this.transaction.abort();
      return real.apply(this, given);
    };
  IDBObjectStore.prototype.add = dying(add);
  IDBObjectStore.prototype.put = dying(put);
}

const old: fc.Arbitrary<OldRecord> = fc.record({
  title: fc.string({ maxLength: 8 }),
  dirty: fc.boolean(),
  queued: fc.array(fc.constantFrom('insert' as const, 'update' as const, 'delete' as const), { maxLength: 3 }),
});

describe('I11 a device of version 1', () => {
  test(
    'comes over with everything that waits, in its order, under its person',
    async () => {
      const property = fc.asyncProperty(fc.array(old, { maxLength: 6 }), fc.boolean(), async (records, withQueue) => {
        const name = await firstVersion(records, withQueue);
        const { records: now, entries } = await contents(name);
        expect(now.map(({ id }) => id)).toEqual(records.map((_record, n) => actionId(n + 1)));
        const wanted = records.flatMap(({ dirty, queued, title }, n) => {
          if (!dirty) return [];
          if (!withQueue || queued.length === 0) return [[actionId(n + 1), 'insert', { title }]];
          return queued.map((operation, at) => [
            actionId(n + 1),
            operation,
            operation === 'delete' ? {} : { title: `${title} ${at}` },
          ]);
        });
        expect(entries.map(({ dataId, operation, data }) => [dataId, operation, data])).toEqual(wanted);
        expect(now.map(({ isDirty }) => isDirty)).toEqual(records.map(({ dirty }) => dirty));
      });
      await holds('upgrade', 40, property);
    },
    HISTORIES_TIMEOUT,
  );

  test(
    'killed at any point of the upgrade it is still version 1, whole; the next start brings it over',
    async () => {
      const property = fc.asyncProperty(
        fc.array(old, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 12 }),
        async (records, n) => {
          const name = await firstVersion(records, true);
          const before = await oldContents(name);
          dieAt(n);
          const outcome = await openDatabase(name).then(
            db => (db.close(), 'upgraded'),
            () => 'died',
          );
          IDBObjectStore.prototype.add = add;
          IDBObjectStore.prototype.put = put;
          const left = outcome === 'died' ? await oldContents(name) : before;
          expect(left).toEqual(before);
          const { records: now } = await contents(name);
          expect(now).toHaveLength(records.length);
        },
      );
      await holds('upgrade-killed', 40, property);
    },
    HISTORIES_TIMEOUT,
  );

  test('records of kinds this app has no table for are kept as they were', async () => {
    const name = await firstVersion([], false);
    const db = await openDB(name, 1);
    await db.put('tasks', {
      id: 't1',
      type: 'task',
      data: { title: 'kept' },
      lastSync: 1,
      isDirty: true,
      syncPriority: 2,
    });
    db.close();
    const held = await openDatabase(name);
    const tx = await held.transaction(['tasks'], 'readonly');
    expect(await tx.objectStore('tasks').get(keyAt(PERSON, 'task', 't1'))).toMatchObject({
      data: { title: 'kept' },
      isDirty: true,
    });
    held.close();
  });
});
