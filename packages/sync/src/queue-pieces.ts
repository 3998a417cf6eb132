import type { DatabaseTx, LocalDatabase, Mode } from './database.ts';
import { ownerRange } from './read-tx.ts';
import type { QueuedEntry } from './stored.ts';

/** A save waits for a read of the queue that has begun: so many entries are read at a time. */
const AT_A_TIME = 100;

function pieceOf(tx: DatabaseTx<Mode>, owner: string, after: QueuedEntry | undefined): Promise<QueuedEntry[]> {
  const range = after
    ? IDBKeyRange.bound([owner, after.priority, after.seq], ownerRange(owner).upper, true)
    : ownerRange(owner);
  return tx.objectStore('sync_queue').index('order').getAll(range, AT_A_TIME) as Promise<QueuedEntry[]>;
}

/**
 * The whole queue of one person in sending order, for those who tell of it. A short one is read within `first`; of a longer one the
 * rest is read in further transactions, so that what changes meanwhile may show as it was or as it is.
 *
 * @param first a transaction that covers `sync_queue`
 */
export async function queueInPieces(db: LocalDatabase, owner: string, first: DatabaseTx<Mode>): Promise<QueuedEntry[]> {
  const entries = await pieceOf(first, owner, undefined);
  for (let piece = entries; piece.length === AT_A_TIME; entries.push(...piece))
    piece = await pieceOf(await db.transaction(['sync_queue'], 'readonly'), owner, entries.at(-1));
  return entries;
}
