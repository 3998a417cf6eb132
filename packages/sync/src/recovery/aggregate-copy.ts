import type { Row, TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import type { Conflict } from '../outbox/outbox-item.ts';
import { derivedAnew, renamed } from '../outbox/id-remap.ts';
import { writable } from '../store/record.ts';
import type { Store, Tx, WriteTx } from '../store.ts';
import type { Data } from '../store/stored.ts';

/** Tables whose rows are part of a record of `table`: the answers and photos of an inspection. */
const partsOf = (table: TableName): TableName[] =>
  (Object.keys(syncedTables) as TableName[]).filter(name => syncedTables[name].aggregateRoot?.table === table);

/** Whether the record is made of others, so that it can come back only together with them. */
export const isAggregate = (table: TableName): boolean => partsOf(table).length > 0;

const hexOf = (id: string): string => id.replaceAll('-', '');

/** The id a copy gets: the same one however often the copy is made, and another for each conflict. */
function idInCopy(id: string, conflict: string): string {
  const [a, b] = [hexOf(id), hexOf(conflict)];
  const mixed = Array.from(a, (digit, at) =>
    (Number.parseInt(digit, 16) ^ Number.parseInt(b[at] ?? '0', 16)).toString(16),
  );
  // A random UUID by its looks (version 4, variant 1).
  mixed[12] = '4';
  mixed[16] = ((Number.parseInt(mixed[16] ?? '0', 16) & 3) | 8).toString(16);
  const text = mixed.join('');
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-');
}

type Part = { table: TableName; row: Row<TableName> & { id: string }; bytes: ArrayBuffer | null };

async function partsHere(tx: Tx, { table, recordId }: Conflict): Promise<Part[]> {
  const parts: Part[] = [];
  for (const name of partsOf(table)) {
    const root = syncedTables[name].aggregateRoot;
    for (const row of await tx.all(name)) {
      if (root?.id(row as never) !== recordId) continue;
      const bytes = name === 'media' ? ((await tx.bytes(row.id)) ?? null) : null;
      // A photo whose bytes are with the server only stays the one it is; the copy shows it too.
      if (name !== 'media' || bytes) parts.push({ table: name, row, bytes });
    }
  }
  return parts;
}

/** Old ids with those in the copy. An answer's follows from its inspection's, so that it is found when it is changed. */
function idsInCopy(conflict: Conflict, parts: readonly Part[], copiedId: (id: string) => string): Map<string, string> {
  const ids = new Map([[conflict.recordId, copiedId(conflict.recordId)]]);
  for (const { table, row } of parts) ids.set(row.id, derivedAnew(table, row.id, row, ids) ?? copiedId(row.id));
  return ids;
}

async function putCopy(tx: WriteTx, conflict: Conflict, copiedId: (id: string) => string): Promise<void> {
  const parts = await partsHere(tx, conflict);
  const ids = idsInCopy(conflict, parts, copiedId);
  const put = (table: TableName, id: string, row: Data) =>
    tx.put(table, { ...renamed(writable(table, row), ids), id: ids.get(id) ?? copiedId(id) });
  await put(conflict.table, conflict.recordId, conflict.mine);
  for (const { table, row, bytes } of parts) {
    await put(table, row.id, row);
    if (bytes) await tx.putBytes(ids.get(row.id) ?? copiedId(row.id), bytes);
  }
  // What came of it stays where it is and points at the copy.
  for (const item of await tx.range('action_items', 'source', conflict.recordId, conflict.recordId)) {
    await tx.change('action_items', item.id, { source_id: copiedId(conflict.recordId) });
  }
}

/**
 * Keeps a record that is gone from the server, with all its parts on this device, as a new one under new ids: an inspection
 * with its answers and photos. All of it goes to the server together or not at all. Doing it twice makes one copy.
 *
 * @returns the id of the copy
 * @throws {Failure} `storage_full`; `invalid` when it has more than 1000 parts
 */
export async function copyAggregate(store: Store, conflict: Conflict): Promise<string> {
  const copiedId = (id: string) => idInCopy(id, conflict.id);
  await store.write(`sync.copy_whole/${conflict.table}`, tx => putCopy(tx, conflict, copiedId), { together: true });
  return copiedId(conflict.recordId);
}
