import 'fake-indexeddb/auto';
import { applied, opened, scripted, serverRow } from '@cairn/testing/scripted-server.ts';
import { actionId } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';

test('R3.36 a settled conflict keeps base, mine, theirs, and the third value that was written in their place', async () => {
  const fields = [{ f: 'title', base: 'from the server', mine: 'mine', theirs: 'theirs' }];
  const row = serverRow(1, 5, { title: 'theirs' });
  const server = scripted(m =>
    m.op === 'update' ? { st: 'conflict', v: 5, row, cid: actionId(77), kind: 'fields', fields } : applied(m),
  );
  server.pages.push({ rows: { action_items: [serverRow(1, 3)] } });
  const { engine, change, until, seen } = await opened(server.backend);
  engine.start();
  await until(() => seen.status?.firstPull === false);
  await change(1, { title: 'mine' });
  await until(() => seen.conflicts.length === 1);
  await engine.resolve(actionId(77), { keep: 'other', values: { title: 'neither' } });
  await until(() => seen.conflicts[0]?.resolved === true && seen.status?.pendingItems === 0);
  expect(seen.conflicts).toMatchObject([
    { fields, resolution: 'other', written: { title: 'neither' }, resolvedAt: expect.any(Number) },
  ]);
  await engine.stop();
});
