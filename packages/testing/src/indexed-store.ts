import 'fake-indexeddb/auto';
import { newId } from '@cairn/base/id.ts';
import { defaults, serverColumns, type TableName } from '@cairn/schema';
import { openChanges } from '@cairn/sync/store/changes.ts';
import { openDatabase, type LocalDatabase } from '@cairn/sync/store/database.ts';
import { openStore } from '@cairn/sync/store/local-store.ts';
import { keyOf } from '@cairn/sync/store/record-key.ts';
import { cleanRecord, normalise, storeOf } from '@cairn/sync/store/record.ts';
import type { Store } from '@cairn/sync/store.ts';
import type { MemoryRows } from './memory-store.ts';
import { virtualPlatform } from './virtual-platform.ts';

type Data = Record<string, unknown>;
const SAM = '00000000-0000-4000-8000-000000000003';
const MADE_AT = '2026-11-21T08:00:00.000Z';

/** The row as the server would send it. */
function sentRow(table: TableName, owner: string, row: Data): Data & { id: string; version: number } {
  const made: Data = { ...defaults[table] };
  for (const column of serverColumns[table]) {
    if (column === 'created_at' || column === 'updated_at') made[column] = MADE_AT;
    if (column === 'created_by') made[column] = owner;
  }
  return { version: 1, ...normalise({ ...made, ...row }) } as Data & { id: string; version: number };
}

/**
 * jsdom puts byte types of its own in place of Node's, and what `structuredClone` makes is Node's: keys of bytes would not be known
 * again. Vitest puts both back after the file.
 */
function takeBytesOfNode(): void {
  const bytes = structuredClone(new Uint8Array(1));
  Object.assign(globalThis, { Uint8Array: bytes.constructor, ArrayBuffer: bytes.buffer.constructor });
}

async function lay(db: LocalDatabase, owner: string, rows: MemoryRows): Promise<TableName[]> {
  const filled = Object.entries(rows) as [TableName, Data[]][];
  if (filled.length === 0) return [];
  const tx = await db.transaction([...new Set(filled.map(([table]) => storeOf(table)))], 'readwrite');
  for (const [table, sent] of filled) {
    for (const row of sent) {
      const record = cleanRecord(owner, table, sentRow(table, owner, row), { scopes: [], at: Date.parse(MADE_AT) });
      await tx.objectStore(storeOf(table)).put(record, keyOf(record));
    }
  }
  await tx.done;
  return filled.map(([table]) => table);
}

const arriving = new WeakMap<Store, (rows: MemoryRows) => Promise<void>>();

/** Brings rows to a store of `indexedStore` as a later pull does. */
export const arrive = async (store: Store, rows: MemoryRows): Promise<void> => arriving.get(store)?.(rows);

/** The store of a device on IndexedDB, with these rows on it as a first pull leaves them. */
export async function indexedStore(rows: MemoryRows = {}, owner = SAM): Promise<Store> {
  takeBytesOfNode();
  const db = await openDatabase(newId());
  await lay(db, owner, rows);
  const { clock, openChannel } = virtualPlatform();
  const changes = openChanges(openChannel('test'), owner);
  const store = openStore({ db, owner, device: 'device', clock, changes });
  arriving.set(store, async more => changes.emit(await lay(db, owner, more)));
  return store;
}
