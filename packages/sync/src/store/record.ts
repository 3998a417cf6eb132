import { columns, defaults, serverColumns, type Row, type TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { RecordStore } from './database-schema.ts';
import type { Data, QueueEntry, StoredRecord } from './stored.ts';
import { stringStart } from './string-start.ts';

const INSTANT_COLUMN = /_at$/;

/** The organisation a row or a patch names. */
export function organizationIn(data: Data | null | undefined): string | null {
  const id = data?.['organization_id'];
  return typeof id === 'string' ? id : null;
}

export const isTable = (name: string): name is TableName => name in syncedTables;
export const storeOf = (table: TableName): RecordStore => syncedTables[table].store;
export const priorityOf = (table: TableName): number => syncedTables[table].priority;

/** Equality of JSON values; absent and null are the same. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b || Array.isArray(a) !== Array.isArray(b)) return false;
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) if (!sameJson((a as Data)[name], (b as Data)[name])) return false;
  return true;
}

/** The full row: columns that were stripped because they are null come back as null. */
export function hydrate<T extends TableName>(table: T, data: Data): Row<T> {
  const row: Data = {};
  for (const column of columns[table]) row[column] = data[column] ?? null;
  return row as Row<T>;
}

/** Strings of the record's multi-entry index; two people on one device never share one. */
export function keysOf(owner: string, table: TableName, data: Data): string[] {
  // Not hydrated: this runs for every row of a first pull, and no key minds whether a column is null or not there.
  const named = (syncedTables[table].keys as (row: Data) => Record<string, string | string[]>)(data);
  const keys: string[] = [];
  for (const name in named) {
    for (const value of [named[name] ?? []].flat()) keys.push(stringStart(owner, table, name) + value);
  }
  return keys;
}

export const titleOf = (table: TableName, data: Data): string | null =>
  (syncedTables[table].title as (row: Row<TableName>) => string | null)(hydrate(table, data));

/** What the badge counts the record under, as `table/id`. */
export function aggregateKeyOf(table: TableName, id: string, data: Data): string {
  const root = syncedTables[table].aggregateRoot;
  const parent = root && (root.id as (row: Row<TableName>) => string | null)(hydrate(table, data));
  return parent ? `${root.table}/${parent}` : `${table}/${id}`;
}

/** Text as the database can hold it: no NUL, and no half of a character (a lone surrogate). */
const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** The same JSON value with every text in it, names too, as the database can hold it. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [storableText(name), storable(each)]));
}

/**
 * What a client may write of a row: known columns it does not own the id or bookkeeping of, absent ones left out, texts as
 * the database can hold them: one bad character would make a record no server ever takes.
 */
export function writable(table: TableName, row: Data): Data {
  const patch: Data = {};
  for (const column of columns[table]) {
    const mine = column !== 'id' && !serverColumns[table].includes(column);
    if (mine && row[column] !== undefined) patch[column] = storable(row[column]);
  }
  return patch;
}

/** The row as this device shows it before the server has made it. */
function draftOf(table: TableName, entry: QueueEntry): Data {
  const made = new Date(entry.timestamp).toISOString();
  const shown: Data = { ...defaults[table], id: entry.dataId, version: 0 };
  for (const column of serverColumns[table]) {
    if (column === 'created_at' || column === 'updated_at') shown[column] = made;
    if (column === 'created_by') shown[column] = entry.owner;
  }
  return shown;
}

/** The server's row below, the person's pending edits on top. */
export function compose(table: TableName, base: Data | null, entries: readonly QueueEntry[]): Data {
  const first = entries[0];
  const data: Data = base ? { ...base } : first ? draftOf(table, first) : {};
  for (const entry of entries) Object.assign(data, entry.data);
  return data;
}

/** Server rows come with `+00:00`; the device compares and shows instants with `Z` (full precision kept). */
export function normalise(row: Data): Data {
  for (const column in row) {
    const value = row[column];
    if (value === null) delete row[column];
    else if (typeof value === 'string' && INSTANT_COLUMN.test(column) && value.endsWith('+00:00')) {
      row[column] = value.slice(0, -6) + 'Z';
    }
  }
  return row;
}

/** Lays base and entries into the record; the only place that decides dirty, deleted, data and keys. */
export function rebuildRecord(record: StoredRecord, base: Data | null, entries: readonly QueueEntry[]): StoredRecord {
  const table = record.type as TableName;
  const deleted = entries.at(-1)?.operation === 'delete';
  const data = compose(table, base, entries);
  const { base: _base, deleted: _deleted, ...rest } = record;
  return {
    ...rest,
    data,
    isDirty: entries.length > 0,
    keys: deleted ? [] : keysOf(record.owner, table, data),
    ...(entries.length > 0 && { base }),
    ...(deleted && { deleted }),
  };
}

/** A record this device has not held before. */
export function emptyRecord(owner: string, table: TableName, id: string): StoredRecord {
  return {
    id,
    type: table,
    data: {},
    lastSync: null,
    isDirty: false,
    syncPriority: priorityOf(table),
    owner,
    version: 0,
    scopes: [],
    keys: [],
  };
}

/** What came of a row the device did not hold: through which scopes, and when (ms since 1970). */
export type RecordArrival = { scopes: string[]; at: number };

/** A row of the server that this device has not held before, with nothing unsent on it. @param data normalised */
export function cleanRecord(
  owner: string,
  table: TableName,
  data: Data & VersionedRow,
  came: RecordArrival,
): StoredRecord {
  return {
    ...emptyRecord(owner, table, data.id),
    data,
    lastSync: came.at,
    version: data.version,
    scopes: came.scopes,
    keys: keysOf(owner, table, data),
  };
}

export type VersionedRow = { id: string; version: number };
