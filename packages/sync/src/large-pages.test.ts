import 'fake-indexeddb/auto';
import { opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const rows = (from: number, to: number, version: number, title: string) => ({
  rows: { action_items: numbers(from, to).map(n => serverRow(n, version, { title })) },
});

test('a large page over a full device updates what is there, adds what is new and keeps unsent edits on top', async () => {
  const server = scripted(() => ({ st: 'rejected', code: '23514', msg: 'a rule' }));
  const { engine, change, row, until, seen } = await opened(server.backend);
  server.pages.push(rows(1, 80, 1, 'first'));
  engine.start();
  await until(async () => (await row(80))?.title === 'first');
  await change(7, { description: 'mine' });
  await until(() => seen.status?.failed === 1);

  server.pages.push(rows(1, 90, 2, 'second'));
  engine.syncNow();
  await until(async () => (await row(90))?.title === 'second');
  expect(await row(1)).toMatchObject({ title: 'second', version: 2 });
  expect(await row(7)).toMatchObject({ title: 'second', description: 'mine' });
  const count = await engine.store.read({
    key: 'all',
    tables: ['action_items'],
    read: async tx => (await tx.all('action_items')).length,
  });
  expect(count).toBe(90);
  await engine.stop();
});
