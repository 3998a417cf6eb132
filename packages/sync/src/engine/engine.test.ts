import { keyAt } from '../store/record-key.ts';
import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, opened, OWNER, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { describe, expect, test } from 'vitest';
import { BackendError, type Backend, type Mutation } from '../transport/backend.ts';
import { openDatabase } from '../store/database.ts';
import { openDevice } from '../device.ts';

describe('the outbox', () => {
  test('R4.29 an edit marks the record dirty, its acknowledgement clean', async () => {
    const server = scripted(applied);
    const { engine, put, name, until, seen } = await opened(server.backend);
    await put(1);
    server.pages.push({ stubs: { action_items: [[actionId(1), 1, [0]]] } });
    const dirty = async () => {
      const db = await openDatabase(name);
      const tx = await db.transaction(['tasks'], 'readonly');
      const record = await tx.objectStore('tasks').get(keyAt(OWNER, 'action_items', actionId(1)));
      db.close();
      return record?.isDirty;
    };
    expect(await dirty()).toBe(true);
    engine.start();
    await until(() => seen.status?.pendingItems === 0 && server.pushed.length > 0);
    expect(await dirty()).toBe(false);
    await engine.stop();
  });

  test('R4.30 edits made with no server are kept, joined, and arrive as one mutation once there is one', async () => {
    const server = scripted(applied);
    const { engine, put, change, until, seen } = await opened(server.backend);
    await put(1, { title: 'first' });
    await change(1, { title: 'second' });
    await change(1, { description: 'why' });
    await until(() => seen.status?.pendingItems === 1);
    engine.start();
    await until(() => server.pushed.length === 1 && seen.status?.pendingItems === 0);
    expect(server.pushed.flat()).toMatchObject([
      { op: 'insert', patch: { title: 'second', description: 'why' }, base: {}, bv: 0 },
    ]);
    await engine.stop();
  });

  test('what was written together goes together, however long: the finish of a form with 120 questions', async () => {
    const server = scripted(applied);
    const { engine, until, seen } = await opened(server.backend);
    const all = Array.from({ length: 120 }, (_, n) => anAction(n + 1));
    await engine.store.write(
      'finish',
      async tx => void (await Promise.all(all.map(row => tx.put('action_items', row)))),
      {
        together: true,
      },
    );
    engine.start();
    await until(() => server.pushed.length > 0 && seen.status?.pendingItems === 0);
    expect(server.pushed.map(batch => batch.length)).toEqual([120]);
    await engine.stop();
  });

  test('the first send freezes the body: a later edit is its own mutation, based on what was sent', async () => {
    const server = scripted(applied);
    const { engine, put, change, until, seen } = await opened(server.backend);
    await put(1, { title: 'sent' });
    server.failures.push(new BackendError('network', 'answer lost'));
    engine.start();
    await until(() => server.pushed.length === 1, 0);
    await change(1, { title: 'later' });
    await until(() => server.pushed.length >= 3 && seen.status?.pendingItems === 0);
    expect(server.pushed[1]).toEqual(server.pushed[0]);
    expect(server.pushed[2]).toMatchObject([
      { op: 'update', patch: { title: 'later' }, base: { title: 'sent' }, bv: 1 },
    ]);
    await engine.stop();
  });

  test('deleting what was never sent sends nothing', async () => {
    const server = scripted(applied);
    const { engine, put, until, seen, clock } = await opened(server.backend);
    await put(1);
    await engine.store.write('remove', tx => tx.remove('action_items', actionId(1)));
    engine.start();
    await until(() => seen.status?.firstPull === false && seen.status.phase === 'idle');
    clock.advance(10_000);
    expect(server.pushed).toEqual([]);
    await engine.stop();
  });

  test('an edit undone before it was sent leaves nothing to send', async () => {
    const server = scripted(applied);
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, change, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await engine.stop();
    expect((await row(1))?.created_at).toBe('2026-11-21T08:00:00Z');
    await change(1, { title: 'x' });
    await change(1, { title: 'from the server' });
    expect(
      await engine.store.read({ key: 'q', tables: ['action_items'], read: tx => tx.get('action_items', actionId(1)) }),
    ).toMatchObject({ version: 3 });
  });

  test('a rejected entry is set aside with its reason; the others flow; editing it mends it', async () => {
    const server = scripted(m =>
      m.patch['title'] === 'bad' ? { st: 'rejected', code: '23514', msg: 'title_check' } : applied(m),
    );
    const { engine, put, change, until, seen } = await opened(server.backend);
    await put(1, { title: 'bad' });
    await put(2);
    engine.start();
    await until(() => seen.status?.failed === 1 && seen.status.pendingItems === 1);
    expect(seen.outbox).toMatchObject([
      { recordId: actionId(1), state: 'failed', lastError: '23514', detail: 'title_check' },
    ]);
    await change(1, { title: 'good' });
    await until(() => seen.status?.pendingItems === 0);
    const mids = server.pushed
      .flat()
      .filter(m => m.id === actionId(1))
      .map(m => m.mid);
    expect(new Set(mids).size).toBe(2);
    await engine.stop();
  });

  test('discard throws the queued work away and shows the server row again', async () => {
    const server = scripted(() => ({ st: 'rejected', code: '42501', msg: 'no right' }));
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, change, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.status?.failed === 1 && seen.outbox[0]?.state === 'failed');
    await engine.discard(seen.outbox[0]?.key ?? '');
    expect(await row(1)).toMatchObject({ title: 'from the server', version: 3 });
    await until(() => seen.outbox.length === 0);
    await engine.stop();
  });

  test.each([
    ['too_large', null],
    ['refused', 'PGRST102'],
    ['refused', '21000'],
    ['refused', '54001'],
  ] as const)(
    'a batch refused as a whole (%s %s) is halved until the one entry at fault stands alone',
    async (kind, code) => {
      const server = scripted(applied);
      const { backend } = server;
      const heavy = {
        ...backend,
        push: (device: string, mutations: Mutation[], signal: AbortSignal) =>
          mutations.some(m => m.patch['title'] === 'heavy')
            ? Promise.reject(new BackendError(kind, 'no such body', code))
            : backend.push(device, mutations, signal),
      };
      const { engine, put, until, seen } = await opened(heavy);
      for (let n = 1; n <= 9; n += 1) await put(n, { title: n === 5 ? 'heavy' : 'light' });
      engine.start();
      await until(() => seen.status?.pendingItems === 1 && seen.status.failed === 1);
      expect(server.pushed.flat()).toHaveLength(8);
      await engine.stop();
    },
  );

  test('records written together stand next to each other in one batch, with their group', async () => {
    const server = scripted(applied);
    const { engine, put, until, seen } = await opened(server.backend);
    await put(3);
    await engine.store.write(
      'both',
      async tx => {
        await tx.put('action_items', anAction(1));
        await tx.put('action_items', anAction(2));
      },
      { together: true },
    );
    engine.start();
    await until(() => seen.status?.pendingItems === 0 && server.pushed.length > 0);
    const groups = server.pushed[0]?.map(({ group }) => group);
    expect(groups).toEqual([undefined, expect.any(String), groups?.[1]]);
    await engine.stop();
  });
});

describe('failures of the server', () => {
  test('no local write is needed for a failed push to be tried again, for ever and slower', async () => {
    const server = scripted(applied);
    for (let n = 0; n < 12; n += 1) server.failures.push(new BackendError('busy', '503'));
    const { engine, put, until, seen, clock } = await opened(server.backend);
    const began = clock.now();
    await put(1);
    engine.start();
    await until(() => server.pushed.length === 13 && seen.status?.pendingItems === 0, 5000);
    // Half of 1 + 2 + 4 + … + 256 + 3 × 300 s.
    expect(clock.now() - began).toBeGreaterThan(600_000);
    await engine.stop();
  });

  test('coming online ends the waiting at once', async () => {
    const server = scripted(applied);
    server.failures.push(new BackendError('network', 'down', null, 3_600_000));
    const { engine, put, until, seen, network } = await opened(server.backend);
    await put(1);
    engine.start();
    await until(() => seen.status?.phase === 'waiting', 20);
    expect(seen.status?.online).toBe(false);
    network.set(true);
    await until(() => seen.status?.pendingItems === 0, 50);
    await engine.stop();
  });

  test('a refused token pauses, asks for a fresh one, and nothing is lost', async () => {
    const server = scripted(applied);
    server.failures.push(new BackendError('auth', 'expired', 'PGRST303'));
    let asked = 0;
    const { engine, put, until, seen } = await opened(server.backend, {
      refreshToken: async () => {
        asked += 1;
      },
    });
    await put(1);
    engine.start();
    await until(() => server.pushed.length === 2 && seen.status?.pendingItems === 0);
    expect(asked).toBe(1);
    await engine.stop();
  });

  test('a request that never answers is given up after 30 s and tried again', async () => {
    const server = scripted(applied);
    let hang = true;
    const hanging: Backend = {
      ...server.backend,
      push: (...args) => (hang ? new Promise(() => (hang = false)) : server.backend.push(...args)),
    };
    const { engine, put, until, seen } = await opened(hanging);
    await put(1);
    engine.start();
    await until(() => server.pushed.length === 1 && seen.status?.pendingItems === 0, 1000);
    expect(hang).toBe(false);
    await engine.stop();
  });

  test('an answer that does not fit what was sent counts as none', async () => {
    const server = scripted(applied);
    let first = true;
    const portal: Backend = {
      ...server.backend,
      async push(...args) {
        const answer = await server.backend.push(...args);
        if (!first) return answer;
        first = false;
        return { ...answer, results: [] };
      },
    };
    const { engine, put, until, seen } = await opened(portal);
    await put(1);
    engine.start();
    await until(() => server.pushed.length === 2 && seen.status?.pendingItems === 0);
    expect(server.pushed[0]).toEqual(server.pushed[1]);
    await engine.stop();
  });
});

describe('receipts and files', () => {
  test('one burst makes one receipt, also when the app died before it was asked for', async () => {
    const server = scripted(applied);
    const { engine, put, until, seen, clock } = await opened(server.backend);
    for (let n = 1; n <= 60; n += 1) await put(n);
    clock.advance(60_000);
    const begun = clock.now();
    engine.start();
    await until(() => seen.receipts.length === 1, 5);
    expect(clock.now() - begun).toBeLessThan(20_000);
    expect(server.receipts).toHaveLength(1);
    expect(server.receipts[0]).toHaveLength(60);
    await until(() => seen.status?.phase === 'idle');
    clock.advance(120_000);
    expect(server.receipts).toHaveLength(1);
    await engine.stop();
  });

  /** With a signal, and nothing waiting. */
  async function connected() {
    const server = scripted(applied);
    const one = await opened(server.backend);
    one.engine.start();
    await one.until(() => one.seen.status?.firstPull === false && one.seen.status.phase === 'idle');
    /** In short steps: with long ones much of the virtual time would pass while a slow machine sends an edit. */
    const sent = async (n: number) => {
      await one.put(n);
      await one.until(() => server.pushed.flat().length === n && one.seen.status?.pendingItems === 0, 5);
    };
    const pass = async (ms: number, step = 50) => {
      const later = one.clock.now() + ms;
      await one.until(() => one.clock.now() >= later, step);
    };
    return { ...one, server, sent, pass };
  }

  test.for([300, 3000])('edits sent as they are made, %i ms apart, make one receipt at the pause', async apart => {
    const { engine, server, seen, sent, pass, until } = await connected();
    for (let n = 1; n <= 8; n += 1) {
      await sent(n);
      await pass(apart);
    }
    expect(server.receipts).toEqual([]);
    await until(() => seen.receipts.length > 0);
    expect(server.receipts.map(mids => mids.length)).toEqual([8]);
    await engine.stop();
  });

  test('whoever never pauses gets one after some minutes all the same', async () => {
    const { engine, server, sent, pass } = await connected();
    for (let n = 1; n <= 18; n += 1) {
      await sent(n);
      await pass(18_500, 500);
    }
    expect(server.receipts).toHaveLength(1);
    expect(server.receipts[0]?.length).toBeGreaterThan(15);
    await engine.stop();
  });

  test('what was sent before the app was closed gets its receipt when it is opened again, with no pause', async () => {
    const { engine, device, server, sent, clock, until } = await connected();
    await sent(1);
    await engine.stop();
    expect(server.receipts).toEqual([]);
    const again = device.engineFor({ owner: OWNER, backend: server.backend });
    const begun = clock.now();
    again.start();
    await until(() => server.receipts.length === 1, 5);
    expect(clock.now() - begun).toBeLessThan(20_000);
    await again.stop();
  });

  test('what waited for the network gets its receipt at once', async () => {
    const { engine, network, put, server, clock, until } = await connected();
    network.set(false);
    await put(1);
    network.set(true);
    const back = clock.now();
    await until(() => server.receipts.length === 1, 5);
    expect(clock.now() - back).toBeLessThan(20_000);
    await engine.stop();
  });

  test('a file goes up once its row is known, is confirmed by hash, and its bytes stay on the device', async () => {
    const server = scripted(applied);
    const { engine, until, seen } = await opened(server.backend);
    const media = {
      id: actionId(5),
      organization_id: actionId(9),
      mime: 'image/jpeg',
      bytes: 3,
      sha256: 'a'.repeat(64),
      captured_at: '2026-11-21T09:00:00.000Z',
    };
    await engine.store.write('photo', async tx => {
      await tx.put('media', media);
      await tx.putBytes(media.id, new Uint8Array([1, 2, 3]).buffer);
    });
    // Its row is no second thing that waits.
    await until(() => seen.status?.pendingFiles === 1 && seen.status.pendingItems === 0);
    server.pages.push({ stubs: { media: [[media.id, 1, [0]]] } });
    engine.start();
    await until(() => seen.status?.pendingFiles === 0 && server.uploads.length === 1);
    expect(server.pushed.flat()).toMatchObject([{ t: 'media', op: 'insert' }]);
    expect(new Uint8Array(await engine.file(media.id))).toEqual(new Uint8Array([1, 2, 3]));
    await engine.stop();
  });
});

describe('somebody else’s files', () => {
  const photo = {
    id: actionId(5),
    organization_id: actionId(9),
    mime: 'image/jpeg',
    bytes: 3,
    sha256: 'a'.repeat(64),
    captured_at: '2026-11-21T09:00:00.000Z',
  };

  test.each([
    ['pending', 'not_found', 0],
    ['complete', null, 1],
  ] as const)('one that is %s on the server is asked for only once it can be there', async (state, code, asked) => {
    const server = scripted(applied);
    let downloads = 0;
    const download: Backend['download'] = (...parts) => ((downloads += 1), server.backend.download(...parts));
    const { engine, until, seen } = await opened({ ...server.backend, download });
    server.pages.push({ rows: { media: [{ ...photo, state, version: 1, _s: [0] }] } });
    engine.start();
    await until(() => typeof seen.status?.lastPullAt === 'number' && server.pulls.length > 0);
    const read = engine.file(photo.id).then(
      bytes => ({ code: null, length: bytes.byteLength }),
      (error: { code: string }) => ({ code: error.code, length: 0 }),
    );
    expect(await read).toEqual({ code, length: asked * 3 });
    expect(downloads).toBe(asked);
    await engine.stop();
  });
});

describe('several tabs', () => {
  test('only the leader sends; work of another tab is sent too, and its watchers hear of changes', async () => {
    const server = scripted(applied);
    const { engine, until, seen, name, shared, clock } = await opened(server.backend);
    const otherDevice = await openDevice({ name, platform: virtualPlatform({ clock, device: shared }) });
    const other = otherDevice.engineFor({
      owner: OWNER,
      backend: { ...server.backend, push: () => Promise.reject(new Error('not the leader')) },
    });
    engine.start();
    await until(() => seen.status?.firstPull === false);
    other.start();
    await other.store.write('put', tx => tx.put('action_items', anAction(1)));
    await until(() => server.pushed.length === 1);
    await until(() => seen.status?.pendingItems === 0);
    await other.stop();
    await engine.stop();
  });

  test('another person on the device reads nothing of the first and sends nothing of theirs', async () => {
    const server = scripted(applied);
    const { put, name, until, clock, engine } = await opened(server.backend);
    await put(1);
    await engine.stop();
    const second = scripted(applied);
    const device = await openDevice({ name, platform: virtualPlatform({ clock }) });
    const stranger = device.engineFor({ owner: newId(), backend: second.backend });
    stranger.start();
    await until(() => second.pulls.length > 0);
    const open = { key: 'o', tables: ['action_items' as const] };
    expect(await stranger.store.read({ ...open, read: tx => tx.all('action_items') })).toEqual([]);
    expect(await stranger.store.read({ ...open, read: tx => tx.count('action_items', 'status', '', '\uffff') })).toBe(
      0,
    );
    clock.advance(20_000);
    expect(second.pushed).toEqual([]);
    expect(await device.pendingOf(OWNER)).toEqual({ records: 1, files: 0 });
    await stranger.stop();
  });
});
