import type { TableName } from '@cairn/schema';
import { QUEUE, type Changes } from './changes.ts';
import type { DatabaseTx, LocalDatabase } from './database.ts';
import { ownerRange } from './read-tx.ts';
import { keyAt } from './record-key.ts';
import { settleRecord, storeOf } from './record.ts';
import { BYTES, type QueuedEntry } from './stored.ts';

type Place = { db: LocalDatabase; owner: string; changes: Changes };

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
export async function retryFailed({ db, owner, changes }: Place, key: string | null): Promise<void> {
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

/** The record as the server has it; null when the server has none. */
async function restore(tx: DatabaseTx, owner: string, table: TableName, id: string): Promise<void> {
  const store = tx.objectStore(storeOf(table));
  const key = keyAt(owner, table, id);
  const record = await store.get(key);
  if (!record) return;
  if (record.base && !record.lost) await store.put(settleRecord(record, record.base, []), key);
  else await store.delete(key);
}

/** Throws one outbox line away. A record that never reached the server takes its file with it. */
export async function discardQueued({ db, owner, changes }: Place, key: string): Promise<void> {
  const [kind, table, id] = key.split('/') as [string, TableName, string];
  const tx = await db.transaction([storeOf(table), 'media', 'sync_queue'], 'readwrite', 'strict');
  const queue = tx.objectStore('sync_queue');
  const entries = (await queue.index('record').getAll(keyAt(owner, table, id))) as QueuedEntry[];
  const unborn = entries.some(entry => entry.operation === 'insert');
  for (const entry of entries) {
    if (outboxKey(entry) === key || (unborn && kind === 'record')) await queue.delete(entry.seq);
  }
  if (kind === 'record') await restore(tx, owner, table, id);
  if (kind === 'file' || (unborn && table === 'media')) await tx.objectStore('media').delete(keyAt(owner, BYTES, id));
  await tx.done;
  changes.emit([table, QUEUE]);
}
