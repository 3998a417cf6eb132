import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { applied, opened, OWNER, scripted } from '@cairn/testing/scripted-server.ts';
import { virtualDevice, virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { deleteDB } from 'idb';
import { expect, test } from 'vitest';
import { openDevice } from '../device.ts';
import { openDataLossCanary } from './data-loss-canary.ts';

test('a database the browser threw away with unsent work in it is noticed, and said until somebody has seen it', async () => {
  const { put, name, shared, device, engine, until } = await opened(scripted(applied).backend);
  await put(1);
  await put(2);
  await until(() => (shared.stored.get('cairn.pending') ?? '').includes('"count":2'));
  await engine.stop();
  await device.close();
  await deleteDB(name);

  const again = await openDevice({ name, platform: virtualPlatform({ device: shared }) });
  expect(await again.losses()).toEqual([{ owner: OWNER, count: 2, at: expect.any(Number) }]);
  await again.close();
  const later = await openDevice({ name, platform: virtualPlatform({ device: shared }) });
  expect(await later.losses()).toHaveLength(1);
  later.lossesSeen(await later.losses());
  expect(await later.losses()).toEqual([]);
  await later.close();
});

test('work that was sent, or of a person who was forgotten, is no loss', async () => {
  const { put, engine, device, until, shared, seen } = await opened(scripted(applied).backend);
  await put(1);
  await until(() => shared.stored.has('cairn.pending'));
  engine.start();
  await until(() => seen.status?.pendingItems === 0);
  await until(() => shared.stored.get('cairn.pending') === JSON.stringify({ device: device.id, people: {} }));
  await engine.stop();
  await put(2);
  const noted = openDataLossCanary(shared.keyValue, device.id, () => 5);
  noted.note(OWNER, 1);
  await device.forgetPerson(OWNER);
  expect(openDataLossCanary(shared.keyValue, newId(), () => 6).losses()).toEqual([]);
});

test('what stands there and is not ours counts as nothing', () => {
  const shared = virtualDevice();
  for (const text of ['', '{', '[]', '{"device":1}', 'null']) {
    shared.stored.set('cairn.pending', text);
    shared.stored.set('cairn.lost', text);
    const canary = openDataLossCanary(shared.keyValue, newId(), () => 5);
    expect(canary.losses()).toEqual([]);
    canary.note(OWNER, 3);
    expect(shared.stored.get('cairn.pending')).toContain('"count":3');
  }
});
