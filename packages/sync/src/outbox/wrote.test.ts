import 'fake-indexeddb/auto';
import { actionId } from '@cairn/testing/store-contract.ts';
import { opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { expect, test } from 'vitest';

const STRANGER = 'record/action_items/nobody';

test('what lines of the outbox wrote are the words of this device alone, whatever the server lays under them', async () => {
  const server = scripted(m =>
    m.op === 'insert' ? { st: 'applied', v: 1, d: {} } : { st: 'rejected', code: '23514', msg: 'title_check' },
  );
  const { engine, seen, put, change, row, until } = await opened(server.backend);
  engine.start();
  await put(1, { title: 'one' });
  await until(() => seen.outbox.length === 0);
  await change(1, { title: 'mine' });
  await change(1, { priority: 'high' });
  await until(() => seen.outbox[0]?.state === 'failed');
  server.pages.push({ rows: { action_items: [serverRow(1, 9, { title: 'theirs', description: 'their words' })] } });
  engine.syncNow();
  await until(async () => (await row(1))?.description === 'their words');
  expect(await row(1)).toMatchObject({ title: 'mine', description: 'their words' });

  const keys = seen.outbox.map(({ key }) => key);
  expect(await engine.wrote([...keys, STRANGER])).toEqual([
    { table: 'action_items', recordId: actionId(1), fields: { title: 'mine', priority: 'high' } },
  ]);
  expect(await engine.wrote([])).toEqual([]);
  await engine.stop();
});
