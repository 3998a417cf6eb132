import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, opened, OWNER, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { releaseReserve, allocateReserve } from '../store/reserve-block.ts';
import { openDatabase } from '../store/database.ts';
import { keepFile } from '../store/file-cache.ts';
import type { Platform } from '../transport/platform.ts';
import { keyAt } from '../store/record-key.ts';
import { BYTES } from '../store/stored.ts';

const MB = 1024 * 1024;
const put = IDBObjectStore.prototype.put;
const add = IDBObjectStore.prototype.add;
const remove = IDBObjectStore.prototype.delete;

/** A storage of so many bytes: only what is large counts, as files and the ballast do, and a little for each text. */
const storage = { left: Number.MAX_SAFE_INTEGER, sizes: new Map<string, number>() };

function sizeOf(value: unknown): number {
  const held = typeof value === 'object' && value !== null && 'data' in value ? value.data : value;
  const bytes = typeof held === 'object' && held !== null && 'bytes' in held ? held.bytes : null;
  return bytes instanceof ArrayBuffer ? bytes.byteLength : 1000;
}

const placeOf = ({ name, transaction }: IDBObjectStore, key: unknown) =>
  `${transaction.db.name}/${name}/${key instanceof Uint8Array ? key.join('.') : newId()}`;

/** A database that is deleted gives back all it took. */
const removeWhole = IDBFactory.prototype.deleteDatabase;
function forgetting(this: IDBFactory, database: string) {
  for (const [name, size] of storage.sizes) {
    if (!name.startsWith(`${database}/`)) continue;
    storage.left += size;
    storage.sizes.delete(name);
  }
  return removeWhole.call(this, database);
}

function taking(real: typeof put) {
  return function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
    const name = placeOf(this, key);
    const size = sizeOf(value) - (storage.sizes.get(name) ?? 0);
    if (size > storage.left) throw new DOMException('no room', 'QuotaExceededError');
    storage.left -= size;
    storage.sizes.set(name, sizeOf(value));
    return key === undefined ? real.call(this, value) : real.call(this, value, key);
  };
}

beforeEach(() => {
  storage.left = Number.MAX_SAFE_INTEGER;
  storage.sizes.clear();
  IDBObjectStore.prototype.put = taking(put);
  IDBObjectStore.prototype.add = taking(add);
  IDBFactory.prototype.deleteDatabase = forgetting;
  IDBObjectStore.prototype.delete = function (this: IDBObjectStore, key) {
    const name = placeOf(this, key);
    storage.left += storage.sizes.get(name) ?? 0;
    storage.sizes.delete(name);
    return remove.call(this, key);
  };
});
afterEach(() => {
  Object.assign(IDBObjectStore.prototype, { put, add, delete: remove });
  IDBFactory.prototype.deleteDatabase = removeWhole;
});

const photo = (n: number) => ({
  id: actionId(n),
  organization_id: actionId(9),
  mime: 'image/jpeg',
  bytes: 3 * MB,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
});

async function aPhone(platform: Partial<Platform> = {}) {
  const server = scripted(applied);
  const phone = await opened(server.backend, { platform });
  const db = await openDatabase(phone.name);
  const capture = (n: number) =>
    phone.engine.store.write('photo', async tx => {
      await tx.put('media', photo(n));
      await tx.putBytes(photo(n).id, new ArrayBuffer(3 * MB));
    });
  /** A photo of somebody else, looked at. */
  const receive = async (n: number) => {
    await phone.engine.store.write('row', tx => tx.put('media', photo(n)));
    await keepFile(db, { owner: OWNER, id: actionId(n), bytes: new ArrayBuffer(3 * MB), now: n });
  };
  const has = async (id: string) =>
    (await (await db.transaction(['media'], 'readonly')).objectStore('media').count(keyAt(OWNER, BYTES, id))) > 0;
  return { ...phone, server, db, capture, receive, has };
}

describe('a full storage', () => {
  test('text keeps saving on the room that was laid aside; a photo is refused, told so, and leaves nothing behind', async () => {
    const { db, put: write, row, capture, engine } = await aPhone();
    await allocateReserve(db, 8 * MB);
    storage.left = 500;
    await expect(capture(1)).rejects.toMatchObject({ code: 'storage_full' });
    await write(1, { title: 'written on a full phone' });
    expect((await row(1))?.title).toBe('written on a full phone');
    const left = await engine.store.read({ key: 'm', tables: ['media'], read: tx => tx.all('media') });
    expect(left).toEqual([]);
    expect(await releaseReserve(db)).toBe(false);
    db.close();
  });

  test('the end of the storage is for words: a photo is refused before it, and every text after it is saved', async () => {
    const left = { bytes: 10 * MB };
    const platform = { reserveBytes: 8 * MB, storageLeft: async () => left.bytes };
    const phone = await opened(scripted(applied).backend, { platform });
    const take = (n: number, bytes: number) =>
      phone.engine.store.write('photo', async tx => {
        await tx.put('media', { ...photo(n), bytes });
        await tx.putBytes(photo(n).id, new ArrayBuffer(bytes));
      });
    await take(1, 2 * MB);
    await expect(take(2, 2 * MB + 1)).rejects.toMatchObject({ code: 'storage_full' });
    left.bytes = 2 * MB;
    await expect(take(3, 1000)).rejects.toMatchObject({ code: 'storage_full' });
    for (let n = 1; n <= 20; n += 1) await phone.put(n, { title: `text ${n}` });
    const rows = await phone.engine.store.read({ key: 'm', tables: ['media'], read: tx => tx.all('media') });
    expect(rows.map(({ id }) => id)).toEqual([photo(1).id]);
    expect((await phone.row(20))?.title).toBe('text 20');
    left.bytes = 30 * MB;
    await take(3, 1000);
  });

  test('files that can be fetched again make room, the oldest first and no more than needed; unsent ones stay', async () => {
    const { db, capture, receive, has } = await aPhone();
    await capture(1);
    for (const n of [2, 3, 4, 5]) await receive(n);
    storage.left = MB;
    await capture(6);
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(n => has(actionId(n))))).toEqual([
      true,
      false,
      false,
      false,
      true,
      true,
    ]);
    db.close();
  });

  test('when nothing is left to free the save is refused with storage_full and what was saved before stays', async () => {
    const { db, put: write, row, change } = await aPhone();
    await write(1, { title: 'before' });
    storage.left = 10;
    await expect(change(1, { title: 'after' })).rejects.toMatchObject({ code: 'storage_full' });
    expect((await row(1))?.title).toBe('before');
    storage.left = 100_000;
    await change(1, { title: 'after' });
    expect((await row(1))?.title).toBe('after');
    db.close();
  });

  test.each([0, 500, 1500])(
    'words saved before it was full are sent once and let go of, on the room laid aside (%i bytes left)',
    async left => {
      const { db, put: write, engine, server, seen, until } = await aPhone();
      await allocateReserve(db, 8 * MB);
      for (const n of [1, 2, 3, 4, 5]) await write(n, { title: `words ${n}` });
      storage.left = left;
      engine.start();
      await until(() => server.pushed.length > 0);
      await until(() => seen.status?.pendingItems === 0);
      expect(server.pushed.map(batch => batch.length)).toEqual([5]);
      await engine.stop();
      db.close();
    },
  );

  test('the room that sending took is laid aside anew once there is some', async () => {
    const { db, put: write, engine, server, seen, until } = await aPhone({ reserveBytes: 8 * MB });
    await allocateReserve(db, 8 * MB);
    await write(1, { title: 'words' });
    const { push } = server.backend;
    server.backend.push = (...given) => {
      // Somebody tidies up.
      storage.left += MB;
      return push(...given);
    };
    storage.left = 0;
    engine.start();
    await until(() => server.pushed.length > 0);
    await until(() => seen.status?.pendingItems === 0 && storage.left < 2 * MB);
    await engine.stop();
    expect(await releaseReserve(db)).toBe(true);
    db.close();
  });

  test('rows that do not fit get none of the room laid aside for words', async () => {
    const { db, engine, server, seen, until, row } = await aPhone({ reserveBytes: 8 * MB });
    await allocateReserve(db, 8 * MB);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    const before = server.pulls.length;
    server.pages.push(...Array.from({ length: 9 }, () => ({ rows: { action_items: [serverRow(1, 1)] } })));
    storage.left = 0;
    engine.syncNow();
    await until(() => server.pulls.length > before + 2);
    expect(await row(1)).toBeUndefined();
    await engine.stop();
    expect(await releaseReserve(db)).toBe(true);
    db.close();
  });
});
