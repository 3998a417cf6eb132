import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualClock, virtualDevice, virtualNetwork, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { deleteDB, openDB } from 'idb';
import { describe, expect, test } from 'vitest';
import { BackendError } from '../transport/backend.ts';
import { openDevice } from '../device.ts';
import type { SyncEngine } from '../engine/engine.ts';
import type { OutboxItem } from '../outbox/outbox-item.ts';
import type { Platform } from '../transport/platform.ts';

const PHOTO = actionId(50);
const BYTES = new TextEncoder().encode('bytes');

/** A phone without signal that has a place beside its database. */
async function phone(platform: Partial<Platform> = {}) {
  const beside = virtualDevice();
  const server = scripted(applied);
  const device = await opened(server.backend, { platform: { backupFiles: beside.backupFiles, ...platform } });
  device.network.set(false);
  device.engine.start();
  return { ...device, server, beside };
}

async function takePhoto(engine: SyncEngine): Promise<void> {
  await engine.store.write('photo', async tx => {
    const { organization_id } = anAction(1);
    const file = { mime: 'image/jpeg', bytes: 5, sha256: 'a'.repeat(64), captured_at: '2026-11-21T08:00:00Z' };
    await tx.put('media', { id: PHOTO, organization_id, captured_by: OWNER, ...file });
    await tx.putBytes(PHOTO, BYTES.slice().buffer);
  });
}

type Phone = Awaited<ReturnType<typeof phone>>;

/** The app is opened once more, still without signal. */
async function openedAgain(
  { name, shared, beside }: Pick<Phone, 'name' | 'shared' | 'beside'>,
  given: Partial<Platform> = {},
) {
  const [clock, network] = [virtualClock(), virtualNetwork()];
  network.set(false);
  const platform = virtualPlatform({ device: shared, backupFiles: beside.backupFiles, clock, network, ...given });
  const device = await openDevice({ name, platform });
  const server = scripted(applied);
  const { push, pull } = server.backend;
  // What the person does by hand is tried all the same.
  const reached = <A>(call: () => Promise<A>) =>
    network.online() ? call() : Promise.reject(new BackendError('network', 'no signal'));
  server.backend.push = (...asked) => reached(() => push(...asked));
  server.backend.pull = (...asked) => reached(() => pull(...asked));
  const engine = device.engineFor({ owner: OWNER, backend: server.backend });
  return { device, engine, clock, network, server };
}

/** The browser throws the database away, and the app is opened again. */
async function withoutDatabase(phone: Phone, given: Partial<Platform> = {}) {
  await phone.engine.stop();
  await phone.device.close();
  await deleteDB(phone.name);
  return openedAgain(phone, given);
}

type ReopenedDevice = Awaited<ReturnType<typeof openedAgain>>;

/** The outbox's lines by record, while time passes. */
function lines({ engine, clock }: ReopenedDevice) {
  let outbox: OutboxItem[] = [];
  const stop = engine.watchOutbox(items => (outbox = items));
  return { stop, of: () => (clock.advance(250), new Map(outbox.map(({ recordId, key }) => [recordId, key]))) };
}

async function closed({ engine, device }: ReopenedDevice): Promise<void> {
  await engine.stop();
  await device.close();
}

/** Goes online and says which records were sent once nothing waits. */
async function sent(next: ReopenedDevice): Promise<string[]> {
  const { of, stop } = lines(next);
  await expect.poll(() => of().size).toBeGreaterThan(0);
  next.network.set(true);
  await expect.poll(() => of().size).toBe(0);
  stop();
  return next.server.pushed.flat().map(({ id }) => id);
}

const copied =
  ({ beside }: Phone, words: string) =>
  async () =>
    (await (await beside.backupFiles.get(`${OWNER}/outbox`))?.text())?.includes(words);

const titles = async (engine: SyncEngine) =>
  (await engine.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') })).map(
    ({ title }) => title,
  );

describe('a copy of the outbox outside the database', () => {
  test('brings work and photos back that a browser threw away with its database, under their ids, and sends them once', async () => {
    const first = await phone();
    await first.put(1, { title: 'Guard is loose' });
    await takePhoto(first.engine);
    await first.until(() => first.beside.backups.has(`${OWNER}/file/${PHOTO}`));
    await first.until(() => (first.shared.stored.get('cairn.pending') ?? '').includes('"count":2'));

    const next = await withoutDatabase(first);
    // Somebody signs in who has it all in a copy: nothing is lost, and nobody is told so.
    expect(await next.device.losses()).toEqual([]);
    next.engine.start();
    await expect.poll(() => titles(next.engine)).toEqual(['Guard is loose']);
    const bytes = await next.engine.store.read({ key: 'b', tables: ['media'], read: tx => tx.bytes(PHOTO) });
    expect(new Uint8Array(bytes ?? new ArrayBuffer())).toEqual(BYTES);
    await expect.poll(() => next.device.losses()).toMatchObject([{ owner: OWNER, count: 2, returned: true }]);
    next.device.lossesSeen(await next.device.losses());
    expect(await next.device.losses()).toEqual([]);

    next.network.set(true);
    const passed = () => {
      next.clock.advance(250);
      return next.server.pushed.flat().length;
    };
    await expect.poll(passed).toBeGreaterThanOrEqual(2);
    await expect.poll(() => (passed(), next.server.uploads)).toEqual([PHOTO]);
    const mids = next.server.pushed.flat().map(({ mid }) => mid);
    expect(new Set(mids).size).toBe(mids.length);
    await expect.poll(() => (passed(), first.beside.backups.size)).toBe(0);
    await next.engine.stop();
  });

  test('says what is lost where there is no copy, and of whom there is one only that it came back', async () => {
    const first = await phone();
    await first.put(1);
    await first.until(copied(first, actionId(1)));
    await first.until(() => (first.shared.stored.get('cairn.pending') ?? '').includes('"count":1'));
    first.beside.backups.clear();
    const next = await withoutDatabase(first);
    next.engine.start();
    expect(await next.device.losses()).toMatchObject([{ owner: OWNER, count: 1 }]);
    expect((await next.device.losses())[0]?.returned).toBeUndefined();
    await next.engine.stop();
  });

  test('a copy of this very database is not taken: what was discarded stays discarded', async () => {
    const first = await phone();
    await first.put(1);
    await first.until(() => first.seen.outbox.length === 1);
    await first.until(copied(first, actionId(1)));
    await first.engine.stop();
    await first.engine.discard(first.seen.outbox[0]?.key ?? '');
    const again = first.device.engineFor({ owner: OWNER, backend: first.server.backend });
    again.start();
    await first.until(() => first.beside.backups.size === 0);
    expect(await titles(again)).toEqual([]);
    await again.stop();
  });

  test('a database thrown away under the open app leaves the copy alone', async () => {
    const first = await phone();
    await first.put(1, { title: 'Once' });
    await first.until(copied(first, 'Once'));
    const other = await openDB(first.name);
    const tx = other.transaction(['meta', 'sync_queue'], 'readwrite');
    await Promise.all([tx.objectStore('meta').clear(), tx.objectStore('sync_queue').clear(), tx.done]);
    other.close();
    first.engine.syncNow();
    await first.put(2, { title: 'After it' });
    await first.until(
      async () =>
        (await first.engine.store.read({ key: 'n', tables: ['action_items'], read: tx => tx.all('action_items') }))
          .length === 2,
    );
    await first.until(() => first.seen.outbox.length === 1);
    first.clock.advance(60_000);
    await first.engine.stop();
    expect(await (await first.beside.backupFiles.get(`${OWNER}/outbox`))?.text()).toContain('Once');
    expect(await (await first.beside.backupFiles.get(`${OWNER}/outbox`))?.text()).not.toContain('After it');
  });

  test('goes with a person who is forgotten, and stays away where room is short', async () => {
    const first = await phone();
    await first.put(1);
    await first.until(() => first.beside.backups.size > 0);
    await first.engine.stop();
    await first.device.forgetPerson(OWNER);
    expect(first.beside.backups.size).toBe(0);

    const asked: number[] = [];
    const storageLeft = async () => asked.push(1) && 63 * 1024 * 1024;
    const full = await phone({ storageLeft });
    await full.put(1);
    await full.until(() => asked.length > 0 && full.seen.outbox.length === 1);
    await full.engine.stop();
    expect(full.beside.backups.size).toBe(0);
  });

  test.each([1024, 30])('what came back and was discarded stays discarded (%i MB left)', async megabytes => {
    const storageLeft = async () => megabytes * 1024 * 1024;
    const first = await phone();
    await first.put(1, { title: 'said in anger' });
    await first.put(2, { title: 'meant' });
    await first.until(copied(first, 'meant'));
    const next = await withoutDatabase(first, { storageLeft });
    next.engine.start();
    const { of, stop } = lines(next);
    await expect.poll(() => [...of().keys()]).toEqual([actionId(1), actionId(2)]);
    expect(await next.engine.discard(of().get(actionId(1)) ?? '')).toBe('gone');
    const copyOf = async () => (await (await first.beside.backupFiles.get(`${OWNER}/outbox`))?.text()) ?? '';
    await expect.poll(async () => (of(), (await copyOf()).includes('said in anger'))).toBe(false);
    stop();
    await closed(next);
    const later = await openedAgain(first, { storageLeft });
    later.engine.start();
    expect(await sent(later)).toEqual([actionId(2)]);
    await closed(later);
  });

  test('one whose photo has no room brings its words back once, and the photo when there is room', async () => {
    const first = await phone();
    await first.put(1, { title: 'said in anger' });
    await first.put(2, { title: 'meant' });
    await takePhoto(first.engine);
    await first.until(() => first.beside.backups.has(`${OWNER}/file/${PHOTO}`));
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (value: { type?: string }, ...key) {
      if (value.type === 'media_bytes') throw new DOMException('no room', 'QuotaExceededError');
      return put.call(this, value, ...key);
    };
    const told: unknown[] = [];
    globalThis.reportError = error => void told.push(error);
    const next = await withoutDatabase(first);
    next.engine.start();
    const { of, stop } = lines(next);
    await expect.poll(() => (of(), told)).toMatchObject([{ name: 'QuotaExceededError' }]);
    await expect.poll(() => [...of().keys()].toSorted()).toEqual([actionId(1), actionId(2), PHOTO].toSorted());
    expect(await next.engine.discard(of().get(actionId(1)) ?? '')).toBe('gone');
    stop();
    await closed(next);

    IDBObjectStore.prototype.put = put;
    const later = await openedAgain(first);
    later.engine.start();
    expect((await sent(later)).toSorted()).toEqual([actionId(2), PHOTO].toSorted());
    await expect.poll(() => (later.clock.advance(250), later.server.uploads)).toEqual([PHOTO]);
    await closed(later);
  });

  test('one that cannot be read is no reason to stop: work goes on, and the next copy takes its place', async () => {
    const first = await phone();
    await first.put(1, { title: 'Once' });
    await first.until(copied(first, 'Once'));
    const next = await withoutDatabase(first);
    await first.beside.backupFiles.put(`${OWNER}/outbox`, new Blob(['{"version":1,"ow']));
    next.engine.start();
    await next.engine.store.write('put', tx => tx.put('action_items', anAction(2, { title: 'After it' })));
    await expect
      .poll(async () => {
        next.clock.advance(250);
        return (await first.beside.backupFiles.get(`${OWNER}/outbox`))?.text();
      })
      .toContain('After it');
    await next.engine.stop();
  });

  test('one whose work has not come back outlives a sign-out; what this very database was copied to does not', async () => {
    const first = await phone();
    await first.put(1, { title: 'Once' });
    await first.until(copied(first, 'Once'));
    const next = await withoutDatabase(first);
    await next.engine.stop();
    await next.device.sealOutbox({ id: OWNER, email: 'sam@example.test' }, 'words');
    expect(await copied(first, 'Once')()).toBe(true);

    const second = await phone();
    await second.put(1, { title: 'Closed' });
    await second.until(copied(second, 'Closed'));
    await second.engine.stop();
    expect(await second.device.sealOutbox({ id: OWNER, email: 'sam@example.test' }, 'words')).toBe(true);
    expect(second.beside.backups.size).toBe(0);
  });

  /** Virtual ms between two copies on a phone so busy that each takes half a second. */
  async function restAfter(chars: number): Promise<number> {
    const first = await phone();
    const put = first.beside.backupFiles.put.bind(first.beside.backupFiles);
    const copies: { began: number; ended: number }[] = [];
    first.beside.backupFiles.put = async (...given) => {
      const began = first.clock.now();
      if (copies.length === 0) await first.put(2, { title: 'said meanwhile' });
      first.clock.advance(500);
      copies.push({ began, ended: first.clock.now() });
      await put(...given);
    };
    await first.put(1, { description: 'x'.repeat(chars) });
    await first.until(copied(first, 'said meanwhile'), 50);
    await first.engine.stop();
    return (copies[1]?.began ?? 0) - (copies[0]?.ended ?? 0);
  }

  test('is followed by the next at once where it is short, however busy the phone, and rests where it is long', async () => {
    expect(await restAfter(10)).toBeLessThan(1000);
    expect(await restAfter(1_000_000)).toBeGreaterThan(2000);
  });

  test('one begun by another tab while its person signed out is taken away as soon as it lies there', async () => {
    const first = await phone();
    const put = first.beside.backupFiles.put.bind(first.beside.backupFiles);
    const { promise: begun, resolve: begins } = Promise.withResolvers<void>();
    const { promise: closed, resolve: closes } = Promise.withResolvers<void>();
    first.beside.backupFiles.put = async (...given) => {
      begins();
      await closed;
      return put(...given);
    };
    await first.put(1, { title: 'Closed' });
    await takePhoto(first.engine);
    first.clock.advance(100);
    await begun;
    expect(await first.device.sealOutbox({ id: OWNER, email: 'sam@example.test' }, 'words')).toBe(true);
    closes();
    await first.engine.stop();
    expect(first.beside.backups.size).toBe(0);
  });

  test('one written while the browser threw the database away is not taken for one that is done with', async () => {
    const first = await phone();
    const put = first.beside.backupFiles.put.bind(first.beside.backupFiles);
    first.beside.backupFiles.put = async (...given) => {
      const emptied = await openDB(first.name);
      await emptied.clear('sync_queue');
      await emptied.clear('meta');
      emptied.close();
      await put(...given);
    };
    await first.put(1, { title: 'Once' });
    await first.until(copied(first, 'Once'));
    await first.engine.stop();
    expect(await copied(first, 'Once')()).toBe(true);
  });

  test('one that holds a table only a newer Cairn knows waits for it, whole', async () => {
    const first = await phone();
    await first.put(1, { title: 'Once' });
    await first.until(copied(first, 'Once'));
    const next = await withoutDatabase(first);
    const text = (await (await first.beside.backupFiles.get(`${OWNER}/outbox`))?.text()) ?? '';
    const newer = JSON.parse(text) as { entries: { dataType: string; mid: string }[] };
    newer.entries.push(...newer.entries.map(entry => ({ ...entry, dataType: 'of_tomorrow', mid: actionId(7) })));
    await first.beside.backupFiles.put(`${OWNER}/outbox`, new Blob([JSON.stringify(newer)]));
    const told: unknown[] = [];
    globalThis.reportError = error => void told.push(error);
    next.engine.start();
    await expect.poll(() => (next.clock.advance(250), told)).toMatchObject([{ problem: 'newer' }]);
    await next.engine.stop();
    expect(await titles(next.engine)).toEqual([]);
    expect(await (await first.beside.backupFiles.get(`${OWNER}/outbox`))?.text()).toContain('of_tomorrow');
  });
});
