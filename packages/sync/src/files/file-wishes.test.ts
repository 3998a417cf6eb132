import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { openDatabase } from '../store/database.ts';
import { keepWithinLimit } from './file-wishes.ts';
import { freeSpace } from '../store/file-cache.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

const photo = (n: number, bytes: number) => ({
  id: actionId(n),
  organization_id: actionId(9),
  mime: 'image/jpeg',
  bytes,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
});

async function device() {
  const server = scripted(applied);
  const { pull } = server.backend;
  // What was pushed is named by each page, for a page may be given up on a slow machine: a clean record that none names is taken away.
  server.backend.pull = async (...given) => {
    const sent = server.pushed.flat().filter(({ t }) => t === 'media');
    return { ...(await pull(...given)), stubs: { media: sent.map(({ id }) => [id, 1, [0]]) } };
  };
  const phone = await opened(server.backend);
  /** Chosen on another device: it comes with the feed. */
  const choose = async (fields: { files_on_mobile_data?: boolean; storage_limit_mb?: number }) => {
    const row = { id: OWNER, user_id: OWNER, version: 1, _s: [0], ...fields };
    server.pages.push({ rows: { user_preferences: [row] } });
    phone.engine.syncNow();
    await phone.until(async () => {
      const read = { key: 'mine', tables: ['user_preferences'] as const };
      return phone.engine.store.read({ ...read, read: tx => tx.get('user_preferences', OWNER) });
    });
  };
  const keep = (n: number, bytes: number) =>
    phone.engine.store.write('photo', async tx => {
      await tx.put('media', photo(n, bytes));
      await tx.putBytes(actionId(n), new ArrayBuffer(bytes));
    });
  const take = async (n: number, bytes = 3) => {
    await keep(n, bytes);
    phone.engine.syncNow();
    await phone.until(() => server.pushed.flat().some(mutation => mutation.id === actionId(n)));
  };
  const has = async (n: number) =>
    (await phone.engine.store.read({ key: `${n}`, tables: ['media'], read: tx => tx.bytes(actionId(n)) })) !==
    undefined;
  return { ...phone, server, choose, keep, take, has };
}

test('photos wait on a mobile network when the person wants it so, records do not; another network sends them', async () => {
  const { engine, network, server, choose, take, until, seen, put } = await device();
  network.isMobile = () => true;
  engine.start();
  await choose({ files_on_mobile_data: false });
  await take(1);
  await put(7);
  const tables = () => new Set(server.pushed.flat().map(mutation => mutation.t));
  await until(() => tables().has('media') && tables().has('action_items') && seen.status?.pendingFiles === 1);
  const pulls = server.pulls.length;
  await until(() => server.pulls.length > pulls + 2);
  expect(server.uploads).toEqual([]);

  network.isMobile = () => false;
  await until(() => server.uploads.length > 0);
  expect(server.uploads).toEqual([actionId(1)]);
  await engine.stop();
});

test('on a mobile network they go while nothing else was chosen', async () => {
  const { engine, network, server, take, until } = await device();
  network.isMobile = () => true;
  engine.start();
  await take(1);
  await until(() => server.uploads.length > 0);
  await engine.stop();
});

test('over the limit the longest received file goes; what was not sent, or went within the last day, stays', async () => {
  const { engine, clock, server, name, choose, keep, take, until, seen, has } = await device();
  // Small, though nobody may choose so little: what is copied here counts against the patience of the test.
  const half = 600_000;
  engine.start();
  // The badge's figures come a moment later: they may still be those from before.
  const received = (n: number) => server.uploads.length === n && seen.status?.pendingFiles === 0;
  await take(1, half);
  await until(() => received(1));
  clock.advance(HOUR);
  await take(2, half);
  await until(() => received(2));
  expect([await has(1), await has(2)]).toEqual([true, true]);

  await choose({ storage_limit_mb: 1 });
  await engine.stop();
  const db = await openDatabase(name);
  const place = { db, owner: OWNER, platform: { clock } };
  await keepWithinLimit(place);
  expect([await has(1), await has(2)]).toEqual([true, true]);

  // The last backup of the server may be from before.
  clock.advance(DAY - HOUR / 2);
  await keep(3, half + half);
  await keepWithinLimit(place);
  expect([await has(1), await has(2), await has(3)]).toEqual([false, true, true]);
  db.close();
});

test('what was only looked at goes before what went from here, for a limit and for room', async () => {
  const { engine, server, name, choose, take, until, seen, has } = await device();
  const half = 600_000;
  server.backend.download = async () => new ArrayBuffer(half);
  engine.start();
  await take(1, half);
  await until(() => server.uploads.length === 1 && seen.status?.pendingFiles === 0);
  server.pages.push({ rows: { media: [{ ...photo(2, half), state: 'complete', version: 1, _s: [0] }] } });
  engine.syncNow();
  await until(() => engine.store.read({ key: 'r', tables: ['media'], read: tx => tx.get('media', actionId(2)) }));
  await engine.file(actionId(2));
  expect([await has(1), await has(2)]).toEqual([true, true]);
  const db = await openDatabase(name);
  expect(await freeSpace(db, 1)).toBe(half);
  expect([await has(1), await has(2)]).toEqual([true, false]);

  await engine.file(actionId(2));
  await choose({ storage_limit_mb: 1 });
  await until(async () => !(await has(2)));
  expect(await has(1)).toBe(true);
  await engine.stop();
  expect(await freeSpace(db, 1)).toBe(half);
  expect(await has(1)).toBe(false);
  db.close();
});
