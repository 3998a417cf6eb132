import type { Clock } from '@cairn/base/clock.ts';
import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import type { ConflictKind } from '../transport/backend.ts';
import { CONFLICTS, QUEUE, type Changes } from '../store/changes.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import type { Resolution } from './outbox-item.ts';
import { unpackRecord } from '../store/bulk-block.ts';
import { newEntry, recordEntries } from '../store/queue-edit.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { emptyRecord, rebuildRecord, storeOf, writable } from '../store/record.ts';
import { isIndependent } from '../access/is-independent.ts';
import type { ConflictRecord, Data, QueueEntry, QueuedEntry, StoredRecord } from '../store/stored.ts';

type DeviceScope = { db: LocalDatabase; owner: string; clock: Clock; changes: Changes };

const GONE: ReadonlySet<ConflictKind> = new Set(['deleted_remotely', 'missing_or_hidden', 'access_revoked']);

/** The values the person chose; empty when the server's stand. */
function chosen({ conflict, type }: ConflictRecord, resolution: Resolution): Data {
  if (resolution.keep === 'theirs') return {};
  if (resolution.keep === 'other') return writable(type as TableName, resolution.values);
  return conflict.operation === 'delete' ? {} : conflict.mine;
}

/** What they looked at when they chose: a value that changed since becomes a new conflict, not a silent loss. */
function lookedAt({ conflict }: ConflictRecord, patch: Data, shown: Data): Data {
  const theirs = new Map(conflict.fields.map(({ f, theirs }) => [f, theirs]));
  return Object.fromEntries(
    Object.keys(patch).map(field => [field, theirs.has(field) ? theirs.get(field) : (shown[field] ?? null)]),
  );
}

/** The mutations that carry the choice to the server. */
function entriesFor(found: ConflictRecord, record: StoredRecord, resolution: Resolution, now: number): QueueEntry[] {
  const patch = chosen(found, resolution);
  const edit = { patch, seen: lookedAt(found, patch, record.data), now, group: null };
  const entries: QueueEntry[] = [];
  const gone = GONE.has(found.conflict.kind);
  if (!found.local) {
    const told = gone ? { ...edit, patch: {}, seen: {} } : edit;
    entries.push({ ...newEntry(record, { ...told, operation: 'update' }), operation: 'resolve', conflict: found.cid });
  }
  if (resolution.keep === 'mine' && found.conflict.operation === 'delete')
    entries.push(newEntry(record, { ...edit, patch: {}, seen: {}, operation: 'delete' }));
  return entries;
}

/** The server's record is gone and does not come back: what the person keeps becomes a new one. */
async function copyOf(tx: DatabaseTx, found: ConflictRecord, patch: Data, now: number): Promise<void> {
  const table = found.type as TableName;
  const record = emptyRecord(found.owner, table, newId());
  const entry = newEntry(record, {
    operation: 'insert',
    patch: { ...found.conflict.mine, ...patch },
    seen: {},
    now,
    group: null,
  });
  await tx.objectStore('sync_queue').add(entry);
  await tx.objectStore(storeOf(table)).put(rebuildRecord(record, null, [entry]), keyOf(record));
}

async function queueChoice(tx: DatabaseTx, found: ConflictRecord, resolution: Resolution, now: number): Promise<void> {
  const table = found.type as TableName;
  const id = keyAt(found.owner, table, found.dataId);
  const store = tx.objectStore(storeOf(table));
  const queue = tx.objectStore('sync_queue');
  const held = await unpackRecord(tx, found.owner, table, found.dataId);
  const record = held ?? emptyRecord(found.owner, table, found.dataId);
  for (const entry of entriesFor(found, record, resolution, now)) await queue.add(entry);
  const patch = chosen(found, resolution);
  if (GONE.has(found.conflict.kind) && resolution.keep !== 'theirs') await copyOf(tx, found, patch, now);
  if (!held) return;
  const all = recordEntries((await queue.index('record').getAll(id)) as QueuedEntry[]);
  const base = held.isDirty ? (held.base ?? null) : held.data;
  await store.put(rebuildRecord(record, base, all), id);
}

/**
 * Carries out what the person chose; an unknown or settled conflict does nothing.
 *
 * @throws {Failure} `invalid` to keep what is gone as a new record where it cannot stand alone; nothing is changed
 */
export async function resolveConflict(place: DeviceScope, cid: string, resolution: Resolution): Promise<void> {
  const { db, owner, clock, changes } = place;
  const look = await db.transaction(['conflicts'], 'readonly');
  const known = await look.objectStore('conflicts').get([owner, cid]);
  if (!known || known.resolved) return;
  const copies = GONE.has(known.conflict.kind) && resolution.keep !== 'theirs';
  if (copies && !isIndependent(known.type as TableName))
    throw new Failure('invalid', `resolve ${cid}: ${known.type} cannot be kept as a new record`);

  const stores = [storeOf(known.type as TableName), 'sync_queue', 'conflicts'] as const;
  const tx = await db.transaction(stores, 'readwrite', 'strict');
  const found = await tx.objectStore('conflicts').get([owner, cid]);
  if (found && !found.resolved) {
    const now = clock.now();
    await queueChoice(tx, found, resolution, now);
    const resolved = { ...found, resolved: true, resolution: resolution.keep, resolvedAt: now };
    const written = resolution.keep === 'other' && { written: resolution.values };
    await tx.objectStore('conflicts').put({ ...resolved, ...written });
  }
  await tx.done;
  changes.emit([known.type, QUEUE, CONFLICTS]);
}
