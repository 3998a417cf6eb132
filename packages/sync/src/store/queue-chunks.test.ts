import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { OWNER } from '@cairn/testing/scripted-server.ts';
import { describe, expect, test } from 'vitest';
import { openDatabase } from './database.ts';
import { readQueueInChunks } from './queue-chunks.ts';
import { ownerRange } from './read-tx.ts';

/** A queue of so many edits, of different priorities, some of another person. */
async function queued(count: number) {
  const db = await openDatabase(newId());
  const tx = await db.transaction(['sync_queue'], 'readwrite');
  for (let at = 0; at < count + 5; at++) {
    const owner = at < count ? OWNER : `${OWNER}-else`;
    const entry = { dataType: 'action_items', dataId: `${at}`, operation: 'update', data: {}, owner, priority: at % 3 };
    await tx.objectStore('sync_queue').put({ ...entry, timestamp: at } as never);
  }
  await tx.done;
  return db;
}

describe('the queue read in pieces', () => {
  test.each([0, 1, 99, 100, 101, 200, 450])('%i entries come once each, in sending order', async count => {
    const db = await queued(count);
    const whole = await (
      await db.transaction(['sync_queue'], 'readonly')
    )
      .objectStore('sync_queue')
      .index('order')
      .getAll(ownerRange(OWNER));
    expect(whole).toHaveLength(count);
    expect(await readQueueInChunks(db, OWNER, await db.transaction(['sync_queue'], 'readonly'))).toEqual(whole);
  });

  test('a save waits for one piece of a long queue, not for all of it', async () => {
    const db = await queued(450);
    const order: string[] = [];
    const reading = readQueueInChunks(db, OWNER, await db.transaction(['sync_queue'], 'readonly')).then(() =>
      order.push('read'),
    );
    const tx = await db.transaction(['sync_queue'], 'readwrite');
    const saving = tx.objectStore('sync_queue').count();
    await Promise.all([saving.then(() => order.push('saved')), reading]);
    expect(order).toEqual(['saved', 'read']);
  });
});
