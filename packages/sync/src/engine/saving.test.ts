import 'fake-indexeddb/auto';
import { openDatabase } from '../store/database.ts';
import { newId } from '@cairn/base/id.ts';
import { actionId, anAction } from '@cairn/testing/store-contract.ts';
import { virtualPlatform } from '@cairn/testing/virtual-platform.ts';
import { expect, test } from 'vitest';
import { openChanges } from '../store/changes.ts';
import { openStore } from '../store/local-store.ts';

test('R3.34 R3.35 a save leaves the record and its queue entry in the specified shapes', async () => {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const db = await openDatabase(newId());
  const store = openStore({ db, owner, device: 'device', clock, changes: openChanges(openChannel('t'), owner) });
  await store.write('put', tx => tx.put('action_items', anAction(1)));

  const tx = await db.transaction(['tasks', 'sync_queue'], 'readonly');
  const [record] = await tx.objectStore('tasks').getAll();
  const [entry] = await tx.objectStore('sync_queue').getAll();
  expect(record).toMatchObject({
    id: actionId(1),
    type: 'action_items',
    data: { title: 'Action 1' },
    lastSync: null,
    isDirty: true,
  });
  expect(record?.syncPriority).toEqual(expect.any(Number));
  expect(entry).toMatchObject({
    operation: 'insert',
    dataType: 'action_items',
    dataId: actionId(1),
    data: { title: 'Action 1' },
    timestamp: clock.now(),
    retryCount: 0,
  });
  expect(entry?.priority).toBe(record?.syncPriority);
});

test('a write that reaches beyond the stores its name used before is run again over all, and stands once', async () => {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const db = await openDatabase(newId());
  const store = openStore({ db, owner, device: 'device', clock, changes: openChanges(openChannel('t'), owner) });
  await store.write('same name', tx => tx.put('action_items', anAction(1)));
  await store.write('same name', async tx => {
    await tx.put('action_items', anAction(2));
    await tx.put('assets', { id: actionId(3), organization_id: actionId(9), name: 'Forklift 3' });
  });
  const tx = await db.transaction(['tasks', 'scans', 'sync_queue'], 'readonly');
  expect(await tx.objectStore('sync_queue').count()).toBe(3);
  expect([await tx.objectStore('tasks').count(), await tx.objectStore('scans').count()]).toEqual([2, 1]);
});

test('more than a thousand records cannot be written together: nothing is saved', async () => {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const db = await openDatabase(newId());
  const store = openStore({ db, owner, device: 'device', clock, changes: openChanges(openChannel('t'), owner) });
  const many = store.write(
    'many',
    async tx => {
      for (let n = 1; n <= 1001; n += 1) await tx.put('action_items', anAction(n));
    },
    { together: true },
  );
  await expect(many).rejects.toMatchObject({ code: 'invalid' });
  const tx = await db.transaction(['tasks', 'sync_queue'], 'readonly');
  expect([await tx.objectStore('tasks').count(), await tx.objectStore('sync_queue').count()]).toEqual([0, 0]);
});

test('a NUL or half a character in any text never reaches the outbox, however deep it lies', async () => {
  const { clock, openChannel } = virtualPlatform();
  const owner = newId();
  const db = await openDatabase(newId());
  const store = openStore({ db, owner, device: 'device', clock, changes: openChanges(openChannel('t'), owner) });
  await store.write('put', tx => tx.put('action_items', anAction(1, { title: 'a\0b\ud800c 🙂' })));
  await store.write('change', tx => tx.change('action_items', actionId(1), { description: '\udc00\0' }));
  const value = { 'k\0ey': ['x\0', { deep: 'y\ud83d' }, 3, null, true] };
  const answer = { id: newId(), inspection_id: newId(), organization_id: newId(), question: 'q', value };
  await store.write('answer', tx => tx.put('inspection_answers', answer));

  const tx = await db.transaction(['tasks', 'sync_queue'], 'readonly');
  const [record] = await tx.objectStore('tasks').getAll();
  const entries = await tx.objectStore('sync_queue').getAll();
  expect(record?.data).toMatchObject({ title: 'ab\ufffdc 🙂', description: '\ufffd' });
  expect(entries.map(entry => entry.data)).toMatchObject([
    { title: 'ab\ufffdc 🙂', description: '\ufffd' },
    { value: { key: ['x', { deep: 'y\ufffd' }, 3, null, true] } },
  ]);
});
