import 'fake-indexeddb/auto';
import { BackendError, type Backend, type PullAnswer } from '../transport/backend.ts';
import { applied, opened, OWNER, SCOPE, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { afterEach, describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { openDevice } from '../device.ts';
import { BULK_PREFIX } from './bulk-block.ts';
import { recordsOf, typesRange } from './record-key.ts';
import type { Tx } from '../store.ts';

const OTHER = 'org:x';
const rows = (...all: ReturnType<typeof serverRow>[]) => ({ rows: { action_items: all } });
const some = (from: number, to: number, version = 1, fields = {}) =>
  Array.from({ length: to - from + 1 }, (_, at) => serverRow(from + at, version, fields));
/** What was changed stays on top. */
const refusing = () => ({ st: 'rejected' as const, code: '23514', msg: 'a rule' });
const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

/** How many blocks lie on the device. */
async function blocks(name: string): Promise<number> {
  const db = await openDatabase(name);
  const tx = await db.transaction(['tasks'], 'readonly');
  const count = await tx.objectStore('tasks').count(typesRange(OWNER, BULK_PREFIX));
  await tx.done;
  db.close();
  return count;
}

/** A device whose first page has landed, seven rows of it, while the next one is on its way. */
async function halfway(...later: Partial<PullAnswer>[]) {
  const server = scripted(refusing);
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const { pull } = server.backend;
  let asked = 0;
  server.backend.pull = async (request, signal) => {
    asked += 1;
    if (asked === 2) await arrived;
    return pull(request, signal);
  };
  server.pages.push({ ...rows(...some(1, 7)), more: true }, ...later);
  const place = await opened(server.backend);
  stops.push(() => place.engine.stop());
  place.engine.start();
  await place.until(async () => (await place.row(7)) !== undefined);
  expect(await blocks(place.name)).toBe(3);
  const all = () =>
    place.engine.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') });
  const titles = async () => (await all()).map(({ id, title }) => `${Number(id.slice(-3))} ${title}`).toSorted();
  const finished = async () => {
    arrive();
    await place.until(() => place.seen.status?.firstPull === false && place.seen.status.phase === 'idle');
    expect(await blocks(place.name)).toBe(0);
  };
  return { ...place, server, arrive, titles, finished };
}

const original = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => `${from + at} from the server`);

/** The next life of such a device, before it begins. */
async function nextLife({ name, shared, clock, backend }: NextLife) {
  const device = await openDevice({ name, platform: virtualPlatform({ clock, device: shared }) });
  const next = device.engineFor({ owner: OWNER, backend });
  stops.push(() => next.stop());
  const unpacked = () =>
    expect
      .poll(() => {
        clock.advance(250);
        return blocks(name);
      })
      .toBe(0);
  return { next, laidDown: unpacked };
}

type NextLife = Pick<Awaited<ReturnType<typeof halfway>>, 'name' | 'shared' | 'clock'> & { backend: Backend };

describe('bulk-loaded rows', () => {
  test('are read, counted and changed before they are unpacked, and what was changed is sent', async () => {
    const { engine, change, titles, finished, server, until } = await halfway(rows(...some(8, 9)));
    await change(2, { title: 'mine' });
    await engine.store.write('gone', tx => tx.remove('action_items', actionId(3)));
    const count = await engine.store.read({
      key: 'count',
      tables: ['action_items'],
      read: tx => tx.count('action_items', 'status', 'open/', 'open/\uffff'),
    });
    expect(count).toBe(6);
    expect(await titles()).toEqual(['1 from the server', '2 mine', ...original(4, 7)]);
    await finished();
    await until(() => server.pushed.flat().length === 2);
    expect(await titles()).toEqual(['1 from the server', '2 mine', ...original(4, 9)]);
    expect(server.pushed.flat()).toMatchObject([
      { op: 'update', id: actionId(2), patch: { title: 'mine' }, base: { title: 'from the server' }, bv: 1 },
      { op: 'delete', id: actionId(3), bv: 1 },
    ]);
  });

  test('are unpacked when the next page brings one of them again, takes one away, or reads a scope anew', async () => {
    const again = await halfway(rows(serverRow(2, 2, { title: 'second' }), ...some(8, 9)));
    await again.finished();
    expect(await again.titles()).toEqual(['1 from the server', '2 second', ...original(3, 9)]);

    const away = await halfway({ ...rows(...some(8, 9)), gone: [[0, 'action_items', actionId(4)]] });
    await away.finished();
    expect(await away.titles()).toEqual([...original(1, 3), ...original(5, 9)]);

    const back = await halfway(
      { gone: [[0, 'action_items', actionId(4)]], more: true },
      rows(...some(4, 4), ...some(8, 9)),
    );
    await back.finished();
    expect(await back.titles()).toEqual(original(1, 9));

    // Another table of the same page is stored only when the page is, not with the attempt that had to lay down first.
    const sites = [{ id: actionId(60), version: 1, organization_id: actionId(99), name: 'North', _s: [0] }];
    const both = {
      rows: {
        organizations: sites.map(site => ({ ...site, slug: 'n' })),
        action_items: [serverRow(2, 2, { title: 'second' })],
      },
    };
    const beside = await halfway(both);
    await beside.finished();
    const organizations = { key: 'o', tables: ['organizations' as const], read: (tx: Tx) => tx.all('organizations') };
    expect((await beside.engine.store.read(organizations)).map(({ id }) => id)).toEqual([actionId(60)]);

    const anew = await halfway({ ...rows(...some(1, 3, 2)), resets: [SCOPE] });
    await anew.finished();
    expect(await anew.titles()).toEqual(original(1, 3));

    const lost = await halfway({
      ...rows(...some(8, 9)),
      scopes: { [OTHER]: ['e', 1, '~', actionId(0)] },
      order: [OTHER],
    });
    await lost.finished();
    expect(await lost.titles()).toEqual(original(8, 9));
  });

  test('stay where they are when another scope names them too, unless that is news', async () => {
    const known = await halfway({ stubs: { action_items: [[actionId(2), 1, [0]]] }, more: true }, {});
    known.arrive();
    await known.finished();
    expect(await known.titles()).toEqual(original(1, 7));

    const news = await halfway({
      stubs: { action_items: [[actionId(2), 1, [0, 1]]] },
      order: [SCOPE, OTHER],
      scopes: { [SCOPE]: ['e', 9, '~', actionId(0)], [OTHER]: ['e', 1, '~', actionId(0)] },
    });
    await news.finished();
    expect(await news.titles()).toEqual(original(1, 7));
    // The first scope goes: what the second holds too stays.
    news.server.pages.push({ scopes: { [OTHER]: ['e', 1, '~', actionId(0)] }, order: [OTHER] });
    news.engine.syncNow();
    await news.until(async () => (await news.titles()).length === 1);
    expect(await news.titles()).toEqual(original(2, 2));
  });

  test('are asked for whole when another scope names a version of them that is not here', async () => {
    // Every row of the second answer is later than one that landed: whichever of two were laid down first would show.
    const place = await halfway(
      { stubs: { action_items: [[actionId(2), 5, [0]]] } },
      rows(...some(1, 7, 5, { title: 'fifth' })),
    );
    await place.finished();
    expect(await place.titles()).toEqual(Array.from({ length: 7 }, (_, at) => `${at + 1} fifth`));
  });

  test('I1 are there after the app died, with what was changed, and are unpacked by the next one', async () => {
    const { engine, change, server, ...left } = await halfway();
    await change(2, { title: 'mine' });
    await engine.stop();
    expect(await blocks(left.name)).toBe(3);
    const { next, laidDown: unpacked } = await nextLife({ ...left, backend: scripted(applied).backend });
    const titles = async () =>
      (await next.store.read({ key: 'all', tables: ['action_items'], read: tx => tx.all('action_items') }))
        .map(({ id, title }) => `${Number(id.slice(-3))} ${title}`)
        .toSorted();
    expect(await titles()).toEqual(['1 from the server', '2 mine', ...original(3, 7)]);
    expect(server.pushed).toEqual([]);
    next.start();
    await unpacked();
    expect(await titles()).toEqual(['1 from the server', '2 mine', ...original(3, 7)]);
  });

  test('are unpacked by the next app also with no network and something that waits', async () => {
    const { engine, change, ...left } = await halfway();
    await engine.stop();
    await change(2, { title: 'mine' });
    const { backend } = scripted(applied);
    const none = () => Promise.reject(new BackendError('network', 'none'));
    const { next, laidDown: unpacked } = await nextLife({ ...left, backend: { ...backend, push: none, pull: none } });
    next.start();
    await unpacked();
  });

  test('take unsent work of a rescue file on top', async () => {
    const file = await (async () => {
      const first = await opened(scripted(applied).backend);
      stops.push(() => first.engine.stop());
      await first.put(1, { title: 'made elsewhere' });
      await first.change(1, { title: 'changed elsewhere' });
      return first.engine.rescue.pack('lighthouse over the northern quay', {
        email: 'sam@example.test',
        withPrivate: true,
      });
    })();
    const { engine, titles, finished } = await halfway(rows(...some(8, 9)));
    await engine.rescue.take(await engine.rescue.unlock(file, 'lighthouse over the northern quay'));
    expect(await titles()).toEqual(['1 changed elsewhere', ...original(2, 7)]);
    await finished();
    expect(await titles()).toEqual(['1 changed elsewhere', ...original(2, 9)]);
  });

  test('are counted one by one where the person looks at their storage', async () => {
    const { engine, finished } = await halfway(rows(...some(8, 9)));
    const taken = async () => (await engine.storageUse()).find(({ area }) => area === 'tasks');
    const before = await taken();
    expect(before?.records).toBe(7);
    await finished();
    expect((await taken())?.records).toBe(9);
  });

  test('are many at most: the rest of a large pull is stored row by row', async () => {
    const { titles, finished, name, arrive, row, until } = await halfway(
      { ...rows(...some(8, 60)), more: true },
      rows(...some(61, 62)),
    );
    arrive();
    await until(async () => (await row(60)) !== undefined);
    expect(await blocks(name)).toBe(0);
    await finished();
    expect((await titles()).length).toBe(62);
  });

  test('are all gone with their person', async () => {
    const { engine, device, name } = await halfway();
    await engine.stop();
    await device.forgetPerson(OWNER);
    const db = await openDatabase(name);
    const tx = await db.transaction(['tasks'], 'readonly');
    expect(await tx.objectStore('tasks').count(recordsOf(OWNER))).toBe(0);
  });
});

test('a record that lies by itself does not land: the rest of the page does, and what is unsent stays on top', async () => {
  const server = scripted(refusing);
  const { promise: saved, resolve: save } = Promise.withResolvers<void>();
  const { promise: looked, resolve: look } = Promise.withResolvers<void>();
  const { pull } = server.backend;
  let asked = 0;
  server.backend.pull = async (request, signal) => {
    asked += 1;
    if (asked > 1) await (asked === 2 ? saved : looked);
    return pull(request, signal);
  };
  const place = await opened(server.backend);
  stops.push(() => place.engine.stop());
  server.pages.push({ ...rows(...some(6, 8)), more: true }, { ...rows(...some(1, 5)), more: true });
  place.engine.start();
  await place.until(async () => (await place.row(8)) !== undefined);
  await place.put(1, { title: 'made here' });
  save();
  await place.until(async () => (await place.row(5)) !== undefined);
  expect(await blocks(place.name)).toBe(3);
  look();
  await place.until(() => place.seen.status?.firstPull === false && place.seen.status.phase === 'idle');
  expect(await blocks(place.name)).toBe(0);
  expect(await place.row(1)).toMatchObject({ title: 'made here', version: 1 });
  const all = await place.engine.store.read({ key: 'n', tables: ['action_items'], read: tx => tx.all('action_items') });
  expect(all).toHaveLength(8);
});
