import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';

/**
 * Whether a record the server has deleted can stand again by itself. One that is made of others, or is a part of one,
 * would come back as an empty signed inspection, or as an answer to nothing.
 */
export function isIndependent(table: TableName): boolean {
  const hasParts = Object.values(syncedTables).some(each => each.aggregateRoot?.table === table);
  return !hasParts && !syncedTables[table].aggregateRoot;
}
