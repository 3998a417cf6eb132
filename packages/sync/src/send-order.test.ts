import 'fake-indexeddb/auto';
import { priorities } from '@cairn/schema';
import { applied, opened, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';
import { FIRST_BATCH } from './batch.ts';

const ORGANIZATION = actionId(9);

test('R3.34 what waits goes by syncPriority, then by age: a place made last goes before the many that may stand at it', async () => {
  const server = scripted(applied);
  const { engine, until, seen } = await opened(server.backend);
  const many = FIRST_BATCH + 10;
  await engine.store.write('many', async tx => {
    for (let n = 1; n <= many; n++) await tx.put('action_items', anAction(n));
  });
  await engine.store.write('place', async tx => {
    await tx.put('assets', { id: actionId(500), organization_id: ORGANIZATION, name: 'Forklift 3' });
    await tx.put('issue_reports', { id: actionId(501), organization_id: ORGANIZATION, title: 'A leak' });
  });
  engine.start();
  await until(() => server.pushed.length > 0 && seen.status?.pendingItems === 0);

  const sent = server.pushed.flat();
  expect(server.pushed[0]?.length).toBe(FIRST_BATCH);
  expect(sent[0]?.t).toBe('assets');
  const order = sent.map(({ t }) => priorities[t]);
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  const items = sent.filter(({ t }) => t === 'action_items').map(({ id }) => id);
  expect(items).toEqual(Array.from({ length: many }, (_, n) => actionId(n + 1)));
  expect(sent.at(-1)?.t).toBe('issue_reports');
  await engine.stop();
});
