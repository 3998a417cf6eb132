import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { BackendError, type FilePart } from '../transport/backend.ts';
import { freeSentFiles, freeSpace } from '../store/file-cache.ts';
import { openDatabase } from '../store/database.ts';
import { HELD_CHUNK_BYTES } from './large-files.ts';
import type { Platform } from '../transport/platform.ts';

const ID = actionId(1);
const SIZE = 2.5 * HELD_CHUNK_BYTES;
const file = { id: ID, organizationId: actionId(9), size: SIZE };
/** Each byte says where it stands. */
const bytesFrom = (offset: number, length: number): ArrayBuffer =>
  Uint8Array.from({ length }, (_, index) => (offset + index) % 251).buffer;

async function device(platform: Partial<Platform> = {}) {
  const server = scripted(applied);
  const asked: FilePart[] = [];
  const line = { breaksAt: Number.POSITIVE_INFINITY };
  server.backend.downloadPart = async part => {
    asked.push(part);
    if (part.offset >= line.breaksAt) throw new BackendError('network', 'cut');
    return bytesFrom(part.offset, part.length);
  };
  const phone = await opened(server.backend, { platform });
  return { ...phone, asked, line };
}
const never = new AbortController().signal;

test('a large file comes piece by piece, and any of its bytes are read from the pieces they lie in', async () => {
  const { engine, asked } = await device();
  const told: number[] = [];
  await engine.largeFiles.keep(file, have => told.push(have), never);
  expect(told).toEqual([0, HELD_CHUNK_BYTES, 2 * HELD_CHUNK_BYTES, SIZE]);
  expect(asked.map(({ length }) => length)).toEqual([HELD_CHUNK_BYTES, HELD_CHUNK_BYTES, HELD_CHUNK_BYTES / 2]);
  expect(await engine.largeFiles.held()).toEqual(new Map([[ID, { size: SIZE, have: SIZE }]]));
  const across = await engine.largeFiles.read(ID, HELD_CHUNK_BYTES - 5, HELD_CHUNK_BYTES + 10);
  expect(new Uint8Array(across)).toEqual(new Uint8Array(bytesFrom(HELD_CHUNK_BYTES - 5, HELD_CHUNK_BYTES + 10)));
  expect((await engine.largeFiles.read(ID, SIZE - 3, 100)).byteLength).toBe(3);
  await engine.stop();
});

test('a line that breaks costs one piece: it goes on where it was', async () => {
  const { engine, asked, line } = await device();
  line.breaksAt = HELD_CHUNK_BYTES;
  await expect(engine.largeFiles.keep(file, () => {}, never)).rejects.toMatchObject({ code: 'offline' });
  await expect(engine.largeFiles.read(ID, HELD_CHUNK_BYTES, 1)).rejects.toMatchObject({ code: 'not_found' });
  line.breaksAt = Number.POSITIVE_INFINITY;
  await engine.largeFiles.keep(file, () => {}, never);
  expect(asked.map(({ offset }) => offset)).toEqual([0, HELD_CHUNK_BYTES, HELD_CHUNK_BYTES, 2 * HELD_CHUNK_BYTES]);
  await engine.stop();
});

test('what frees photos after seven days, and makes room for others, leaves it alone; it goes by hand, or with the copy', async () => {
  const { engine, device: phone, name } = await device();
  const db = await openDatabase(name);
  await engine.largeFiles.keep(file, () => {}, never);
  expect(await freeSentFiles(db, Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(await freeSpace(db, Number.MAX_SAFE_INTEGER)).toBe(0);
  expect((await engine.storageUse()).find(({ area }) => area === 'maps')).toMatchObject({ records: 1, bytes: SIZE });
  await engine.largeFiles.forget(ID);
  expect(await engine.largeFiles.held()).toEqual(new Map());
  await expect(engine.largeFiles.read(ID, 0, 1)).rejects.toMatchObject({ code: 'not_found' });

  await engine.largeFiles.keep(file, () => {}, never);
  await phone.forgetPerson(OWNER);
  expect(await engine.largeFiles.held()).toEqual(new Map());
  db.close();
  await engine.stop();
});

/** A phone that knows of the file, and is told that it is none of its business any more. */
async function member() {
  const server = scripted(applied);
  const row = { id: ID, organization_id: file.organizationId, mime: 'application/pdf', bytes: SIZE, state: 'complete' };
  const rest = { sha256: 'a'.repeat(64), captured_at: '2026-11-21T09:00:00.000Z', version: 1, _s: [0] };
  server.pages.push({ rows: { media: [{ ...row, ...rest }] } });
  const line = { before: async () => {} };
  server.backend.downloadPart = async part => {
    await line.before();
    return bytesFrom(part.offset, part.length);
  };
  server.backend.download = async () => {
    await line.before();
    return bytesFrom(0, SIZE);
  };
  const phone = await opened(server.backend);
  phone.engine.start();
  await phone.until(() => phone.seen.status?.firstPull === false);
  const hasRow = () => phone.engine.store.read({ key: 'r', tables: ['media'], read: tx => tx.get('media', ID) });
  const leave = async () => {
    server.pages.push({ gone: [[0, 'media', ID]] });
    phone.engine.syncNow();
    await phone.until(async () => (await hasRow()) === undefined);
  };
  const names = async () => {
    const db = await openDatabase(phone.name);
    const keys = await (await db.transaction(['meta'], 'readonly')).objectStore('meta').getAllKeys();
    db.close();
    return keys.map(([, name]) => name).filter(name => name.startsWith('held'));
  };
  return { ...phone, line, leave, names };
}

test('with the row of a file all of it goes that was kept', async () => {
  const { engine, leave, names } = await member();
  await engine.largeFiles.keep(file, () => {}, never);
  expect(await names()).toHaveLength(4);
  await leave();
  expect(await names()).toEqual([]);
  await engine.stop();
});

test('what comes after its row went is kept by nobody: not a large file, nor one that was looked at', async () => {
  const { engine, line, leave, names, name } = await member();
  let parts = 0;
  line.before = async () => {
    parts += 1;
    if (parts === 2) await leave();
  };
  await expect(engine.largeFiles.keep(file, () => {}, never)).rejects.toMatchObject({ code: 'not_found' });
  expect(await names()).toEqual([]);
  await engine.stop();

  const other = await member();
  other.line.before = other.leave;
  expect((await other.engine.file(ID)).byteLength).toBe(SIZE);
  expect(await other.engine.store.read({ key: 'b', tables: ['media'], read: tx => tx.bytes(ID) })).toBeUndefined();
  expect(name).not.toBe(other.name);
  await other.engine.stop();
});

test('it never takes the room that words need, nor more than its share', async () => {
  const full = await device({ storageLeft: async () => SIZE - 1 });
  await expect(full.engine.largeFiles.keep(file, () => {}, never)).rejects.toMatchObject({ code: 'storage_full' });
  await full.engine.stop();
  const { engine, asked } = await device();
  const huge = { ...file, size: 300_000_001 };
  await expect(engine.largeFiles.keep(huge, () => {}, never)).rejects.toMatchObject({ code: 'storage_full' });
  expect(asked).toEqual([]);
  await engine.stop();
});
