import type { Row, TableName } from '@cairn/schema';
import type { DatabaseTx, Mode } from './database.ts';
import { keyAt, typeRange } from './record-key.ts';
import { hydrate, keyPrefix, storeOf } from './record.ts';
import type { Tx } from './store.ts';
import { BYTES, type StoredRecord } from './stored.ts';

/** Sorts after every string that may follow. */
export const LAST = '\uffff';

/** All entries of one person in `conflicts`, `meta` or the queue's order. */
export const ownerRange = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []]);

/** Reads of one person's copy inside `tx`. */
export function readTx(tx: DatabaseTx<Mode>, owner: string): Tx {
  const rows = <T extends TableName>(table: T, records: StoredRecord[]): Row<T>[] =>
    records.filter(record => !record.deleted).map(record => hydrate(table, record.data));
  const keyRange = (table: TableName, key: string, from: string, to: string) => {
    const prefix = keyPrefix(owner, table, key);
    return from > to ? null : IDBKeyRange.bound(prefix + from, prefix + to);
  };
  const keys = (table: TableName) => tx.objectStore(storeOf(table)).index('keys');

  return {
    async get(table, id) {
      const record = await tx.objectStore(storeOf(table)).get(keyAt(owner, table, id));
      return record && !record.deleted ? hydrate(table, record.data) : undefined;
    },
    async all(table) {
      return rows(table, await tx.objectStore(storeOf(table)).getAll(typeRange(owner, table)));
    },
    async range(table, key, from, to, limit) {
      const range = keyRange(table, key, from, to);
      return range ? rows(table, await keys(table).getAll(range, limit)) : [];
    },
    async latest(table, key, limit, keep) {
      const found: Row<typeof table>[] = [];
      let cursor = await keys(table).openCursor(keyRange(table, key, '', LAST), 'prev');
      while (cursor && found.length < limit) {
        for (const row of rows(table, [cursor.value])) if (keep(row)) found.push(row);
        if (found.length < limit) cursor = await cursor.continue();
      }
      return found;
    },
    async count(table, key, from, to) {
      const range = keyRange(table, key, from, to);
      return range ? keys(table).count(range) : 0;
    },
    async bytes(mediaId) {
      const record = await tx.objectStore('media').get(keyAt(owner, BYTES, mediaId));
      return record?.data['bytes'] as ArrayBuffer | undefined;
    },
  };
}
