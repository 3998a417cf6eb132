import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { BackendError, type PullAnswer } from '../transport/backend.ts';
import type { OfflineState } from './offline-files.ts';

const SIZE = 400_000;
const file = (n: number, size = SIZE) => ({ id: actionId(n), organizationId: actionId(9), size });
const row = (n: number) => ({
  id: actionId(n),
  organization_id: actionId(9),
  mime: 'image/jpeg',
  bytes: SIZE,
  sha256: 'a'.repeat(64),
  state: 'complete',
  captured_at: '2026-11-21T09:00:00.000Z',
  version: 1,
  _s: [0],
});
const { signal } = new AbortController();

/** A phone that knows of three photos of others. */
async function phone(limit?: number) {
  const server = scripted(applied);
  let asked = 0;
  server.backend.download = async () => {
    asked += 1;
    return new ArrayBuffer(SIZE);
  };
  const preferences = { id: OWNER, user_id: OWNER, version: 1, _s: [0], storage_limit_mb: limit };
  server.pages.push({ rows: { media: [row(1), row(2), row(3)], ...(limit && { user_preferences: [preferences] }) } });
  const device = await opened(server.backend);
  const states: OfflineState[] = [];
  const { offlineFiles } = device.engine;
  offlineFiles.watch(state => states.push(state));
  device.engine.start();
  await device.until(() => device.seen.status?.firstPull === false);
  const has = async (n: number) =>
    (await device.engine.store.read({ key: `${n}`, tables: ['media'], read: tx => tx.bytes(actionId(n)) }))?.byteLength;
  const last = () => {
    const state = states.at(-1);
    return state && { wanted: [...state.wanted], here: [...state.here], failure: state.failure };
  };
  return { ...device, server, files: offlineFiles, has, last, asked: () => asked };
}

test('what was made available offline is fetched once, and nothing frees it until it is let go', async () => {
  const { engine, files, has, last, asked, until } = await phone(1);
  await files.want('playbook', true);
  await files.keep(file(1), signal);
  await files.keep(file(1), signal);
  expect([await has(1), asked()]).toEqual([SIZE, 1]);
  await until(() => last()?.here.length === 1);
  expect(last()).toEqual({ wanted: ['playbook'], here: [actionId(1)], failure: null });

  // Two more that were only looked at: over the limit of a megabyte the one that came first goes, not the one that is kept.
  await engine.file(actionId(2));
  await engine.file(actionId(3));
  expect([await has(1), await has(2), await has(3)]).toEqual([SIZE, undefined, SIZE]);

  await files.release([actionId(1)]);
  await files.want('playbook', false);
  await engine.file(actionId(2));
  expect([await has(1), await has(2), await has(3)]).toEqual([undefined, SIZE, SIZE]);
  await until(() => last()?.here.length === 0 && last()?.wanted.length === 0);
  await engine.stop();
});

test("the person's own limit is the budget: what does not fit is said and not fetched", async () => {
  const { engine, server, files, has, last, asked, until } = await phone(1);
  await files.keep(file(1), signal);
  await files.keep(file(2), signal);
  await expect(files.keep(file(3), signal)).rejects.toMatchObject({ code: 'storage_full' });
  expect(asked()).toBe(2);
  await until(() => last()?.failure === 'storage_full');
  await files.release([actionId(1)]);
  await files.keep(file(3), signal);
  await until(() => last()?.here.length === 2);
  expect(last()).toMatchObject({ here: [actionId(2), actionId(3)], failure: null });
  // It was only looked at from then on, and the limit is for all.
  expect(await has(1)).toBeUndefined();

  server.pages.push({ gone: [[0, 'media', actionId(2)]] });
  engine.syncNow();
  await until(async () => (await has(2)) === undefined);
  await files.keep(file(1), signal);
  expect(await has(1)).toBe(SIZE);
  await engine.stop();
});

test('a file that comes short is not kept; a line that breaks and a refusal are told apart', async () => {
  const { engine, server, files, has } = await phone();
  server.backend.download = async () => new ArrayBuffer(SIZE - 1);
  await expect(files.keep(file(1), signal)).rejects.toMatchObject({ code: 'offline' });
  server.backend.download = () => Promise.reject(new BackendError('network', 'no line'));
  await expect(files.keep(file(1), signal)).rejects.toMatchObject({ code: 'offline' });
  server.backend.download = () => Promise.reject(new BackendError('refused', 'no right', 'not_found'));
  await expect(files.keep(file(1), signal)).rejects.toMatchObject({ code: 'not_found' });
  expect(await has(1)).toBeUndefined();
  await engine.stop();
});

test('what comes after the wish has ended is not kept', async () => {
  const { engine, server, files, has } = await phone();
  const wish = new AbortController();
  server.backend.download = async () => {
    wish.abort(new Error('switched off'));
    return new ArrayBuffer(SIZE);
  };
  await expect(files.keep(file(1), wish.signal)).rejects.toThrow('switched off');
  expect(await has(1)).toBeUndefined();
  await engine.stop();
});

test('a file whose row went while it came is not kept, and one that is kept goes with its row', async () => {
  const { engine, server, files, has, last, until } = await phone();
  await files.keep(file(2), signal);
  const gone = (n: number): Partial<PullAnswer> => ({ gone: [[0, 'media', actionId(n)]] });
  const { download } = server.backend;
  server.backend.download = async (...given) => {
    server.pages.push(gone(1), gone(2));
    engine.syncNow();
    await until(
      async () => !(await engine.store.read({ key: 'r', tables: ['media'], read: tx => tx.get('media', actionId(1)) })),
    );
    return download(...given);
  };
  await expect(files.keep(file(1), signal)).rejects.toMatchObject({ code: 'not_found' });
  expect(await has(1)).toBeUndefined();
  engine.syncNow();
  await until(async () => (await has(2)) === undefined);
  await until(() => last()?.here.length === 0);
  await engine.stop();
});

test('on a mobile network files wait where the person wants it so', async () => {
  const { engine, server, files, network, until } = await phone();
  network.isMobile = () => true;
  expect(await files.mayFetch()).toBe(true);
  const wish = { id: OWNER, user_id: OWNER, version: 2, _s: [0], files_on_mobile_data: false };
  server.pages.push({ rows: { user_preferences: [wish] } });
  engine.syncNow();
  await until(async () => !(await files.mayFetch()));
  network.isMobile = () => false;
  expect(await files.mayFetch()).toBe(true);
  await engine.stop();
});
