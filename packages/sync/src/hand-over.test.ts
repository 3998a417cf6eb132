import 'fake-indexeddb/auto';
import { opened, scripted } from '@cairn/testing/scripted-server.ts';
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
