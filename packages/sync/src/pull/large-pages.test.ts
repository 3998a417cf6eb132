import 'fake-indexeddb/auto';
import { applied, opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const rows = (from: number, to: number, version: number, title: string) => ({
  rows: { action_items: numbers(from, to).map(n => serverRow(n, version, { title })) },
});

test('a large page over a full device updates what is there, adds what is new and keeps unsent edits on top', async () => {
  const server = scripted(() => ({ st: 'rejected', code: '23514', msg: 'a rule' }));
  const { engine, change, row, until, seen } = await opened(server.backend);
  server.pages.push(rows(1, 600, 1, 'first'));
  engine.start();
  await until(async () => (await row(600))?.title === 'first');
  await change(7, { description: 'mine' });
  await until(() => seen.status?.failed === 1);

  server.pages.push(rows(1, 610, 2, 'second'));
  engine.syncNow();
  await until(async () => (await row(610))?.title === 'second');
  expect(await row(1)).toMatchObject({ title: 'second', version: 2 });
  expect(await row(7)).toMatchObject({ title: 'second', description: 'mine' });
  const count = await engine.store.read({
    key: 'all',
    tables: ['action_items'],
    read: async tx => (await tx.all('action_items')).length,
  });
  expect(count).toBe(610);
  await engine.stop();
});

/** What no browser stores: the transaction it is in fails. */
const unstorable = { title: () => 'no text' };

/** A server that notes with which cursors and for how many changes it was asked. */
function asked() {
  const server = scripted(applied);
  const { pull } = server.backend;
  const requests: { cursors: unknown; limit: number }[] = [];
  server.backend.pull = (request, signal) => {
    requests.push({ cursors: request.cursors, limit: request.limit });
    return pull(request, signal);
  };
  return { ...server, requests };
}

test('I5 most rows of a large page are stored before its cursors: what failed behind them is asked for again', async () => {
  const { pages, requests, backend } = asked();
  const { engine, row, until } = await opened(backend);
  const broken = rows(1, 2500, 1, 'once');
  broken.rows.action_items.push(serverRow(2501, 1, unstorable));
  pages.push({ ...rows(9000, 9001, 1, 'before'), more: true }, broken, rows(1, 2501, 1, 'again'));
  engine.start();
  await until(async () => (await row(1500))?.title === 'once');
  await until(async () => (await row(2501))?.title === 'again');
  expect(requests.map(({ limit }) => limit)).toEqual([2500, 5000, 2500]);
  // The failed page is asked for with the cursors of the page before it.
  expect(requests[2]?.cursors).toEqual(requests[1]?.cursors);
  const count = await engine.store.read({
    key: 'all',
    tables: ['action_items'],
    read: async tx => (await tx.all('action_items')).length,
  });
  expect(count).toBe(2503);
  await engine.stop();
});

test('I6 rows of a scope the device does not know yet are stored only together with it', async () => {
  const { pages, requests, backend } = asked();
  const { engine, row, until } = await opened(backend);
  const broken = rows(1, 2500, 1, 'once');
  broken.rows.action_items.push(serverRow(2501, 1, unstorable));
  pages.push(broken);
  engine.start();
  await until(() => requests.length > 1);
  expect(await row(1)).toBeUndefined();
  await engine.stop();
});

test.each([
  ['at once', 0, [2500, 5000, 5000]],
  ['near the deadline', 9000, [2500, 1000, 1000]],
])('what is asked for grows with how quickly answers come (%s)', async (_, took, limits) => {
  const { pages, requests, backend } = asked();
  const { pull } = backend;
  const { engine, clock, row, until } = await opened({
    ...backend,
    pull: (request, signal) => {
      const page = pull(request, signal);
      clock.advance(took);
      return page;
    },
  });
  pages.push(...limits.map((_limit, n) => ({ ...rows(n + 1, n + 1, 1, 'here'), more: n < limits.length - 1 })));
  engine.start();
  await until(async () => (await row(limits.length))?.title === 'here', 0);
  expect(requests.map(({ limit }) => limit)).toEqual(limits);
  await engine.stop();
});
