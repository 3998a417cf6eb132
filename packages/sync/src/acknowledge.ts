import type { TableName } from '@cairn/schema';
import { BackendError, type PushResult } from './backend.ts';
import { CONFLICTS, QUEUE } from './changes.ts';
import type { AnyStore } from './database-schema.ts';
import type { DatabaseTx } from './database.ts';
import { recordEntries } from './queue-edit.ts';
import { freshRecord, storeOf } from './record.ts';
import { fenced, type Session } from './session.ts';
import { settle } from './settle.ts';
import { BYTES, type QueuedEntry, type StoredRecord } from './stored.ts';

/** An acknowledged mutation waits here for its receipt. */
export type Acknowledged = { mid: string; mediaId: string | null; at: number };
export const ACKNOWLEDGED = 'acked/';
/** Records acknowledged by the server whose scope no pull has named yet: `[table, id]`. */
export const UNPLACED = 'unplaced/';

/** Takes the record off the device, with its file. */
export async function dropRecord(tx: DatabaseTx, record: Pick<StoredRecord, 'owner' | 'type' | 'id'>): Promise<void> {
  await tx.objectStore(storeOf(record.type as TableName)).delete([record.owner, record.type, record.id]);
  if (record.type !== 'media') return;
  const queued = await tx.objectStore('sync_queue').index('record').count([record.owner, 'media', record.id]);
  if (queued === 0) await tx.objectStore('media').delete([record.owner, BYTES, record.id]);
}

async function settleOne(tx: DatabaseTx, sent: QueuedEntry, result: PushResult, now: number) {
  const queue = tx.objectStore('sync_queue');
  const entry = (await queue.get(sent.seq)) as QueuedEntry | undefined;
  if (!entry || entry.mid !== sent.mid) return null;
  const table = entry.dataType as TableName;
  const id = [entry.owner, table, entry.dataId] as [string, string, string];
  const store = tx.objectStore(storeOf(table));
  const record = (await store.get(id)) ?? { ...freshRecord(entry.owner, table, entry.dataId), isDirty: true };
  const all = recordEntries((await queue.index('record').getAll(id)) as QueuedEntry[]);
  const rest = all.filter(other => other.seq > entry.seq);
  const outcome = settle({ record, entry, rest, now }, result);

  const kept = new Set(outcome.rest.map(later => later.seq));
  for (const later of rest) if (!kept.has(later.seq)) await queue.delete(later.seq);
  for (const later of outcome.rest) await queue.put(later);
  if (outcome.failed) await queue.put(outcome.failed);
  else await queue.delete(entry.seq);
  if (outcome.record) await store.put(outcome.record);
  else await dropRecord(tx, record);
  if (outcome.conflict) await tx.objectStore('conflicts').put(outcome.conflict);
  return outcome;
}

/** @throws {BackendError} `network` when the answer does not answer this batch (a truncated body, a captive portal) */
function checkAnswer(batch: readonly QueuedEntry[], results: readonly PushResult[]): void {
  const fits = results.length === batch.length && batch.every((entry, at) => results[at]?.mid === entry.mid);
  if (!fits) throw new BackendError('network', 'push: the answer does not match what was sent');
}

/** Writes the server's answers down: entries, records, conflicts and what the receipt needs, in one transaction. */
export async function acknowledge(session: Session, batch: readonly QueuedEntry[], results: readonly PushResult[]) {
  checkAnswer(batch, results);
  const tables = new Set(batch.map(entry => entry.dataType as TableName));
  const stores = new Set<AnyStore>(['sync_queue', 'conflicts', ...[...tables].map(storeOf)]);
  await fenced(session, { stores }, async tx => {
    const done: Acknowledged[] = [];
    const unplaced: [string, string][] = [];
    for (const [at, entry] of batch.entries()) {
      const result = results[at];
      const outcome = result && (await settleOne(tx, entry, result, session.platform.clock.now()));
      if (!result || !outcome) continue;
      const counts = (result.st === 'applied' || result.st === 'merged') && entry.operation !== 'resolve';
      if (counts)
        done.push({ mid: entry.mid, mediaId: entry.dataType === 'media' ? entry.dataId : null, at: entry.timestamp });
      const { record } = outcome;
      if (record && !record.isDirty && record.scopes.length === 0) unplaced.push([record.type, record.id]);
    }
    const { owner } = session;
    const name = batch[0]?.mid ?? '';
    const meta = tx.objectStore('meta');
    if (done.length > 0) await meta.put({ owner, name: ACKNOWLEDGED + name, value: done });
    if (unplaced.length > 0) await meta.put({ owner, name: UNPLACED + name, value: unplaced });
  });
  session.changes.emit([...tables, QUEUE, CONFLICTS]);
}
