import { finish } from '../transport/abandon.ts';
import type { DatabaseTx, LocalDatabase, Mode } from './database.ts';
import { ownerRange } from './read-tx.ts';
import type { QueuedEntry } from './stored.ts';

/** A save waits for a read of the queue that has begun: so many entries are read at a time. */
const AT_A_TIME = 100;

/** Asks for one piece and ends the transaction: a save of the person at this device waits for no turn of the page in between. */
function chunkAfter(tx: DatabaseTx<Mode>, owner: string, after: QueuedEntry | undefined): Promise<QueuedEntry[]> {
  const range = after
    ? IDBKeyRange.bound([owner, after.priority, after.seq], ownerRange(owner).upper, true)
    : ownerRange(owner);
  const chunk = tx.objectStore('sync_queue').index('order').getAll(range, AT_A_TIME) as Promise<QueuedEntry[]>;
  finish(tx);
  return chunk;
}

/**
 * The whole queue of one person in sending order, for those who tell of it. A short one is read within `first`; of a longer one the
 * rest is read in further transactions, so that what changes meanwhile may show as it was or as it is.
 *
 * @param first a transaction that covers `sync_queue`; it ends with this read, so what else is asked of it was asked before
 */
export async function readQueueInChunks(
  db: LocalDatabase,
  owner: string,
  first: DatabaseTx<Mode>,
): Promise<QueuedEntry[]> {
  const entries = await chunkAfter(first, owner, undefined);
  for (let chunk = entries; chunk.length === AT_A_TIME; entries.push(...chunk))
    chunk = await chunkAfter(await db.transaction(['sync_queue'], 'readonly'), owner, entries.at(-1));
  return entries;
}
