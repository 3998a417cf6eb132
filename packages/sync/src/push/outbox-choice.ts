import { QUEUE, type Changes } from '../store/changes.ts';
import type { LocalDatabase } from '../store/database.ts';
import { ownerRange } from '../store/read-tx.ts';
import type { QueuedEntry } from '../store/stored.ts';

type DeviceScope = { db: LocalDatabase; owner: string; changes: Changes };

/** Names one line of the outbox: a record with everything queued for it, or a file. */
export const outboxKey = (entry: Pick<QueuedEntry, 'operation' | 'dataType' | 'dataId'>): string =>
  `${entry.operation === 'upload' ? 'file' : 'record'}/${entry.dataType}/${entry.dataId}`;

const again = (entry: QueuedEntry): QueuedEntry => ({
  ...entry,
  state: 'waiting',
  crashes: 0,
  lastError: null,
  detail: null,
});

/** A refusal for want of a parent (foreign key) may pass once the parent goes. */
export const NO_PARENT = '23503';

/** Sends failed entries again: those of one outbox line with the children refused for want of it, or all. */
export async function retryFailed({ db, owner, changes }: DeviceScope, key: string | null): Promise<void> {
  const tx = await db.transaction(['sync_queue'], 'readwrite', 'strict');
  const queue = tx.objectStore('sync_queue');
  const entries = (await queue.index('order').getAll(ownerRange(owner))) as QueuedEntry[];
  const groups = new Set(entries.filter(entry => outboxKey(entry) === key).map(entry => entry.group));
  for (const entry of entries) {
    const meant = key === null || outboxKey(entry) === key || entry.lastError === NO_PARENT;
    const sameGroup = entry.group !== undefined && groups.has(entry.group);
    if (entry.state === 'failed' && (meant || sameGroup)) await queue.put(again(entry));
  }
  await tx.done;
  changes.emit([QUEUE]);
}
