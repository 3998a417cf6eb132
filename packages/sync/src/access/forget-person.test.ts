import 'fake-indexeddb/auto';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { expect, test } from 'vitest';

const other = actionId(77);
const everything = { key: 'all', tables: ['action_items'] as const };

test('a person whose account has ended leaves nothing on the device; another keeps everything', async () => {
  const { device, engine, put } = await opened(scripted(applied).backend);
  const theirs = device.engineFor({ owner: other, backend: scripted(applied).backend });
  await put(1);
  await theirs.store.write('put', tx => tx.put('action_items', anAction(2)));
  await engine.stop();

  await device.forgetPerson(OWNER);

  const read = (store: typeof engine.store) => store.read({ ...everything, read: tx => tx.all('action_items') });
  expect([(await read(engine.store)).length, (await read(theirs.store)).length]).toEqual([0, 1]);
  expect(await device.pendingOf(OWNER)).toEqual({ records: 0, files: 0 });
  expect(await device.pendingOf(other)).toEqual({ records: 1, files: 0 });
});
