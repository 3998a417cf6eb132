import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualClock, virtualDevice, virtualNetwork, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { describe, expect, test } from 'vitest';
import { BackendError, type Backend, type Mutation, type PullAnswer, type PushResult } from './backend.ts';
import { openDatabase } from './database.ts';
import { openDevice } from './device.ts';
import type { Conflict, OutboxItem, SyncStatus } from './engine.ts';

const OWNER = '00000000-0000-4000-8000-000000000003';
const SCOPE = `user:${OWNER}`;

/** A server as scripted: it answers what a test says and remembers what it was asked. */
function scripted(answer: (mutation: Mutation) => Partial<PushResult> & { st: PushResult['st'] }) {
  const pushed: Mutation[][] = [];
  const pages: Partial<PullAnswer>[] = [];
  const failures: BackendError[] = [];
  const pulls: number[] = [];
  let v = 0;
  const page = (part: Partial<PullAnswer> = {}): PullAnswer => ({
    scopes: { [SCOPE]: ['e', (v += 1), '~', actionId(0)] },
    order: [SCOPE],
    resets: [],
    rows: {},
    stubs: {},
    gone: [],
    more: false,
    now: '2026-11-21T09:00:00.000Z',
    ...part,
  });
  const receipts: string[][] = [];
  const uploads: string[] = [];
  const backend: Backend = {
    async pull() {
      pulls.push(1);
      return page(pages.shift());
    },
    async push(_device, mutations) {
      pushed.push(mutations);
      const failure = failures.shift();
      if (failure) throw failure;
      return { results: mutations.map(m => ({ mid: m.mid, ...answer(m) }) as PushResult), now: '' };
    },
    async receipt({ id, mids, deviceAt }) {
      receipts.push(mids);
      return {
        complete: true,
        id,
        no: 'R-TEST',
        received_at: deviceAt,
        device_at: deviceAt,
        contents: { action_items: mids.length },
      };
    },
    async upload(file) {
      uploads.push(file.id);
    },
    async confirmUpload(id) {
      return { sha256: 'a'.repeat(64), bytes: id.length };
    },
    download: async () => new ArrayBuffer(3),
    onNudge: () => () => {},
  };
  return { backend, pushed, pages, failures, pulls, receipts, uploads };
}

const applied = (m: Mutation) => ({ st: 'applied' as const, v: m.bv + 1, d: {} });

async function opened(backend: Backend, options: { refreshToken?: () => Promise<void> } = {}) {
  const clock = virtualClock();
  const network = virtualNetwork();
  const shared = virtualDevice();
  const name = newId();
  const device = await openDevice({ name, platform: virtualPlatform({ clock, network, device: shared }) });
  const engine = device.engineFor({ owner: OWNER, backend, ...options });
  const seen: { status?: SyncStatus; outbox: OutboxItem[]; conflicts: Conflict[]; receipts: unknown[] } = {
    outbox: [],
    conflicts: [],
    receipts: [],
  };
  engine.watchStatus(status => (seen.status = status));
  engine.watchOutbox(items => (seen.outbox = items));
  engine.watchConflicts(conflicts => (seen.conflicts = conflicts));
  engine.watchReceipts(receipts => (seen.receipts = receipts));
  const put = (n: number, fields = {}) => engine.store.write('put', tx => tx.put('action_items', anAction(n, fields)));
  const change = (n: number, fields: Parameters<typeof anAction>[1]) =>
    engine.store.write('change', tx => tx.change('action_items', actionId(n), fields ?? {}));
  const row = (n: number) =>
    engine.store.read({ key: `row ${n}`, tables: ['action_items'], read: tx => tx.get('action_items', actionId(n)) });
  /** Waits until `done`, letting virtual time pass. */
  const until = (done: () => unknown, step = 250) =>
    expect
      .poll(
        async () => {
          clock.advance(step);
          return Boolean(await done());
        },
        { interval: 2, timeout: 5000 },
      )
      .toBe(true);
  return { device, engine, clock, network, seen, put, change, row, until, name, shared };
}

const serverRow = (n: number, version: number, fields = {}) => ({
  id: actionId(n),
  organization_id: actionId(99),
  title: 'from the server',
  status: 'open',
  priority: 'medium',
  media_ids: [],
  created_at: '2026-11-21T08:00:00+00:00',
  updated_at: '2026-11-21T08:00:00+00:00',
  version,
  _s: [0],
  ...fields,
});

describe('the outbox', () => {
  test('R4.29 an edit marks the record dirty, its acknowledgement clean', async () => {
    const server = scripted(applied);
    const { engine, put, name, until, seen } = await opened(server.backend);
    await put(1);
    const dirty = async () => {
      const db = await openDatabase(name);
      const tx = await db.transaction(['tasks'], 'readonly');
      const record = await tx.objectStore('tasks').get([OWNER, 'action_items', actionId(1)]);
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

  test('a batch that is too large is halved until the one entry that does not fit stands alone', async () => {
    const server = scripted(applied);
    const { backend } = server;
    const heavy = {
      ...backend,
      push: (device: string, mutations: Mutation[], signal: AbortSignal) =>
        mutations.some(m => m.patch['title'] === 'heavy')
          ? Promise.reject(new BackendError('too_large', '413'))
          : backend.push(device, mutations, signal),
    };
    const { engine, put, until, seen } = await opened(heavy);
    for (let n = 1; n <= 9; n += 1) await put(n, { title: n === 5 ? 'heavy' : 'light' });
    engine.start();
    await until(() => seen.status?.pendingItems === 1 && seen.status.failed === 1);
    expect(server.pushed.flat()).toHaveLength(8);
    await engine.stop();
  });

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
    await until(() => seen.status?.phase === 'waiting', 0.1);
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

describe('conflicts', () => {
  const conflicting = () => {
    const server = scripted(m =>
      m.op === 'update' && m.base['title'] === 'from the server'
        ? {
            st: 'conflict',
            v: 5,
            row: serverRow(1, 5, { title: 'theirs' }),
            cid: actionId(77),
            kind: 'fields',
            fields: [{ f: 'title', base: 'from the server', mine: m.patch['title'], theirs: 'theirs' }],
          }
        : applied(m),
    );
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    return server;
  };

  test('R3.36 both changed one field: the server value stays, mine is kept, and nothing happens until chosen', async () => {
    const server = conflicting();
    const { engine, change, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.conflicts.length === 1);
    expect(await row(1)).toMatchObject({ title: 'theirs', version: 5 });
    expect(seen.conflicts).toMatchObject([
      { id: actionId(77), kind: 'fields', resolved: false, fields: [{ f: 'title', mine: 'mine', theirs: 'theirs' }] },
    ]);

    await engine.resolve(actionId(77), { keep: 'mine' });
    expect(await row(1)).toMatchObject({ title: 'mine' });
    await until(() => server.pushed.length === 2);
    expect(server.pushed[1]).toMatchObject([
      { op: 'resolve', conflict: actionId(77), patch: { title: 'mine' }, base: { title: 'theirs' } },
    ]);
    await until(() => seen.conflicts[0]?.resolved === true && seen.status?.pendingItems === 0);
    await engine.stop();
  });

  test('R5.09 resolving an unknown conflict does nothing', async () => {
    const server = conflicting();
    const { engine, put, until, seen } = await opened(server.backend);
    await put(2);
    await until(() => seen.outbox.length === 1);
    const before = JSON.stringify(seen.outbox);
    await engine.resolve(newId(), { keep: 'mine' });
    expect(JSON.stringify(seen.outbox)).toBe(before);
    expect(seen.conflicts).toEqual([]);
    await engine.stop();
  });

  test('an edit of a record whose scope was taken away becomes a conflict that keeps it; clean records go', async () => {
    const server = scripted(() => ({ st: 'rejected', code: '42501', msg: 'no right' }));
    server.pages.push({ rows: { action_items: [serverRow(1, 3), serverRow(2, 3)] } });
    const { engine, change, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await change(1, { title: 'mine' });
    await until(() => seen.status?.failed === 1);
    server.pages.push({ scopes: {}, order: [] });
    engine.syncNow();
    await until(() => seen.conflicts.length === 1);
    expect(seen.conflicts).toMatchObject([
      { kind: 'access_revoked', fields: [{ f: 'title', mine: 'mine' }], recordId: actionId(1) },
    ]);
    expect([await row(1), await row(2)]).toEqual([undefined, undefined]);
    await until(() => seen.status?.pendingItems === 0);
    await engine.stop();
  });

  test('a delete is not done over an edit the person never saw; keeping theirs or mine both work', async () => {
    const server = scripted(m =>
      m.op === 'delete' && m.bv < 5
        ? {
            st: 'conflict',
            v: 5,
            row: serverRow(1, 5, { title: 'theirs' }),
            cid: actionId(78),
            kind: 'edited_remotely',
            fields: [],
          }
        : applied(m),
    );
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    await engine.store.write('remove', tx => tx.remove('action_items', actionId(1)));
    await until(() => seen.conflicts.length === 1);
    expect(await row(1)).toMatchObject({ title: 'theirs' });
    await engine.resolve(actionId(78), { keep: 'mine' });
    await until(
      () => server.pushed.flat().some(m => m.op === 'delete' && m.bv >= 5) && seen.status?.pendingItems === 0,
    );
    expect(await row(1)).toBeUndefined();
    await engine.stop();
  });
});

describe('pull', () => {
  test('the next page is asked for while the present one is stored, rows and cursor land together', async () => {
    const server = scripted(applied);
    server.pages.push(
      { rows: { action_items: [serverRow(1, 1)] }, more: true },
      { rows: { action_items: [serverRow(2, 1)] } },
    );
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    expect([(await row(1))?.version, (await row(2))?.version]).toEqual([1, 1]);
    expect(server.pulls.length).toBe(2);
    await engine.stop();
  });

  test('a row over an unsent edit: their other fields come in, mine stays on top, its base stays what I saw', async () => {
    const server = scripted(applied);
    server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
    const { engine, change, row, until, seen, clock } = await opened(server.backend);
    let release = () => {};
    const { pull } = server.backend;
    engine.start();
    await until(() => seen.status?.firstPull === false);
    server.backend.pull = async (...args) => {
      await new Promise<void>(resolve => (release = resolve));
      return pull(...args);
    };
    server.pages.push({ rows: { action_items: [serverRow(1, 4, { title: 'theirs', description: 'theirs' })] } });
    clock.advance(61_000);
    await expect.poll(() => String(release)).not.toBe('() => {}');
    await change(1, { title: 'mine' });
    release();
    await until(async () => (await row(1))?.description === 'theirs', 0);
    expect(await row(1)).toMatchObject({ title: 'mine', description: 'theirs', version: 4 });
    await until(() => server.pushed.length === 1);
    expect(server.pushed[0]).toMatchObject([{ patch: { title: 'mine' }, base: { title: 'from the server' }, bv: 3 }]);
    await engine.stop();
  });

  test('a row that left its scope goes; a reset drops what does not come again, whatever its version says', async () => {
    const server = scripted(applied);
    server.pages.push({ rows: { action_items: [serverRow(1, 3), serverRow(2, 7), serverRow(3, 1)] } });
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    server.pages.push({ gone: [[0, 'action_items', actionId(1)]] });
    engine.syncNow();
    await until(() => server.pulls.length === 2);
    await expect.poll(() => row(1)).toBeUndefined();
    server.pages.push({ resets: [SCOPE], rows: { action_items: [serverRow(2, 2, { title: 'restored' })] } });
    engine.syncNow();
    await until(() => server.pulls.length === 3);
    await expect.poll(() => row(3)).toBeUndefined();
    expect(await row(2)).toMatchObject({ title: 'restored', version: 2 });
    await engine.stop();
  });

  test('a stub for a row that is not here makes the device ask again for whole rows', async () => {
    const server = scripted(applied);
    server.pages.push(
      { stubs: { action_items: [[actionId(1), 3, [0]]] } },
      { rows: { action_items: [serverRow(1, 3)] } },
    );
    const { engine, row, until, seen } = await opened(server.backend);
    engine.start();
    await until(() => seen.status?.firstPull === false);
    expect(await row(1)).toMatchObject({ version: 3 });
    expect(server.pulls.length).toBe(2);
    await engine.stop();
  });
});

describe('receipts and files', () => {
  test('one burst makes one receipt, also when the app died before it was asked for', async () => {
    const server = scripted(applied);
    const { engine, put, until, seen, clock } = await opened(server.backend);
    for (let n = 1; n <= 60; n += 1) await put(n);
    clock.advance(60_000);
    engine.start();
    await until(() => seen.receipts.length === 1);
    expect(server.receipts).toHaveLength(1);
    expect(server.receipts[0]).toHaveLength(60);
    await until(() => seen.status?.phase === 'idle');
    clock.advance(120_000);
    expect(server.receipts).toHaveLength(1);
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
    await until(() => seen.status?.pendingFiles === 1);
    server.pages.push({ stubs: { media: [[media.id, 1, [0]]] } });
    engine.start();
    await until(() => seen.status?.pendingFiles === 0 && server.uploads.length === 1);
    expect(server.pushed.flat()).toMatchObject([{ t: 'media', op: 'insert' }]);
    expect(new Uint8Array(await engine.file(media.id))).toEqual(new Uint8Array([1, 2, 3]));
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
