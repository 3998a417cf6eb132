import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { byHand, cursor } from '@cairn/testing/paged-server.ts';
import { applied, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { virtualDevice, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { expect, test, vi } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import { openChanges } from '../store/changes.ts';
import { openDatabase } from '../store/database.ts';
import { askFirst } from './first-pages.ts';
import type { Platform } from '../transport/platform.ts';

/** A device whose copy beside the database takes as long as a test wants: until then nothing is sent and nothing stored. */
async function gettingReady(platform: Partial<Platform> = {}) {
  const { backupFiles } = virtualDevice();
  const looked = Promise.withResolvers<void>();
  const isLooking = Promise.withResolvers<void>();
  const get = async (name: string) => {
    isLooking.resolve();
    await looked.promise;
    return backupFiles.get(name);
  };
  const device = await byHand({ backupFiles: { ...backupFiles, get }, ...platform });
  return { ...device, ready: () => looked.resolve(), isLooking: isLooking.promise };
}

test('a device that has nothing asks for its first pages while it gets ready to store them, once', async () => {
  const { engine, asked, head, send, count, ready, row, until } = await gettingReady();
  engine.start();
  await count(1);
  head(0, 1, true);
  await count(2);
  send(0, 1, true);
  send(1, 2, false);
  expect(await row(1)).toBeUndefined();
  ready();
  await until(async () => (await row(2)) !== undefined, 0);
  expect(asked.map(({ cursors }) => cursors)).toEqual([{}, cursor(1)]);
  engine.syncNow();
  await until(() => asked.length === 3, 0);
  expect(asked[2]?.cursors).toEqual(cursor(2));
  await engine.stop();
});

test('what waits to be sent goes before anything is asked for', async () => {
  const { engine, asked, pushed, put, send, ready, isLooking, row, until } = await gettingReady();
  await put(7);
  engine.start();
  await isLooking;
  expect(asked).toEqual([]);
  ready();
  await until(() => asked.length === 1);
  expect(pushed.flat()).toHaveLength(1);
  send(0, 1, false);
  await until(async () => (await row(1)) !== undefined, 0);
  await engine.stop();
});

test('what was written meanwhile is sent, and what was asked for before it is not what is stored', async () => {
  const { engine, asked, pushed, put, send, count, ready, row, until } = await gettingReady();
  engine.start();
  await count(1);
  send(0, 1, false);
  await put(7);
  ready();
  await until(() => asked.length === 2);
  expect(pushed.flat()).toHaveLength(1);
  expect(asked[1]?.cursors).toEqual({});
  expect(await row(1)).toBeUndefined();
  send(1, 2, false);
  await until(async () => (await row(2)) !== undefined, 0);
  await engine.stop();
});

test('what was written meanwhile and could not be sent ends them too', async () => {
  const { engine, asked, pushed, failures, put, count, ready, until } = await gettingReady();
  failures.push(new BackendError('network', 'no answer'));
  engine.start();
  await count(1);
  await put(7);
  ready();
  await until(() => pushed.length === 1 && asked[0]?.signal.aborted, 0);
  expect(asked).toHaveLength(1);
  await engine.stop();
});

test('without a network nothing is asked for', async () => {
  const { engine, network, asked, seen, send, ready, row, until } = await gettingReady();
  network.set(false);
  engine.start();
  ready();
  await until(() => seen.status?.phase === 'waiting');
  expect(asked).toEqual([]);
  network.set(true);
  await until(() => asked.length === 1);
  send(0, 1, false);
  await until(async () => (await row(1)) !== undefined, 0);
  await engine.stop();
});

test('where they fail they are asked for again at once, on the line that is there by then', async () => {
  const { engine, asked, breakOff, send, count, ready, row, until } = await gettingReady();
  engine.start();
  await count(1);
  breakOff(0);
  ready();
  await count(2);
  expect(asked[1]).toMatchObject({ cursors: {}, limit: 2500 });
  send(1, 1, false);
  await until(async () => (await row(1)) !== undefined, 0);
  await engine.stop();
});

test.for(['waited for more than a minute', 'come while the network went'])(
  'what has %s is asked for anew',
  async what => {
    const { engine, clock, network, seen, send, count, ready, row, until } = await gettingReady();
    engine.start();
    await count(1);
    send(0, 1, false);
    if (what.startsWith('waited')) clock.advance(60_001);
    else network.set(false);
    ready();
    if (!network.online()) {
      await until(() => seen.status?.phase === 'waiting', 1);
      // The loops listen by now.
      network.set(false);
      network.set(true);
    }
    await count(2);
    expect(await row(1)).toBeUndefined();
    send(1, 2, false);
    await until(async () => (await row(2)) !== undefined, 0);
    await engine.stop();
  },
);

test('who stops before they are stored ends them', async () => {
  const { engine, asked, count, ready } = await gettingReady();
  engine.start();
  await count(1);
  const stopped = engine.stop();
  expect(asked[0]?.signal.aborted).toBe(true);
  ready();
  await stopped;
  expect(asked).toHaveLength(1);
});

test('a lead that could not be taken up ends them', async () => {
  const told: unknown[] = [];
  vi.stubGlobal('reportError', (error: unknown) => told.push(error));
  const broken = new TypeError('nobody knows what the storage takes');
  const { engine, asked, count, ready, until } = await gettingReady({ storageRatio: () => Promise.reject(broken) });
  engine.start();
  await count(1);
  ready();
  await until(() => asked[0]?.signal.aborted, 0);
  expect(told).toEqual([broken]);
  await engine.stop();
  vi.unstubAllGlobals();
});

test('a pull that is broken off ends them with itself', async () => {
  const signals: AbortSignal[] = [];
  const { backend } = scripted(applied);
  backend.pull = (_request, signal) => {
    signals.push(signal);
    return Promise.withResolvers<never>().promise;
  };
  const [db, platform] = [await openDatabase(newId()), virtualPlatform()];
  const changes = openChanges(platform.openChannel('test'), OWNER);
  const session = { db, owner: OWNER, device: newId(), backend, platform, changes, report: () => undefined };
  const first = await askFirst(session, new AbortController().signal);
  const pull = new AbortController();
  expect(first?.within(pull.signal, () => undefined)).not.toBeNull();
  expect(first?.within(pull.signal, () => undefined)).toBeNull();
  first?.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  pull.abort();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  db.close();
});
