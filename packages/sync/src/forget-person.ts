import { ALL_STORES, RECORD_STORES } from './database-schema.ts';
import type { LocalDatabase } from './database.ts';
import { forgetBlocks } from './landed.ts';
import { ownerRange } from './read-tx.ts';
import { recordsOf } from './record-key.ts';

/** Removes every record, file, queued edit, conflict and cursor of one person from this device, in one transaction. */
export async function forgetPerson(db: LocalDatabase, owner: string): Promise<void> {
  const tx = await db.transaction([...ALL_STORES], 'readwrite', 'strict');
  const gone = [
    ...RECORD_STORES.map(name => tx.objectStore(name).delete(recordsOf(owner))),
    tx.objectStore('conflicts').delete(ownerRange(owner)),
    tx.objectStore('meta').delete(ownerRange(owner)),
  ];
  const queue = tx.objectStore('sync_queue');
  const waiting = await queue.index('order').getAllKeys(ownerRange(owner));
  await Promise.all([...gone, ...waiting.map(key => queue.delete(key))]);
  await tx.done;
  forgetBlocks(owner);
}
