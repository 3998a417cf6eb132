import 'fake-indexeddb/auto';
import { applied, opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { BackendError } from './backend.ts';

const removed = () => ({ st: 'rejected' as const, code: 'not_a_member', msg: 'not_a_member' });

test('work of somebody who was removed goes to the tray, in order, and leaves the device with its records', async () => {
  const server = scripted(removed);
  const { engine, put, change, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'first' });
  await put(2, { title: 'second' });
  await change(1, { title: 'first, done' });
  engine.start();
  await until(() => server.handed.flat().length === 2);
  await until(() => seen.outbox.length === 0 && seen.status?.pendingItems === 0);
  expect(server.handed.flat().map(({ id, patch }) => [id, patch['title']])).toEqual([
    [actionId(1), 'first, done'],
    [actionId(2), 'second'],
  ]);
  expect([await row(1), await row(2)]).toEqual([undefined, undefined]);
  await engine.stop();
});

test('nothing leaves the device while the tray gives no answer', async () => {
  const server = scripted(removed);
  const { handOver } = server.backend;
  let isThere = false;
  server.backend.handOver = (...given) =>
    isThere ? handOver(...given) : Promise.reject(new BackendError('network', 'no answer'));
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'mine' });
  engine.start();
  await until(() => seen.outbox[0]?.state === 'failed');
  expect((await row(1))?.title).toBe('mine');
  isThere = true;
  engine.syncNow();
  await until(() => seen.outbox.length === 0);
  expect(server.handed).toHaveLength(1);
  await engine.stop();
});

test('what the tray does not take stays, for the person to look at', async () => {
  const server = scripted(removed);
  server.backend.handOver = async (_organization, _device, mutations) => ({
    taken: 0,
    known: [],
    refused: mutations.map(({ mid }) => mid),
  });
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'mine' });
  engine.start();
  await until(() => seen.outbox[0]?.lastError === '42501');
  expect((await row(1))?.title).toBe('mine');
  await engine.stop();
});

test('a refused hand-over stops no pull and no other work, and is not asked for again and again', async () => {
  const server = scripted(mutation => (mutation.id === actionId(1) ? removed() : applied(mutation)));
  let asked = 0;
  server.backend.handOver = async () => {
    asked += 1;
    throw new BackendError('refused', 'only who was a member and is none hands work over', '42501');
  };
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'refused' });
  await put(2, { title: 'fine' });
  server.pages.push({ rows: { action_items: [serverRow(3, 1)] } });
  engine.start();
  await until(async () => (await row(3)) !== undefined && seen.status?.pendingItems === 1);
  await until(() => seen.outbox[0]?.lastError === '42501');
  expect(seen.outbox).toMatchObject([{ state: 'failed', recordId: actionId(1) }]);
  await put(4, { title: 'later' });
  engine.syncNow();
  await until(() => server.pushed.flat().some(({ id }) => id === actionId(4)));
  expect(asked).toBe(1);
  await engine.stop();
});

test('an unfit piece keeps the others from the tray no longer than it takes to find it', async () => {
  const server = scripted(removed);
  const { handOver } = server.backend;
  server.backend.handOver = (organization, device, mutations, signal) =>
    mutations.some(({ id }) => id === actionId(3))
      ? Promise.reject(new BackendError('refused', 'a value does not fit', '22P02'))
      : handOver(organization, device, mutations, signal);
  const { engine, put, until, seen } = await opened(server.backend);
  for (const n of [1, 2, 3, 4, 5]) await put(n, { title: `piece ${n}` });
  engine.start();
  await until(() => seen.outbox.length === 1 && seen.outbox[0]?.lastError === '42501');
  expect(
    server.handed
      .flat()
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual([1, 2, 4, 5].map(actionId));
  await engine.stop();
});

test('a hand-over that breaks off is tried again, and what others did comes in meanwhile', async () => {
  const server = scripted(removed);
  server.backend.handOver = () => Promise.reject(new BackendError('network', 'server error', '500'));
  const { engine, put, until, seen, row } = await opened(server.backend);
  await put(1, { title: 'mine' });
  server.pages.push({ rows: { action_items: [serverRow(3, 1)] } });
  engine.start();
  await until(async () => (await row(3)) !== undefined);
  // The list of what is unsent is read anew a little after the row came.
  await until(() => seen.outbox.length === 1 && seen.outbox[0]?.lastError === 'not_a_member');
  await engine.stop();
});
