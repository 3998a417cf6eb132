import type { TableName } from '@cairn/schema';
import { dropRecord } from '../push/acknowledge.ts';
import { CONFLICTS, NUDGE, QUEUE, type Changes } from '../store/changes.ts';
import { ALL_STORES } from '../store/database-schema.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { DIGEST_ASKED, DIGEST_DUE } from '../store/health.ts';
import { outboxKey } from '../push/outbox-choice.ts';
import { ownerRange } from '../store/read-tx.ts';
import { noReceiptFor } from '../push/receipts.ts';
import { keyAt } from '../store/record-key.ts';
import { rebuildRecord, storeOf } from '../store/record.ts';
import { BYTES, type QueuedEntry } from '../store/stored.ts';

type DeviceScope = { db: LocalDatabase; owner: string; changes: Changes };

/** `on_its_way`: nothing was changed, for the server is being told of it at this moment. */
export type DiscardResult = 'gone' | 'on_its_way';

/**
 * What waits is let go together where it belongs together: all that counts under one record (a signed inspection without one
 * of its answers is another inspection), and what has to arrive at once (the action items of its end).
 *
 * @returns for each entry, by its `seq`, a name that all of its whole share
 */
export function discardGroupsOf(entries: readonly QueuedEntry[]): Map<number, string> {
  const joined = new Map<string, string>();
  const nameOf = (aggregateKey: string): string => {
    const to = joined.get(aggregateKey);
    return to === undefined ? aggregateKey : nameOf(to);
  };
  const firstOf = new Map<string, string>();
  for (const { group, aggregateKey } of entries) {
    if (!group) continue;
    const name = nameOf(firstOf.get(group) ?? aggregateKey);
    firstOf.set(group, name);
    if (nameOf(aggregateKey) !== name) joined.set(nameOf(aggregateKey), name);
  }
  return new Map(entries.map(({ seq, aggregateKey }) => [seq, nameOf(aggregateKey)]));
}

/** What was refused stands alone: the rest of its whole may still go. A row that was never sent takes its file with it. */
function goingWith(all: readonly QueuedEntry[], key: string): QueuedEntry[] {
  const own = all.filter(entry => outboxKey(entry) === key);
  if (own.some(({ state }) => state === 'failed')) {
    const neverSynced = own.find(({ operation }) => operation === 'insert');
    const isItsFile = ({ dataType, dataId }: QueuedEntry) =>
      dataType === neverSynced?.dataType && dataId === neverSynced.dataId;
    return all.filter(entry => own.includes(entry) || isItsFile(entry));
  }
  const discardGroups = discardGroupsOf(all);
  const names = new Set(own.map(({ seq }) => discardGroups.get(seq)));
  return all.filter(({ seq }) => names.has(discardGroups.get(seq)));
}

/** The record as the server has it; gone when the server has none. */
async function restore(tx: DatabaseTx, { owner, dataType, dataId }: QueuedEntry): Promise<void> {
  const store = tx.objectStore(storeOf(dataType as TableName));
  const key = keyAt(owner, dataType, dataId);
  const record = await store.get(key);
  if (!record) return;
  if (record.base && !record.lost) await store.put(rebuildRecord(record, record.base, []), key);
  else await store.delete(key);
}

/** A choice that is not told to anybody is not made: the conflict stands again. */
async function reopen(tx: DatabaseTx, { owner, conflict }: QueuedEntry): Promise<void> {
  const conflicts = tx.objectStore('conflicts');
  const found = conflict && (await conflicts.get([owner, conflict]));
  if (!found) return;
  const { written: _written, ...rest } = found;
  await conflicts.put({ ...rest, resolved: false, resolution: null, resolvedAt: null });
}

async function letGo(tx: DatabaseTx, entry: QueuedEntry): Promise<void> {
  await tx.objectStore('sync_queue').delete(entry.seq);
  const isFile = entry.operation === 'upload' || (entry.operation === 'insert' && entry.dataType === 'media');
  if (isFile) await tx.objectStore('media').delete(keyAt(entry.owner, BYTES, entry.dataId));
  if (entry.operation === 'upload') {
    const row = await tx.objectStore('media').get(keyAt(entry.owner, 'media', entry.dataId));
    if (row?.isSubmitted) await dropRecord(tx, row);
    return noReceiptFor(tx, entry.owner, entry.dataId);
  }
  await restore(tx, entry);
  if (entry.operation === 'resolve') await reopen(tx, entry);
}

/** Its answer may have been lost: the server may hold it, and what was pulled since may have counted on this device's copy. */
const mayBeThere = ({ state, attempt, copied }: QueuedEntry): boolean =>
  state !== 'failed' && (attempt > 0 || copied === true);

/** Throws one outbox line away, with what belongs together with it. */
export async function discardQueued({ db, owner, changes }: DeviceScope, key: string): Promise<DiscardResult> {
  const tx = await db.transaction(ALL_STORES, 'readwrite', 'strict');
  const all = (await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner))) as QueuedEntry[];
  const going = goingWith(all, key);
  const isOnItsWay = going.some(({ state }) => state === 'sending');
  const isAsked = !isOnItsWay && going.some(mayBeThere);
  if (!isOnItsWay) for (const entry of going) await letGo(tx, entry);
  if (isAsked) await tx.objectStore('meta').put({ owner, name: DIGEST_DUE, value: DIGEST_ASKED });
  await tx.done;
  if (isOnItsWay) return 'on_its_way';
  const tables = new Set(going.map(({ dataType }) => dataType));
  changes.emit([...tables, QUEUE, CONFLICTS, ...(isAsked ? [NUDGE] : [])]);
  return 'gone';
}
