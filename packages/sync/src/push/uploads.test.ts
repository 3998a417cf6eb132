import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { openDB } from 'idb';
import { describe, expect, test } from 'vitest';
import { BackendError, type PullAnswer } from '../transport/backend.ts';
import { keyAt } from '../store/record-key.ts';

const media = {
  id: actionId(5),
  organization_id: actionId(9),
  mime: 'image/jpeg',
  bytes: 3,
  sha256: 'a'.repeat(64),
  captured_at: '2026-11-21T09:00:00.000Z',
};

async function withPhoto(refusals: BackendError[], unconfirmed: BackendError[] = []) {
  const server = scripted(applied);
  const { confirmUpload, upload } = server.backend;
  server.backend.upload = async (...given) => {
    const refusal = unconfirmed.shift();
    if (refusal) throw refusal;
    return upload(...given);
  };
  server.backend.confirmUpload = async (id, signal) => {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
    return confirmUpload(id, signal);
  };
  const device = await opened(server.backend);
  await device.engine.store.write('photo', async tx => {
    await tx.put('media', media);
    await tx.putBytes(media.id, new Uint8Array([1, 2, 3]).buffer);
  });
  await device.until(() => device.seen.status?.pendingFiles === 1);
  server.pages.push({ stubs: { media: [[media.id, 1, [0]]] } });
  device.engine.start();
  return { server, ...device };
}

/** A phone that took some photos, whose rows the server has. */
async function uploaded(server: ReturnType<typeof scripted>, count = 1) {
  const device = await opened(server.backend);
  const ids = Array.from({ length: count }, (_, index) => actionId(5 + index));
  for (const id of ids)
    await device.engine.store.write('photo', async tx => {
      await tx.put('media', { ...media, id });
      await tx.putBytes(id, new Uint8Array([1, 2, 3]).buffer);
    });
  await device.until(() => device.seen.status?.pendingFiles === count);
  server.pages.push({ stubs: { media: ids.map(id => [id, 1, [0]]) } });
  device.engine.start();
  return device;
}

test('a photo the server has not stored after all goes up again, and so does one a portal answered for', async () => {
  const missing = new BackendError('busy', 'not stored', 'not_uploaded');
  const { server, engine, until, seen } = await withPhoto([missing, new BackendError('network', 'a page')]);
  await until(() => seen.status?.pendingFiles === 0 && server.uploads.length > 0);
  expect(server.uploads).toEqual([media.id, media.id, media.id]);
  expect(seen.status?.failed).toBe(0);
  await engine.stop();
});

test('a photo the server refuses in its own words is set aside', async () => {
  const { server, engine, until, seen } = await withPhoto([new BackendError('refused', 'no right', 'not_found')]);
  await until(() => seen.status?.failed === 1);
  expect(server.uploads).toEqual([media.id]);
  await engine.stop();
});

/** The answer of storage to a second upload of a file it has whole. */
const NOT_AGAIN = new BackendError('refused', 'upload: new row violates row-level security policy', '403');

test('a photo sent again by a phone that died before it heard of its arrival counts as arrived', async () => {
  const { server, engine, until, seen } = await withPhoto([], [NOT_AGAIN]);
  await until(() => seen.status?.pendingFiles === 0);
  expect(seen.status?.failed).toBe(0);
  expect(server.uploads).toEqual([]);
  await engine.stop();
});

test('a photo that is refused and was not there before is set aside, one whose question got no answer is asked again', async () => {
  const missing = new BackendError('busy', 'not stored', 'not_uploaded');
  const unheard = [
    new BackendError('network', 'no signal'),
    new BackendError('busy', 'too many requests', '429'),
    new BackendError('auth', 'expired', 'PT401'),
  ];
  const again = unheard.map(() => NOT_AGAIN);
  const { engine, until, seen } = await withPhoto([...unheard, missing], [...again, NOT_AGAIN]);
  await until(
    () => seen.status?.failed === 1 && seen.outbox.some(entry => entry.kind === 'file' && entry.state === 'failed'),
  );
  expect(seen.outbox.find(({ kind }) => kind === 'file')).toMatchObject({ lastError: '403' });
  await engine.stop();
});

test('a photo that had arrived is no refused one because the server was busy when it was asked', async () => {
  const busy = new BackendError('busy', 'unavailable', '503');
  const { engine, until, seen } = await withPhoto([busy], [NOT_AGAIN, NOT_AGAIN]);
  await until(() => seen.status?.pendingFiles === 0);
  expect(seen.status?.failed).toBe(0);
  await engine.stop();
});

const seenFile = (seen: { outbox: { kind: string; sentBytes: number | null }[] }) =>
  seen.outbox.find(({ kind }) => kind === 'file');

test('how far a photo came is kept for a phone that is killed, and told while it goes', async () => {
  const server = scripted(applied);
  const resumedAt: unknown[] = [];
  const told = Promise.withResolvers<void>();
  server.backend.upload = async ({ resume, id }, onProgress) => {
    resumedAt.push(resume?.at);
    if (resumedAt.length === 2) await told.promise;
    if (resumedAt.length > 2) {
      server.uploads.push(id);
      return;
    }
    await resume?.moved({ path: '/a', offset: resumedAt.length });
    onProgress(resumedAt.length);
    throw new BackendError('network', 'no signal');
  };
  const { engine, until, seen } = await uploaded(server);
  await until(() => seenFile(seen)?.sentBytes === 1);
  told.resolve();
  await until(() => seen.status?.pendingFiles === 0);
  expect(resumedAt).toEqual([null, { path: '/a', offset: 1 }, { path: '/a', offset: 2 }]);
  await engine.stop();
});

/** An upload that ends when the test says so. */
function held(server: ReturnType<typeof scripted>) {
  const underway = new Map<string, { end: () => void; signal: AbortSignal }>();
  server.backend.upload = ({ id }, _onProgress, signal) =>
    new Promise((resolve, reject) => {
      underway.set(id, {
        signal,
        end: () => {
          underway.delete(id);
          server.uploads.push(id);
          resolve();
        },
      });
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  return underway;
}

test('one file goes first; with each that arrives one more goes beside it, never more than three', async () => {
  const server = scripted(applied);
  const underway = held(server);
  const { engine, until, seen } = await uploaded(server, 6);
  const most: number[] = [];
  for (const width of [1, 2, 3, 3, 2, 1]) {
    await until(() => underway.size === width);
    most.push(underway.size);
    [...underway.values()][0]?.end();
  }
  await until(() => seen.status?.pendingFiles === 0);
  expect(most).toEqual([1, 2, 3, 3, 2, 1]);
  await engine.stop();
});

test('a sign-out in the middle of an upload ends it, and nothing more goes', async () => {
  const server = scripted(applied);
  const underway = held(server);
  const { engine, until, clock } = await uploaded(server, 2);
  await until(() => underway.size === 1);
  const [first] = [...underway.values()];
  await engine.stop();
  expect(first?.signal.aborted).toBe(true);
  clock.advance(3_600_000);
  expect([underway.size, server.uploads]).toEqual([1, []]);
});

test('a file the line refuses for now holds no other back', async () => {
  const server = scripted(applied);
  const stuck = actionId(5);
  const sent: string[] = [];
  server.backend.upload = async ({ id }) => {
    if (id === stuck && sent.length < 3) throw new BackendError('network', 'no signal');
    sent.push(id);
  };
  const { engine, until, seen } = await uploaded(server, 4);
  await until(() => seen.status?.pendingFiles === 0);
  expect(sent.at(-1)).toBe(stuck);
  await engine.stop();
});

describe('a photo whose place its person lost before its bytes went', () => {
  /** `goes`: the line carries it from now on. */
  async function lost() {
    const server = scripted(applied);
    const { upload } = server.backend;
    const line = { goes: false };
    server.backend.upload = async (...given) => {
      if (!line.goes) throw new BackendError('busy', 'a slow line', '503');
      return upload(...given);
    };
    const device = await uploaded(server);
    const { engine, until, seen } = device;
    const row = () => engine.store.read({ key: 'row', tables: ['media'], read: tx => tx.get('media', media.id) });
    const bytes = () => engine.store.read({ key: 'bytes', tables: ['media'], read: tx => tx.bytes(media.id) });
    await until(() => seen.outbox[0]?.lastError === '503');
    server.pages.push({ gone: [[0, 'media', media.id]] });
    engine.syncNow();
    const db = await openDB(device.name);
    await until(async () => (await db.get('media', keyAt(OWNER, 'media', media.id)))?.isSubmitted === true);
    db.close();
    return { ...device, server, row, bytes, goes: () => ((line.goes = true), engine.syncNow()) };
  }

  test('is sent all the same, and nothing of it stays here', async () => {
    const { server, engine, until, seen, row, bytes, goes } = await lost();
    expect(seen.status?.pendingFiles).toBe(1);
    goes();
    await until(() => seen.status?.pendingFiles === 0);
    expect(server.uploads).toEqual([media.id]);
    expect([await row(), await bytes()]).toEqual([undefined, undefined]);
    await engine.stop();
  });

  test.each([
    ['named', { stubs: { media: [[media.id, 1, [0]]] } }],
    ['sent anew', { rows: { media: [{ ...media, version: 2, _s: [0] }] } }],
  ] satisfies [string, Partial<PullAnswer>][])('stays with its bytes where its row was %s first', async (_, page) => {
    const { server, engine, until, seen, row, bytes, goes } = await lost();
    server.pages.push(page);
    const pulled = server.pulls.length;
    engine.syncNow();
    // The one after it: the page itself is stored by then.
    await until(() => server.pages.length === 0 && server.pulls.length > pulled + 1);
    goes();
    await until(() => seen.status?.pendingFiles === 0);
    expect((await row())?.id).toBe(media.id);
    expect((await bytes())?.byteLength).toBe(3);
    await engine.stop();
  });

  test('is closed whole at a sign-out, and sent when its person is back', async () => {
    const { device, server, engine, clock, row, goes } = await lost();
    await engine.stop();
    expect(await device.sealOutbox({ id: OWNER, email: 'sam@example.test' }, 'words')).toBe(true);
    expect(await row()).toBeUndefined();
    const back = device.engineFor({ owner: OWNER, backend: server.backend });
    expect(await back.lockedOutbox.unlock('words')).toMatchObject({ files: 1 });
    back.start();
    goes();
    const isSent = async () => {
      clock.advance(250);
      return (await device.pendingOf(OWNER)).files === 0;
    };
    await expect.poll(isSent, { interval: 2 }).toBe(true);
    expect(server.uploads).toEqual([media.id]);
    expect(await row()).toBeUndefined();
    await back.stop();
  });

  test('goes with its bytes when the person lets it go', async () => {
    const { device, engine, until, seen, row, bytes } = await lost();
    const [item] = seen.outbox;
    await until(async () => (await engine.discard(item?.key ?? '')) === 'gone');
    expect([await row(), await bytes()]).toEqual([undefined, undefined]);
    await until(() => seen.status?.pendingFiles === 0);
    await engine.stop();
    await device.close();
  });
});
