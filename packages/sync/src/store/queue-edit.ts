import { defaults, type TableName } from '@cairn/schema';
import { newId } from '@cairn/base/id.ts';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { keyOf } from './record-key.ts';
import { aggregateKeyOf, priorityOf, sameJson, titleOf } from './record.ts';
import type { Data, QueuedEntry, QueueEntry, StoredRecord } from './stored.ts';

/** One edit of one record before it meets the outbox. */
export type Edit = {
  operation: 'insert' | 'update' | 'delete';
  /** Changed fields with their new values. */
  patch: Data;
  /** The same fields as the person saw them. */
  seen: Data;
  now: number;
  group: string | null;
};

/** An entry that has never left the device may still be rewritten; afterwards its body is frozen. */
const open = (entry: QueueEntry | undefined, group: string | null): entry is QueueEntry =>
  entry !== undefined &&
  entry.attempt === 0 &&
  entry.operation !== 'resolve' &&
  (!entry.copied || entry.state === 'failed') &&
  (group === null || entry.group === undefined || entry.group === group);

export function newEntry(record: StoredRecord, edit: Edit): QueueEntry {
  const table = record.type as TableName;
  const shown = { ...record.data, ...edit.patch };
  return {
    operation: edit.operation,
    dataType: table,
    dataId: record.id,
    data: edit.patch,
    priority: priorityOf(table),
    timestamp: edit.now,
    retryCount: 0,
    mid: newId(),
    owner: record.owner,
    base: edit.operation === 'insert' ? insertBase(table, edit.patch) : edit.seen,
    record: keyOf(record),
    bv: record.version,
    state: 'waiting',
    attempt: 0,
    crashes: 0,
    notBefore: 0,
    lastError: null,
    detail: null,
    ...(edit.group && { group: edit.group }),
    aggregateKey: aggregateKeyOf(table, record.id, shown),
    title: titleOf(table, shown),
  };
}

/** Null says nothing in an insert unless it stands against a default. */
function insertPatch(table: TableName, patch: Data): Data {
  const kept = Object.entries(patch).filter(([field, value]) => value !== null || field in defaults[table]);
  return Object.fromEntries(kept);
}

/**
 * What an insert was made on: the defaults. Two devices that make the same record offline (a person's preferences) differ
 * only where each chose something, not where one of them left the default.
 */
function insertBase(table: TableName, data: Data): Data {
  const known: Data = defaults[table];
  return Object.fromEntries(Object.keys(data).flatMap(field => (field in known ? [[field, known[field]]] : [])));
}

function mergeUpdate(last: QueueEntry, record: StoredRecord, edit: Edit): QueueEntry | null {
  const table = record.type as TableName;
  if (last.operation === 'insert') {
    const data = insertPatch(table, { ...last.data, ...edit.patch });
    return { ...last, data, base: insertBase(table, data) };
  }

  const data = { ...last.data, ...edit.patch };
  const base = { ...edit.seen, ...last.base };
  for (const field of Object.keys(edit.patch)) {
    // Back to where it stood, and the server still stands there: nothing is left to say.
    if (sameJson(data[field], base[field]) && sameJson(data[field], record.base?.[field])) {
      delete data[field];
      delete base[field];
    }
  }
  return Object.keys(data).length === 0 ? null : { ...last, data, base };
}

/** Deleted here, not yet told, and put again: what differs from the server's row becomes an update. */
function revive(last: QueueEntry, record: StoredRecord, edit: Edit): QueueEntry | null {
  const server = record.base ?? {};
  const changed = Object.keys(edit.patch).filter(field => !sameJson(edit.patch[field], server[field]));
  if (changed.length === 0) return null;
  const pick = (from: Data) => Object.fromEntries(changed.map(field => [field, from[field] ?? null]));
  return { ...last, operation: 'update', data: pick(edit.patch), base: pick(server) };
}

function intoLast(last: QueueEntry, record: StoredRecord, edit: Edit): QueueEntry | null {
  if (edit.operation === 'delete') {
    return last.operation === 'insert'
      ? null
      : { ...last, operation: 'delete', data: {}, base: {}, bv: record.version };
  }
  return last.operation === 'delete' ? revive(last, record, edit) : mergeUpdate(last, record, edit);
}

/**
 * Whether the edit has to be told after the last entry, not with it: the server judges each move of a state, and two
 * joined ones may be a move it knows nothing of. What takes the whole entry back is no move.
 */
function isNextStep(last: QueueEntry, edit: Edit): boolean {
  const { steps } = syncedTables[last.dataType as TableName];
  // A refused step is mended by the next edit, whatever that is.
  if (!steps || edit.operation !== 'update' || last.state === 'failed') return false;
  const { field, fromNew } = steps;
  if (last.operation === 'insert') return fromNew && field in edit.patch;
  if (last.operation !== 'update' || !(field in last.data || field in edit.patch)) return false;
  const joined = Object.entries({ ...last.data, ...edit.patch });
  return !joined.every(([name, value]) => name in last.base && sameJson(value, last.base[name]));
}

/**
 * The record's outbox after one more edit: joined to the last entry while that was never sent and says no step of its own,
 * else a new entry.
 * A rejected entry counts as never sent, so that editing the record mends it.
 *
 * @param entries the record's entries, oldest first
 * @returns the entries that should stand; what is missing was cancelled
 */
export function withEdit(record: StoredRecord, entries: readonly QueueEntry[], edit: Edit): QueueEntry[] {
  const last = entries.at(-1);
  if (!open(last, edit.group) || isNextStep(last, edit)) {
    const patch = edit.operation === 'insert' ? insertPatch(record.type as TableName, edit.patch) : edit.patch;
    return [...entries, newEntry(record, { ...edit, patch })];
  }
  const joined = intoLast(last, record, edit);
  if (!joined) return entries.slice(0, -1);
  const shown = { ...record.data, ...edit.patch };
  const next: QueueEntry = {
    ...joined,
    timestamp: edit.now,
    ...(edit.group && { group: edit.group }),
    title: titleOf(record.type as TableName, shown),
  };
  return [...entries.slice(0, -1), last.state === 'failed' ? asUncopied(next) : next];
}

/** A rejected body was not stored by the server; the corrected one goes out as new work. */
export function asUncopied({ copied: _copied, ...entry }: QueueEntry): QueueEntry {
  return {
    ...entry,
    mid: newId(),
    state: 'waiting',
    attempt: 0,
    crashes: 0,
    notBefore: 0,
    lastError: null,
    detail: null,
  };
}

export const recordEntries = (entries: readonly QueuedEntry[]): QueuedEntry[] =>
  entries.filter(entry => entry.operation !== 'upload');

/** A choice for what the server has: there is nothing in it to be merged, or for a review queue. */
export const saysNothing = ({ operation, data }: Pick<QueueEntry, 'operation' | 'data'>): boolean =>
  operation === 'resolve' && Object.keys(data).length === 0;
