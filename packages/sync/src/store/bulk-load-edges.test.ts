import 'fake-indexeddb/auto';
import { serialize } from 'node:v8';
import { newId } from '@cairn/base/id.ts';
import { applied, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { acknowledge } from '../push/acknowledge.ts';
import type { PushResult } from '../transport/backend.ts';
import { takeBatch } from '../push/batch.ts';
import { openChanges } from './changes.ts';
import { resolveConflict } from '../outbox/conflict-choice.ts';
import { openDatabase } from './database.ts';
import { DIGEST_ASKED, DIGEST_DUE } from './health.ts';
import { BULK_PREFIX, asBytes, type EarlierBlock, type StoredBlock } from './bulk-block.ts';
import {
  BulkLoad,
  UnpackRequired,
  unpackIfPossible,
  unpackBlocks,
  remember,
  type PulledByTable,
  type PageContext,
} from './bulk-load.ts';
import { openStore } from './local-store.ts';
import { packedOf } from '../transport/packed-rows.ts';
import { storeRows } from '../pull/page.ts';
import type { BulkLoadSize } from '../transport/platform.ts';
import { pullAll } from '../pull/pull.ts';
import { keyOf } from './record-key.ts';
import { emptyRecord, type VersionedRow } from './record.ts';
import { collectRescue } from '../recovery/snapshot-contents.ts';
import { takeSnapshot } from '../recovery/snapshot-take.ts';
import type { SnapshotParts } from '../recovery/snapshot.ts';
import { FencedError, raiseEpoch, type Session } from './session.ts';
import { storageUse } from '../files/storage-use.ts';
import type { ConflictRecord, Data, StoredRecord } from './stored.ts';

const TABLE = 'action_items';
const OWNER = actionId(999);
const CONFLICT = actionId(700);
const AT = Date.UTC(2026, 10, 25);
const SMALL: BulkLoadSize = { least: 1, block: 3, most: 40 };
afterEach(() => vi.restoreAllMocks());

type ServerRow = Data & VersionedRow;

const rowOf = (n: number, fields = {}): ServerRow => ({
  id: actionId(n),
  version: 1,
  title: `Row ${n}`,
  status: 'open',
  organization_id: actionId(99),
  media_ids: [actionId(500)],
  created_at: '2026-11-25T08:00:00Z',
  ...fields,
});

const columnsOf = (rows: ServerRow[]) => asBytes(packedOf(rows.map(row => ({ ...row, _s: [0] }))));
const asColumns = (rows: ServerRow[]): StoredBlock | EarlierBlock => {
  return { packed: columnsOf(rows), order: ['user:x'], at: AT };
};
/** As builds before this one laid them. */
const asEarlier = (rows: ServerRow[]): EarlierBlock => ({ columns: columnsOf(rows), order: ['user:x'], at: AT });
const asRows = (rows: ServerRow[], lain: Extract<EarlierBlock, { rows: unknown }>['rows']): EarlierBlock => {
  return { rows: lain, named: rows.map(() => [0]), order: ['user:x'], at: AT };
};

type BulkLoadGiven = { size: BulkLoadSize; bulkLoad: BulkLoad; emptyTables: PulledByTable; order: string[] };

async function device() {
  const db = await openDatabase(newId());
  const platform = virtualPlatform();
  const changes = openChanges(platform.openChannel('test'), OWNER);
  const store = openStore({ db, owner: OWNER, device: 'device', clock: platform.clock, changes });
  const session: Session = {
    db,
    owner: OWNER,
    device: 'device',
    backend: scripted(applied).backend,
    platform,
    changes,
    report: () => undefined,
    epoch: await raiseEpoch(db, OWNER),
  };
  const all = () => store.read({ key: 'all', tables: [TABLE], read: tx => tx.all(TABLE) });
  return {
    db,
    store,
    session,
    place: { db, owner: OWNER, clock: platform.clock, changes },
    async load(rows: ServerRow[], given: Partial<BulkLoadGiven> = {}) {
      const { size = SMALL, bulkLoad = new BulkLoad(size), emptyTables = new Map(), order = ['user:x'] } = given;
      const tx = await db.transaction(['tasks', 'sync_queue'], 'readwrite');
      const page = { rows: { [TABLE]: rows.map(row => ({ ...row, _s: order.map((_, n) => n) })) }, order };
      const noted: PageContext['noted'] = [];
      await storeRows({ tx, owner: OWNER, now: AT, emptyTables, noted, bulkLoad }, page);
      await tx.done;
      remember(emptyTables, noted);
    },
    /** Rows that are stored one by one, come through this scope. */
    async arrive(rows: ServerRow[], scope: string, emptyTables: PulledByTable = new Map()) {
      const tx = await db.transaction(['tasks', 'sync_queue'], 'readwrite');
      const page = { rows: { [TABLE]: rows.map(row => ({ ...row, _s: [0] })) }, order: [scope] };
      await storeRows({ tx, owner: OWNER, now: AT, emptyTables, noted: [], bulkLoad: null }, page);
      await tx.done;
    },
    /** What lies in the store, blocks among it. */
    async lain() {
      const tx = await db.transaction(['tasks'], 'readonly');
      return tx.objectStore('tasks').getAll();
    },
    /** As another tab, or a newer build, would have laid it. */
    async landElsewhere(rows: ServerRow[], type = BULK_PREFIX + TABLE, content = asColumns(rows)) {
      const value: StoredRecord = { ...emptyRecord(OWNER, TABLE, newId()), type, data: content };
      const tx = await db.transaction(['tasks'], 'readwrite');
      await tx.objectStore('tasks').put(value, keyOf(value));
      await tx.done;
    },
    all,
    ids: async () => (await all()).map(({ id }) => Number(id.slice(-3))).toSorted((a, b) => a - b),
    one: (n: number) => store.read({ key: 'one', tables: [TABLE], read: tx => tx.get(TABLE, actionId(n)) }),
    unpack: () => unpackBlocks(session, new AbortController().signal, () => undefined),
    /** What is queued goes, and is answered so. */
    async answered(result: { st: 'applied'; v: number; d: object } | { st: 'rejected'; code: string; msg: string }) {
      const batch = await takeBatch(session, 10);
      await acknowledge(
        session,
        batch,
        batch.map(({ mid }) => ({ mid, ...result }) as PushResult),
      );
    },
  };
}

/** A device on which somebody has decided a conflict whose record is not there yet: only the decision waits. */
async function decidedBefore(operation: 'update' | 'delete' = 'update') {
  const made = await device();
  const conflict: ConflictRecord = {
    dataId: actionId(2),
    type: TABLE,
    owner: OWNER,
    cid: CONFLICT,
    title: 'Row 2',
    timestamp: AT,
    resolved: false,
    resolution: null,
    resolvedAt: null,
    conflict: {
      kind: 'fields',
      operation,
      mine: { title: 'mine' },
      fields: [{ f: 'title', base: 'a', mine: 'mine', theirs: 'Row 2' }],
    },
  };
  const tx = await made.db.transaction(['conflicts'], 'readwrite');
  await tx.objectStore('conflicts').put(conflict);
  await tx.done;
  await resolveConflict(made.place, CONFLICT, { keep: 'mine' });
  return made;
}

const THREE = [rowOf(1), rowOf(2), rowOf(3)];
const APPLIED = { st: 'applied', v: 2, d: {} } as const;
const REFUSED = { st: 'rejected', code: '23514', msg: 'a rule' } as const;

describe('a record of which something waits to be sent does not land', () => {
  test('I1 what is acknowledged stands once, and is not put back when the rest is unpacked', async () => {
    const { load, answered, ids, unpack, one } = await decidedBefore();
    await load(THREE);
    await answered(APPLIED);
    expect(await ids()).toEqual([1, 2, 3]);
    await unpack();
    expect(await ids()).toEqual([1, 2, 3]);
    expect(await one(2)).toMatchObject({ title: 'mine', version: 2 });
  });

  test('I1 refused, the row reads as the server has it, and what is saved on it stays', async () => {
    const { load, answered, unpack, one, store } = await decidedBefore();
    await load(THREE);
    await answered(REFUSED);
    expect((await one(2))?.title).toBe('Row 2');
    await store.write('change', tx => tx.change(TABLE, actionId(2), { title: 'typed' }));
    await unpack();
    expect((await one(2))?.title).toBe('typed');
  });

  test('a deletion that is kept takes it away', async () => {
    const { load, answered, one } = await decidedBefore('delete');
    await load(THREE);
    await answered(APPLIED);
    await answered({ ...APPLIED, v: 3 });
    expect(await one(2)).toBeUndefined();
  });

  test('the rescue file for an administrator carries it, and one taken in finds the bulk-loaded row', async () => {
    const from = await decidedBefore();
    await from.load(THREE);
    const tx = await from.db.transaction(['settings'], 'readwrite');
    const company = { id: actionId(99), name: 'Company', kind: 'company' };
    const record = { ...emptyRecord(OWNER, 'organizations', actionId(99)), data: company, version: 1 };
    await tx.objectStore('settings').put(record, keyOf(record));
    await tx.done;
    const about = { owner: { id: OWNER, email: 'sam@example.test' }, device: 'device', now: AT };
    expect((await collectRescue(from.db, { ...about, withPrivate: false })).entries).toHaveLength(1);

    const bare = await decidedBefore();
    const contents = await collectRescue(bare.db, { ...about, withPrivate: true });
    expect([contents.entries.length, contents.records.length]).toEqual([1, 0]);
    const { load, answered, ids, db } = await device();
    await load(THREE);
    // It carries no files: nothing of it has to be opened.
    await takeSnapshot({ db, owner: OWNER }, { contents, parts: {} as SnapshotParts });
    await answered(APPLIED);
    expect(await ids()).toEqual([1, 2, 3]);
  });
});

test('an answer belongs to whoever asked: what they do to it changes no later answer, no save and no row beside it', async () => {
  const { db, load, one, store, unpack } = await device();
  await load([rowOf(1), rowOf(2)]);
  const media = (await one(1))?.media_ids as string[];
  media.push(actionId(501));
  expect((await one(1))?.media_ids).toEqual([actionId(500)]);
  await store.write('save', tx => tx.change(TABLE, actionId(2), { title: 'mine' }));
  await unpack();
  expect((await one(1))?.media_ids).toEqual([actionId(500)]);

  await load([rowOf(1), rowOf(2)].map(row => ({ ...row, id: newId() })));
  await store.write('save', tx => tx.change(TABLE, actionId(1), { media_ids: media }));
  const queue = (await db.transaction(['sync_queue'], 'readonly')).objectStore('sync_queue');
  expect(await queue.count()).toBe(2);
});

test('instants and what is null are read from a block as from a record', async () => {
  const { load, one, unpack } = await device();
  await load([rowOf(1, { created_at: '2026-11-25T08:00:00.123456+00:00', due_at: null })]);
  const before = await one(1);
  expect(before).toMatchObject({ created_at: '2026-11-25T08:00:00.123456Z', due_at: null });
  await unpack();
  expect(await one(1)).toEqual(before);
});

test('no block is left without a row: the last one is taken out, or nothing of a page lands', async () => {
  const { load, store, lain } = await device();
  await load([rowOf(1)]);
  await store.write('one', tx => tx.change(TABLE, actionId(1), { title: 'Changed' }));
  expect((await lain()).map(({ type }) => type)).toEqual([TABLE]);
  // What waits to be sent does not land.
  const other = await device();
  await other.store.write('two', tx => tx.put(TABLE, anAction(2)));
  await other.load([rowOf(2)], { emptyTables: new Map([[TABLE, new Map()]]) });
  expect((await other.lain()).map(({ type }) => type)).toEqual([TABLE]);
});

test('what lies in blocks is counted row by row in what takes room', async () => {
  const { load, db, unpack } = await device();
  await load([rowOf(1), rowOf(2), rowOf(3), rowOf(4)]);
  const before = await storageUse(db, OWNER);
  expect(before).toMatchObject([{ area: 'tasks', records: 4 }]);
  await unpack();
  expect(await storageUse(db, OWNER)).toEqual(before);
});

const several = (count: number, fields = {}) => Array.from({ length: count }, (_, n) => rowOf(n + 1, fields));

test('rows a pull brings again as they are stay in their block; otherwise they are unpacked first', async () => {
  const { load, lain } = await device();
  const [bulkLoad, emptyTables] = [new BulkLoad(SMALL), new Map() as PulledByTable];
  await load(several(4), { bulkLoad, emptyTables });
  const before = await lain();
  await load([rowOf(2), rowOf(3), rowOf(5)], { bulkLoad, emptyTables });
  const after = await lain();
  expect(after.length).toBe(before.length + 1);
  expect(after).toEqual(expect.arrayContaining(before));
  await expect(load([rowOf(2, { version: 2 })], { bulkLoad, emptyTables })).rejects.toThrow(UnpackRequired);
  // Through one scope more than before.
  const order = ['user:x', 'site:a'];
  await expect(load([rowOf(2)], { bulkLoad, emptyTables, order })).rejects.toThrow(UnpackRequired);
});

test.each([2, 20])('%i rows that come through a second scope keep the first', async count => {
  const { arrive, lain } = await device();
  await arrive(several(count), 'site:a');
  await arrive(several(count), 'site:b');
  const scopes = (await lain()).map(record => record.scopes.toSorted());
  expect(scopes).toEqual(Array.from({ length: count }, () => ['site:a', 'site:b']));
});

test.each([2, 20])(
  'of %i rows that come, those the person made since the pull began keep what is unsent',
  async count => {
    const { arrive, store, one } = await device();
    await store.write('made', tx => tx.put(TABLE, anAction(2, { title: 'mine' })));
    // The table was empty when the pull began.
    await arrive(several(count), 'site:a', new Map([[TABLE, new Map()]]));
    expect([(await one(1))?.title, (await one(2))?.title]).toEqual(['Row 1', 'mine']);
  },
);

test('rows as builds before this one bulk-loaded them are read, changed and unpacked', async () => {
  const { landElsewhere, store, all, one, unpack, lain } = await device();
  const [bytes, plain, columns] = [
    [rowOf(1), rowOf(2)],
    [rowOf(3), rowOf(4, { media_ids: undefined })],
    [rowOf(5), rowOf(6)],
  ];
  await landElsewhere(bytes, BULK_PREFIX + TABLE, asRows(bytes, asBytes(bytes)));
  await landElsewhere(plain, BULK_PREFIX + TABLE, asRows(plain, plain));
  await landElsewhere(columns, BULK_PREFIX + TABLE, asEarlier(columns));
  const before = await all();
  expect(before).toHaveLength(6);
  await store.write('one', tx => tx.change(TABLE, actionId(1), { title: 'Changed' }));
  await unpack();
  const sorted = (rows: typeof before) => rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const expected = before.map(row => (row.id === actionId(1) ? { ...row, title: 'Changed' } : row));
  expect(sorted(await all())).toEqual(sorted(expected));
  expect((await one(3))?.title).toBe('Row 3');
  expect((await lain()).map(({ scopes }) => scopes)).toEqual(Array.from({ length: 6 }, () => ['user:x']));
});

test('rows that are asked for together read each block once', async () => {
  const { landElsewhere, store } = await device();
  for (let n = 0; n < 5; n += 1) await landElsewhere([rowOf(n * 2 + 1), rowOf(n * 2 + 2)]);
  let read = 0;
  const { get } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'get').mockImplementation(function (this: IDBObjectStore, key) {
    const asked = get.call(this, key);
    asked.addEventListener('success', () => (read += Number(asked.result?.type === BULK_PREFIX + TABLE)));
    return asked;
  });
  const titles = await store.read({
    key: 'many',
    tables: [TABLE],
    read: tx => Promise.all(Array.from({ length: 10 }, (_, n) => tx.get(TABLE, actionId(n + 1)))),
  });
  expect(titles.map(row => row?.title)).toEqual(Array.from({ length: 10 }, (_, n) => `Row ${n + 1}`));
  expect(read).toBe(5);
});

test('many changes and reads in one write, from a tab that has read no block yet, meet each other', async () => {
  const { landElsewhere, store, all, unpack } = await device();
  for (let n = 0; n < 5; n += 1) await landElsewhere([rowOf(n * 2 + 1), rowOf(n * 2 + 2)]);
  await store.write('many', async tx => {
    const look = async () => {
      for (let n = 1; n <= 10; n += 1) {
        expect(await tx.get(TABLE, actionId(n))).toBeDefined();
        expect(await tx.all(TABLE)).toHaveLength(10);
        expect(await tx.range(TABLE, 'status', '', '\uffff')).toHaveLength(10);
        expect(await tx.count(TABLE, 'status', '', '\uffff')).toBe(10);
      }
    };
    const change = (n: number) => tx.change(TABLE, actionId(n), { title: `Changed ${n}` });
    await Promise.all([change(1), look(), change(2), look(), change(3), change(4)]);
  });
  await unpack();
  expect((await all()).map(({ title }) => title).toSorted()).toEqual(
    ['Changed 1', 'Changed 2', 'Changed 3', 'Changed 4', 'Row 10', ...[5, 6, 7, 8, 9].map(n => `Row ${n}`)].toSorted(),
  );
});

test('a page that brings a row twice stores the later one', async () => {
  const { load, all } = await device();
  await load([rowOf(1), rowOf(2), rowOf(1, { version: 2, title: 'second' })]);
  expect((await all()).map(({ title }) => title).toSorted()).toEqual(['Row 2', 'second']);
});

test('a limit of 0 reads as it does from rows that lie by themselves', async () => {
  const { load, store, unpack } = await device();
  await load([rowOf(1), rowOf(2)]);
  const read = () =>
    store.read({ key: 'none', tables: [TABLE], read: tx => tx.range(TABLE, 'status', '', '\uffff', 0) });
  const before = await read();
  await unpack();
  expect(await read()).toEqual(before);
});

/** From here on Chromium lays a value into a file of its own. */
const ONE_FILE = 64 * 1024;

test('heavy rows lie in small blocks, in any script, and only so much of them lands at a time', async () => {
  const sizes: number[] = [];
  const { put } = IDBObjectStore.prototype;
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, value, key) {
    if (value?.type === BULK_PREFIX + TABLE) sizes.push(serialize(value).length);
    return put.call(this, value, key);
  });
  const heavy = (count: number, description: string) =>
    Array.from({ length: count }, (_, n) => rowOf(n + 1, { description }));
  const size = { least: 1, block: 100, most: 20_000 };
  const texts = [`${'x'.repeat(200)} –`, '点検'.repeat(3000), '', '"'.repeat(300)];
  for (const [count, text] of [[50, 'x'.repeat(20_000)] as const, ...texts.map(each => [500, each] as const)]) {
    sizes.length = 0;
    const one = await device();
    await one.load(heavy(count, text), { size });
    expect(sizes.length).toBeGreaterThan(count === 50 ? 20 : 4);
    expect(Math.max(...sizes)).toBeLessThan(ONE_FILE);
    expect((await one.all()).every(({ description }) => description === text)).toBe(true);
  }

  // By the weight of the ones before, not by halves; light ones behind heavy ones lie many together again.
  sizes.length = 0;
  const mixed = await device();
  const light = heavy(1000, '').slice(200);
  await mixed.load([...heavy(200, 'x'.repeat(2000)), ...light], { size });
  expect(sizes.length).toBeLessThan(25);
  expect(Math.min(...sizes.slice(0, 8))).toBeGreaterThan(30_000);

  sizes.length = 0;
  const other = await device();
  await other.load(heavy(170, 'x'.repeat(100_000)), { size });
  expect(sizes).toEqual([]);
  expect(await other.ids()).toHaveLength(170);

  const third = await device();
  const bulkLoad = new BulkLoad(size);
  const halves = [heavy(85, 'x'.repeat(100_000)), heavy(170, 'x'.repeat(100_000)).slice(85)] as const;
  await third.load(halves[0], { size, bulkLoad });
  await expect(third.load(halves[1], { size, bulkLoad })).rejects.toThrow(UnpackRequired);
});

test('rows of a table only a newer build knows wait for it and keep nobody from pulling', async () => {
  const { db, landElsewhere, session } = await device();
  await landElsewhere([rowOf(1)], `${BULK_PREFIX}tables_to_come`);
  expect((await pullAll(session, new AbortController().signal, () => undefined)).scopes).not.toEqual([]);
  const store = (await db.transaction(['tasks'], 'readonly')).objectStore('tasks');
  expect(await store.count()).toBe(1);
});

describe('a block nobody can read', () => {
  const unreadable: [string, object][] = [
    ['a newer build laid it in a way of its own', { packs: [1], order: ['user:x'], at: AT }],
    ['its bytes are damaged', { packed: asBytes([1]).slice(0, 1), order: ['user:x'], at: AT }],
  ];
  test.each(unreadable)(
    'I4 %s: it hides nothing else, goes, and what was in it is compared for',
    async (_, content) => {
      const { load, landElsewhere, ids, unpack, lain, db } = await device();
      await load([rowOf(1)]);
      await landElsewhere([], BULK_PREFIX + TABLE, content as StoredBlock);
      expect(await ids()).toEqual([1]);
      await unpack();
      expect(await ids()).toEqual([1]);
      expect((await lain()).map(({ type }) => type)).toEqual([TABLE]);
      const tx = await db.transaction(['meta'], 'readonly');
      expect((await tx.objectStore('meta').get([OWNER, DIGEST_DUE]))?.value).toBe(DIGEST_ASKED);
    },
  );

  test('whatever laying down fails of at the start is told, and what waits is sent all the same', async () => {
    const { load, lain, session } = await device();
    await load(THREE);
    const told: unknown[] = [];
    vi.stubGlobal('reportError', (error: unknown) => told.push(error));
    const broken = new TypeError('the disk has a hole');
    vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
      throw broken;
    });
    await unpackIfPossible(session);
    expect(told).toEqual([broken]);
    expect((await lain()).map(({ type }) => type)).toEqual([BULK_PREFIX + TABLE]);
    await raiseEpoch(session.db, OWNER);
    vi.restoreAllMocks();
    await expect(unpackIfPossible(session)).rejects.toBeInstanceOf(FencedError);
    vi.unstubAllGlobals();
  });
});
