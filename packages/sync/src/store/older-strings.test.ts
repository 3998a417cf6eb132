import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { applied, opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { openDB } from 'idb';
import { afterEach, expect, test } from 'vitest';
import { openChanges } from './changes.ts';
import { RECORD_STORES, type CairnMobile } from './database-schema.ts';
import { allocateReserve } from './reserve-block.ts';
import { openDatabase, type LocalDatabase } from './database.ts';
import { openDevice } from '../device.ts';
import { openStore } from './local-store.ts';
import { renewAtOpening, renewOlder } from './older-strings.ts';
import type { StoredRecord } from './stored.ts';
import { olderStrings } from './string-start.ts';

const OWNER = '00000000-0000-4000-8000-0000000000b1';
/** The owner as earlier builds began their strings with. */
const SHORT = 'AAAAAAAAQACAAAAAAAAAsQ';
const ASSET = '00000000-0000-4000-8000-0000000000c1';
const ORGANIZATION = '00000000-0000-4000-8000-0000000000d1';
/** More than one transaction renews. */
const ACTIONS = 520;

const { put } = IDBObjectStore.prototype;
const { deleteDatabase } = IDBFactory.prototype;
afterEach(() => {
  IDBObjectStore.prototype.put = put;
  IDBFactory.prototype.deleteDatabase = deleteDatabase;
});

/** The storage takes nothing more. */
function fill(): void {
  IDBObjectStore.prototype.put = () => {
    throw new DOMException('full', 'QuotaExceededError');
  };
}

function storeOn(db: LocalDatabase) {
  const { clock, openChannel } = virtualPlatform();
  const changes = openChanges(openChannel('t'), OWNER);
  return { changes, store: openStore({ db, owner: OWNER, device: 'device', clock, changes }) };
}

async function openRenewed(name: string): Promise<LocalDatabase> {
  const db = await openDatabase(name);
  await renewAtOpening(db);
  return db;
}

/** As an earlier build wrote it. */
function older(record: StoredRecord): StoredRecord {
  const named = (syncedTables[record.type as TableName].keys as (row: object) => Record<string, string>)(record.data);
  const strings = Object.entries(named).filter(([, value]) => value !== null && value !== undefined);
  return { ...record, keys: strings.map(([name, value]) => [SHORT, record.type, name, value].join('|')) };
}

/** A device an earlier build worked on: actions, an asset, and an action that was deleted there and not yet on the server. */
async function olderCopy(): Promise<string> {
  const name = newId();
  const db = await openDatabase(name);
  const { store } = storeOn(db);
  await store.write('actions', async tx => {
    for (let n = 1; n <= ACTIONS; n += 1) await tx.put('action_items', anAction(n));
  });
  await store.write('asset', tx =>
    tx.put('assets', { id: ASSET, organization_id: ORGANIZATION, name: 'Lift', code: 'L-3' }),
  );
  db.close();
  await makeOlder(name);
  return name;
}

async function makeOlder(name: string): Promise<void> {
  const native = await openDB<CairnMobile>(name);
  for (const store of ['tasks', 'scans'] as const) {
    const keys = await native.getAllKeys(store);
    for (const key of keys) {
      const record = await native.get(store, key);
      if (record) await native.put(store, older(record), key);
    }
  }
  native.close();
}

async function countStrings(name: string, range: IDBKeyRange | null = olderStrings()): Promise<number> {
  const native = await openDB<CairnMobile>(name);
  let count = 0;
  for (const store of RECORD_STORES) count += await native.countFromIndex(store, 'keys', range);
  native.close();
  return count;
}

const found = (db: LocalDatabase) =>
  storeOn(db).store.read({
    key: 'test/found',
    tables: ['action_items', 'assets'],
    read: async tx => ({
      actions: (await tx.range('action_items', 'status', 'open/', 'open/~')).map(({ id }) => id),
      assets: (await tx.range('assets', 'code', 'L-3', 'L-3')).map(({ id }) => id),
      count: await tx.count('action_items', 'status', 'open/', 'open/~'),
    }),
  });

const ALL = {
  actions: Array.from({ length: ACTIONS }, (_, n) => actionId(n + 1)),
  assets: [ASSET],
  count: ACTIONS,
};

test('what an earlier build left is found by its keys as soon as the device is open, and nothing else of it changed', async () => {
  const name = await olderCopy();
  const native = await openDB<CairnMobile>(name);
  const before = await native.getAll('tasks');
  native.close();
  expect(await countStrings(name)).toBeGreaterThan(500);

  const db = await openRenewed(name);
  expect(await found(db)).toEqual(ALL);
  const after = await (await db.transaction(['tasks'], 'readonly')).objectStore('tasks').getAll();
  expect(after.map(record => ({ ...record, keys: [] }))).toEqual(before.map(record => ({ ...record, keys: [] })));
  expect(after.map(record => record.keys.length)).toEqual(before.map(record => record.keys.length));
  expect(await countStrings(name)).toBe(0);
  db.close();
});

test('a record deleted here stays out of the index, and what is no row any build knows stands in it under nothing', async () => {
  const name = await olderCopy();
  const native = await openDB<CairnMobile>(name);
  const [key, other] = await native.getAllKeys('tasks');
  const record = key && (await native.get('tasks', key));
  const stranger = other && (await native.get('tasks', other));
  if (!record || !stranger) throw new Error('no record');
  await native.put('tasks', { ...record, deleted: true }, key);
  await native.put('tasks', { ...stranger, type: 'no_table' }, other);
  native.close();

  const db = await openRenewed(name);
  const { actions, count } = await found(db);
  expect([actions, count]).toEqual([ALL.actions.slice(2), ACTIONS - 2]);
  db.close();
});

test('what a tab with an earlier build writes beside this one is found after a while, and watchers hear of it', async () => {
  const name = await olderCopy();
  const db = await openRenewed(name);
  await makeOlder(name);
  expect((await found(db)).count).toBe(0);

  const { changes } = storeOn(db);
  const heard: string[] = [];
  changes.on(names => heard.push(...names));
  await renewOlder({ db, changes });
  expect(await found(db)).toEqual(ALL);
  expect(heard).toEqual(expect.arrayContaining(['action_items', 'assets']));

  heard.length = 0;
  await renewOlder({ db, changes });
  expect(heard).toEqual([]);
  db.close();
});

test('a death in the middle leaves each record whole; the next opening goes on', async () => {
  const name = await olderCopy();
  let left = 140;
  IDBObjectStore.prototype.put = function (...given) {
    left -= 1;
    if (left === 0) this.transaction.abort();
    return put.apply(this, given);
  };
  await expect(openRenewed(name)).rejects.toMatchObject({ name: 'TransactionInactiveError' });
  IDBObjectStore.prototype.put = put;

  const db = await openRenewed(name);
  expect(await found(db)).toEqual(ALL);
  db.close();
});

test('a full device opens all the same, and finds everything once there is room', async () => {
  const name = await olderCopy();
  fill();
  const full = await openRenewed(name);
  expect((await found(full)).count).toBe(0);
  full.close();
  IDBObjectStore.prototype.put = put;

  const db = await openRenewed(name);
  expect(await found(db)).toEqual(ALL);
  db.close();
});

test('the room laid aside for words is given up for it', async () => {
  const name = await olderCopy();
  const before = await openDatabase(name);
  await allocateReserve(before, 1000);
  before.close();
  fill();
  IDBFactory.prototype.deleteDatabase = function (gone) {
    if (gone === `${name}_reserve`) IDBObjectStore.prototype.put = put;
    return deleteDatabase.call(this, gone);
  };
  const db = await openRenewed(name);
  expect(await found(db)).toEqual(ALL);
  db.close();
});

test('a device renews them as it is opened', async () => {
  const name = await olderCopy();
  const device = await openDevice({ name, platform: virtualPlatform() });
  expect(await countStrings(name)).toBe(0);
  await device.close();
});

test('whoever leads looks for such strings every minute', async () => {
  const server = scripted(applied);
  server.pages.push({ rows: { action_items: [serverRow(1, 1)] } });
  const { engine, until, name, clock } = await opened(server.backend);
  engine.start();
  await until(async () => (await countStrings(name, null)) > 0);
  await makeOlder(name);
  expect(await countStrings(name)).toBeGreaterThan(0);
  const begun = clock.now();
  await until(async () => (await countStrings(name)) === 0);
  expect(clock.now() - begun).toBeLessThanOrEqual(61_000);
  await engine.stop();
});
