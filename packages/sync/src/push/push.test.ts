import 'fake-indexeddb/auto';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { describe, expect, test } from 'vitest';
import { BackendError, type Backend, type Mutation } from '../transport/backend.ts';

const RECORDS = 270;

/** A server that answers a push only when told to. */
function held(backend: Backend) {
  const calls: Mutation[][] = [];
  const releases: ((failure?: BackendError) => void)[] = [];
  const { push } = backend;
  backend.push = async (device, mutations, signal) => {
    calls.push(mutations);
    await new Promise<void>((resolve, reject) => {
      releases.push(failure => (failure ? reject(failure) : resolve()));
    });
    return push(device, mutations, signal);
  };
  return { calls, release: (at: number, failure?: BackendError) => releases[at]?.(failure) };
}

async function withManyRecords() {
  const server = scripted(applied);
  const pushes = held(server.backend);
  const device = await opened(server.backend);
  await device.engine.store.write('put', async tx => {
    for (let n = 1; n <= RECORDS; n++) await tx.put('action_items', anAction(n, { title: `first ${n}` }));
  });
  return { server, pushes, ...device };
}

const idsOf = (batches: Mutation[][]) => batches.flat().map(({ id }) => id);
const allIds = Array.from({ length: RECORDS }, (_, n) => actionId(n + 1)).toSorted();

describe('many edits', () => {
  test('go in batches, a small one first, one after the other, each edit once', async () => {
    const { pushes, engine, until, seen } = await withManyRecords();
    engine.start();
    for (const batch of [0, 1, 2]) {
      await until(() => pushes.calls.length === batch + 1);
      pushes.release(batch);
    }
    await until(() => seen.status?.pendingItems === 0);
    expect(pushes.calls.map(batch => batch.length)).toEqual([50, 200, 20]);
    expect(idsOf(pushes.calls).toSorted()).toEqual(allIds);
    await engine.stop();
  });

  test('a lost answer sends its edits again as they were, few first; what was ready behind it was never sent', async () => {
    const { pushes, engine, change, until, seen } = await withManyRecords();
    engine.start();
    await until(() => pushes.calls.length === 1);
    pushes.release(0);
    await until(() => pushes.calls.length === 2);
    // 50 are done, 200 on their way, and the last 20 are ready to follow.
    await until(() => seen.outbox.filter(({ state }) => state === 'sending').length === 220);
    pushes.release(1, new BackendError('network', 'answer lost'));
    await until(() => seen.outbox.length === 220 && seen.outbox.every(({ state }) => state !== 'sending'), 20);
    const [pendingId = ''] = allIds.filter(id => !idsOf(pushes.calls).includes(id));
    await change(allIds.indexOf(pendingId) + 1, { title: 'second' });
    for (const batch of [2, 3]) {
      await until(() => pushes.calls.length === batch + 1);
      pushes.release(batch);
    }
    await until(() => seen.status?.pendingItems === 0);
    expect(pushes.calls.map(batch => batch.length)).toEqual([50, 200, 50, 170]);
    expect(pushes.calls.slice(2).flat()).toEqual(expect.arrayContaining(pushes.calls[1] ?? []));
    expect(idsOf([pushes.calls[0] ?? [], ...pushes.calls.slice(2)]).toSorted()).toEqual(allIds);
    // It had never gone out, so the two edits are one.
    expect(pushes.calls[3]?.find(({ id }) => id === pendingId)).toMatchObject({
      op: 'insert',
      patch: { title: 'second' },
    });
    await engine.stop();
  });

  test('a later edit of a record under way waits for its answer, though the next batch is made ready before', async () => {
    const { pushes, engine, change, until, seen } = await withManyRecords();
    engine.start();
    await until(() => pushes.calls.length === 1);
    pushes.release(0);
    await until(() => pushes.calls.length === 2);
    const [first = ''] = idsOf(pushes.calls.slice(1));
    await change(allIds.indexOf(first) + 1, { title: 'second' });
    for (const batch of [1, 2, 3]) {
      await until(() => pushes.calls.length > batch || seen.status?.pendingItems === 0);
      pushes.release(batch);
    }
    await until(() => seen.status?.pendingItems === 0);
    const places = pushes.calls.map(batch => batch.filter(({ id }) => id === first).length);
    expect(places.slice(0, 2)).toEqual([0, 1]);
    expect(places.slice(2).reduce((sum, count) => sum + count, 0)).toBe(1);
    const second = pushes.calls
      .slice(2)
      .flat()
      .find(({ id }) => id === first);
    expect(second).toMatchObject({ op: 'update', patch: { title: 'second' }, bv: 1 });
    await engine.stop();
  });
});

test.each([
  ['storage_full', () => new DOMException('no room', 'QuotaExceededError')],
  ['interrupted', () => new Error('stopped')],
  ['57014', () => new BackendError('busy', 'too long', '57014')],
])('what kept an edit from going is written down: %s', async (word, failure) => {
  const server = scripted(applied);
  server.backend.push = () => Promise.reject(failure());
  const { engine, put, until, seen } = await opened(server.backend);
  await put(1, { title: 'kept' });
  engine.start();
  await until(() => seen.outbox[0]?.lastError === word);
  await engine.stop();
});
