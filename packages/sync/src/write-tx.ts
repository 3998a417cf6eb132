import { Failure } from '@cairn/base/failure.ts';
import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { DatabaseTx } from './database.ts';
import { withEdit, type Edit } from './queue-edit.ts';
import { readTx } from './read-tx.ts';
import { countedUnder, freshRecord, sameJson, settleRecord, storeOf, writable } from './record.ts';
import type { WriteTx } from './store.ts';
import { BYTES, type Data, type QueueEntry, type StoredRecord } from './stored.ts';

/** The server takes at most this many mutations as one unit. */
export const MAX_TOGETHER = 50;

type Write = {
  tx: DatabaseTx;
  owner: string;
  now: number;
  together: boolean;
  /** Filled with what the write changed. */
  changed: Set<TableName>;
};

/**
 * A write over the local copy. Every change lays down its record and its outbox entry together, so that even a
 * transaction that ends too early (somebody awaited a foreign promise) leaves no unsent edit without its entry.
 */
export function writeTx({ tx, owner, now, together, changed }: Write): WriteTx & { check(): void } {
  const group = together ? newId() : null;
  const grouped = new Set<string>();
  const queue = tx.objectStore('sync_queue');
  let turn: Promise<unknown> = Promise.resolve();
  /** One change at a time, also when the caller starts several at once. */
  const inTurn = <A>(step: () => Promise<A>): Promise<A> => {
    const next = turn.then(step);
    turn = next.catch(() => undefined);
    return next;
  };

  async function apply(record: StoredRecord, edit: Edit): Promise<void> {
    const table = record.type as TableName;
    const base = record.isDirty ? (record.base ?? null) : record.version > 0 ? record.data : null;
    const found = record.isDirty ? await queue.index('record').getAll([owner, table, record.id]) : [];
    const before = found.filter(entry => entry.operation !== 'upload');
    const after = withEdit({ ...record, base }, before, edit);
    changed.add(table);
    await layDown(before, after);
    const store = tx.objectStore(storeOf(table));
    if (!base && after.length === 0) await store.delete([owner, table, record.id]);
    else await store.put(settleRecord(record, base, after));
    if (table === 'media' && edit.operation === 'delete') await forgetFile(record.id);
    if (group) grouped.add(`${table}/${record.id}`);
  }

  /** Only the last entry of a record ever changes. */
  async function layDown(before: QueueEntry[], after: QueueEntry[]): Promise<void> {
    const last = after.at(-1);
    const dropped = after.length < before.length ? before.at(-1)?.seq : undefined;
    if (dropped !== undefined) await queue.delete(dropped);
    else if (last) await queue.put(last);
  }

  async function forgetFile(id: string): Promise<void> {
    const entries = await queue.index('record').getAll([owner, 'media', id]);
    for (const entry of entries) if (entry.operation === 'upload') await queue.delete(entry.seq ?? 0);
    await tx.objectStore('media').delete([owner, BYTES, id]);
  }

  const recordOf = (table: TableName, id: string) => tx.objectStore(storeOf(table)).get([owner, table, id]);

  async function update(record: StoredRecord, fields: Data): Promise<void> {
    const table = record.type as TableName;
    const wanted = Object.entries(writable(table, fields)).filter(
      ([name, value]) => !sameJson(value, record.data[name]),
    );
    if (wanted.length === 0) return;
    const seen = seenOf(
      record,
      wanted.map(([name]) => name),
    );
    await apply(record, { operation: 'update', patch: Object.fromEntries(wanted), seen, now, group });
  }

  return {
    ...readTx(tx, owner),
    put: (table, row) =>
      inTurn(async () => {
        const { id } = row as { id: string };
        const record = await recordOf(table, id);
        if (record && !record.deleted) return update(record, row as Data);
        const patch = writable(table, row as Data);
        await apply(record ?? freshRecord(owner, table, id), { operation: 'insert', patch, seen: {}, now, group });
      }),
    change: (table, id, fields) =>
      inTurn(async () => {
        const record = await recordOf(table, id);
        if (!record || record.deleted) throw new Failure('not_found', `change: no ${table} ${id} on this device`);
        await update(record, fields as Data);
      }),
    remove: (table, id) =>
      inTurn(async () => {
        const record = await recordOf(table, id);
        if (!record || record.deleted) return;
        await apply(record, { operation: 'delete', patch: {}, seen: {}, now, group });
      }),
    putBytes: (mediaId, bytes) =>
      inTurn(async () => {
        const queued = await queue.index('record').getAll([owner, 'media', mediaId]);
        const row = await recordOf('media', mediaId);
        await tx
          .objectStore('media')
          .put({ ...freshRecord(owner, 'media', mediaId), type: BYTES, data: { bytes }, isDirty: true });
        changed.add('media');
        if (!queued.some(entry => entry.operation === 'upload')) {
          const under = countedUnder('media', mediaId, row?.data ?? {});
          await queue.add(uploadEntry({ owner, mediaId, size: bytes.byteLength, now, under }));
        }
      }),
    check() {
      if (grouped.size <= MAX_TOGETHER) return;
      throw new Failure('invalid', `write: ${grouped.size} records together, at most ${MAX_TOGETHER} can be`);
    },
  };
}

/** What the person saw: the fields they change, and those that stand or fall with them. */
function seenOf(record: StoredRecord, fields: readonly string[]): Data {
  const groups = syncedTables[record.type as TableName].groups.filter(group =>
    group.some(name => fields.includes(name)),
  );
  const names = new Set([...fields, ...groups.flat()]);
  return Object.fromEntries([...names].map(name => [name, record.data[name] ?? null]));
}

type NewUpload = { owner: string; mediaId: string; size: number; now: number; under: string };

function uploadEntry({ owner, mediaId, size, now, under }: NewUpload): QueueEntry {
  return {
    operation: 'upload',
    dataType: 'media',
    dataId: mediaId,
    data: { size },
    priority: Number.MAX_SAFE_INTEGER,
    timestamp: now,
    retryCount: 0,
    mid: newId(),
    owner,
    base: {},
    bv: 0,
    state: 'waiting',
    attempt: 0,
    crashes: 0,
    notBefore: 0,
    lastError: null,
    detail: null,
    under,
    title: null,
  };
}
