import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { columns } from '@cairn/schema';
import { afterEach, expect, test, vi } from 'vitest';
import { CURSORS } from '../store/cursors.ts';
import { openDatabase } from '../store/database.ts';
import { DIGEST_ASKED, DIGEST_DUE } from '../store/health.ts';
import { raiseEpoch } from '../store/session.ts';
import { noteTables } from './tables-known.ts';

const OWNER = newId();
afterEach(() => void vi.restoreAllMocks());

async function device(meta: Record<string, unknown>) {
  const db = await openDatabase(newId());
  const epoch = await raiseEpoch(db, OWNER);
  const put = async (values: Record<string, unknown>) => {
    const tx = await db.transaction(['meta'], 'readwrite');
    for (const [name, value] of Object.entries(values)) await tx.objectStore('meta').put({ owner: OWNER, name, value });
    await tx.done;
  };
  await put(meta);
  const due = async () => {
    const tx = await db.transaction(['meta'], 'readonly');
    return (await tx.objectStore('meta').get([OWNER, DIGEST_DUE]))?.value;
  };
  return { put, due, begin: () => noteTables({ db, owner: OWNER, epoch }) };
}

const PULLED = { [CURSORS]: { 'org:x': ['e', 4, '~', newId()] } };
const earlier = Object.keys(columns).slice(1);

test('I4 an update that brings a table has both sides compared once: what came of it before was left out', async () => {
  const { put, due, begin } = await device({ ...PULLED, tables_known: earlier });
  await begin();
  expect(await due()).toBe(true);
  await put({ [DIGEST_DUE]: undefined });
  await begin();
  expect(await due()).toBeUndefined();
});

test('a device whose build did not note its tables is compared once', async () => {
  const { due, begin } = await device(PULLED);
  await begin();
  expect(await due()).toBe(true);
});

test('a device that has pulled nothing has passed nothing by', async () => {
  const { due, begin } = await device({});
  await begin();
  expect(await due()).toBeUndefined();
});

test('a comparison somebody asked for stays one to be made at once', async () => {
  const { due, begin } = await device({ ...PULLED, tables_known: earlier, [DIGEST_DUE]: DIGEST_ASKED });
  await begin();
  expect(await due()).toBe(DIGEST_ASKED);
});

test('a device with no room left begins all the same, and notes it another time', async () => {
  const { due, begin } = await device({ ...PULLED, tables_known: earlier });
  const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('no room', 'QuotaExceededError');
  });
  await begin();
  expect(full).toHaveBeenCalled();
  expect(await due()).toBeUndefined();
  vi.restoreAllMocks();
  await begin();
  expect(await due()).toBe(true);
});
