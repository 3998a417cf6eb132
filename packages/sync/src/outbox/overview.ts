import type { TableName } from '@cairn/schema';
import { finish } from '../transport/abandon.ts';
import type { DatabaseTx, LocalDatabase, Mode } from '../store/database.ts';
import type { Conflict, OutboxItem, SyncStatus, PendingWrite } from './outbox-item.ts';
import { PULLED, type PullState } from '../store/health.ts';
import { discardGroupsOf } from './discard.ts';
import { outboxKey } from '../push/outbox-choice.ts';
import { readQueueInChunks } from '../store/queue-chunks.ts';
import { ownerRange } from '../store/read-tx.ts';
import { metaOf } from '../store/session.ts';
import { isOrphaned } from '../push/apply-push-result.ts';
import { SEALED_OUTBOX, type ConflictRecord, type QueuedEntry } from '../store/stored.ts';
import { placeOf } from '../push/uploads.ts';

type DeviceScope = { db: LocalDatabase; owner: string };
type Facts = Omit<SyncStatus, 'online' | 'offlineByChoice' | 'phase'>;

async function queueOf({ db, owner }: DeviceScope): Promise<QueuedEntry[]> {
  return readQueueInChunks(db, owner, await db.transaction(['sync_queue'], 'readonly'));
}

/** The figures of the badge, counted from the database each time. */
export async function statusOf({ db, owner }: DeviceScope): Promise<Facts> {
  const tx = await db.transaction(['sync_queue', 'conflicts', 'meta'], 'readonly');
  const [conflicts, pulled, locked, entries] = await Promise.all([
    tx.objectStore('conflicts').getAll(ownerRange(owner)),
    metaOf<PullState>(tx, owner, PULLED),
    tx.objectStore('meta').count([owner, SEALED_OUTBOX]),
    readQueueInChunks(db, owner, tx),
  ]);
  const records = entries.filter(({ operation }) => operation !== 'upload');
  const files = new Set(
    entries.filter(({ operation }) => operation === 'upload').map(({ dataId }) => `media/${dataId}`),
  );
  // The row of a file that waits is counted with its file.
  const items = new Set(
    records.map(({ aggregateKey }) => aggregateKey).filter(aggregateKey => !files.has(aggregateKey)),
  );
  const failed = entries.filter(entry => entry.state === 'failed' && !isOrphaned(entry));
  return {
    pendingItems: items.size,
    pendingReports: [...items].filter(aggregateKey => aggregateKey.startsWith('issue_reports/')).length,
    pendingFiles: entries.length - records.length,
    failed: new Set(failed.map(({ aggregateKey }) => aggregateKey)).size,
    conflicts: conflicts.filter(({ resolved }) => !resolved).length,
    lockedOutbox: locked > 0,
    oldestPendingAt: entries.length > 0 ? Math.min(...entries.map(({ timestamp }) => timestamp)) : null,
    lastPullAt: pulled?.lastPullAt ?? null,
    firstPull: !pulled,
  };
}

function stateOf(entries: readonly QueuedEntry[]): OutboxItem['state'] {
  const own = entries.filter(entry => !isOrphaned(entry));
  if (own.some(({ state }) => state === 'failed')) return 'failed';
  if (own.some(({ state }) => state === 'sending')) return 'sending';
  return own.some(({ lastError }) => lastError !== null) ? 'retrying' : 'waiting';
}

type OutboxFacts = { sent: ReadonlyMap<string, number>; discardGroups: ReadonlyMap<number, string> };

function itemOf(entries: readonly [QueuedEntry, ...QueuedEntry[]], { sent, discardGroups }: OutboxFacts): OutboxItem {
  const [first] = entries;
  const last = entries.at(-1) ?? first;
  const file = first.operation === 'upload';
  const troubled = entries.find(({ lastError }) => lastError !== null);
  return {
    key: outboxKey(first),
    table: first.dataType as TableName,
    recordId: first.dataId,
    kind: file ? 'file' : 'record',
    aggregateKey: first.aggregateKey,
    discardGroup: discardGroups.get(first.seq) ?? first.aggregateKey,
    title: last.title,
    operation: first.operation,
    edits: entries.length,
    at: last.timestamp,
    state: stateOf(entries),
    attempts: Math.max(...entries.map(({ attempt, retryCount }) => Math.max(attempt, retryCount))),
    lastError: troubled?.lastError ?? null,
    bytes: file && typeof first.data['size'] === 'number' ? first.data['size'] : null,
    sentBytes: file ? (sent.get(first.dataId) ?? placeOf(first)?.offset ?? null) : null,
    detail: troubled?.detail ?? null,
    ...(troubled?.reason !== undefined && { reason: troubled.reason }),
  };
}

/** The outbox line by line, in sending order. @param sent bytes on their way, by media id */
export async function outboxOf(place: DeviceScope, sent: ReadonlyMap<string, number>): Promise<OutboxItem[]> {
  const lines = new Map<string, [QueuedEntry, ...QueuedEntry[]]>();
  const entries = await queueOf(place);
  const discardGroups = discardGroupsOf(entries);
  for (const entry of entries) {
    const line = lines.get(outboxKey(entry));
    if (line) line.push(entry);
    else lines.set(outboxKey(entry), [entry]);
  }
  return [...lines.values()].map(line => itemOf(line, { sent, discardGroups }));
}

/**
 * What lines of the outbox say, record by record: only what was written here, without what the server lays under it.
 *
 * @param keys of `OutboxItem`; those that are gone are passed over
 */
export async function wroteIn(place: DeviceScope, keys: readonly string[]): Promise<PendingWrite[]> {
  const asked = new Set(keys);
  const records = new Map<string, PendingWrite>();
  for (const entry of await queueOf(place)) {
    if (entry.operation === 'upload' || !asked.has(outboxKey(entry))) continue;
    const { dataType, dataId: recordId, data } = entry;
    const before = records.get(`${dataType}/${recordId}`)?.fields;
    records.set(`${dataType}/${recordId}`, { table: dataType as TableName, recordId, fields: { ...before, ...data } });
  }
  return [...records.values()];
}

const conflictOf = (record: ConflictRecord): Conflict => ({
  id: record.cid,
  table: record.type as TableName,
  recordId: record.dataId,
  title: record.title,
  kind: record.conflict.kind,
  fields: record.conflict.fields,
  mine: record.conflict.mine,
  at: record.timestamp,
  resolved: record.resolved,
  resolution: record.resolution,
  resolvedAt: record.resolvedAt,
  written: record.written ?? null,
});

/** Every conflict on this device, newest first, settled ones too. */
export async function conflictsOf({ db, owner }: DeviceScope): Promise<Conflict[]> {
  const tx = await db.transaction(['conflicts'], 'readonly');
  const asked = tx.objectStore('conflicts').getAll(ownerRange(owner));
  finish(tx);
  const all = await asked;
  return all.toSorted((a, b) => b.timestamp - a.timestamp).map(conflictOf);
}

/** Whether nothing of a person waits: no edit or file to be sent, no conflict to be answered. Needs the queue and `conflicts`. */
export async function isOutboxEmpty(tx: DatabaseTx<Mode>, owner: string): Promise<boolean> {
  const [entries, conflicts] = await Promise.all([
    tx.objectStore('sync_queue').index('order').count(ownerRange(owner)),
    tx.objectStore('conflicts').getAll(ownerRange(owner)),
  ]);
  return entries === 0 && conflicts.every(({ resolved }) => resolved);
}

/** What nobody has acknowledged yet, for the question at sign-out. */
export async function pendingOf(place: DeviceScope): Promise<{ records: number; files: number }> {
  const { pendingItems, pendingFiles } = await statusOf(place);
  return { records: pendingItems, files: pendingFiles };
}
