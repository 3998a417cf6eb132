import type { TableName } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

/** Which record an address names: the row with that id, or, with `by`, any row of the table that a key of it (`synced-tables.ts`) finds by the id. */
export type RecordName = { table: TableName; id: string; by?: 'subject' };

/** Whether a record is on this device and not deleted. What never was, and what is somebody else's, is not. */
export const recordHere = ({ table, id, by }: RecordName): Query<boolean> => ({
  key: `record-here/${table}/${by ?? ''}/${id}`,
  tables: [table],
  async read(tx) {
    const rows = by === undefined ? [await tx.get(table, id)] : await tx.range(table, by, id, id);
    return rows.some(row => row !== undefined && row.deleted_at === null);
  },
});
