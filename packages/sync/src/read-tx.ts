import type { Row, TableName } from '@cairn/schema';
import type { DatabaseTx, Mode } from './database.ts';
import { inKeyOrder, keysWithin, LandedFromEnd } from './landed-order.ts';
import { landedIn, recordAt } from './landed.ts';
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
      const { record } = await recordAt(tx, owner, table, id);
      return record && !record.deleted ? hydrate(table, record.data) : undefined;
    },
    async all(table) {
      const [records, landed] = await Promise.all([
        tx.objectStore(storeOf(table)).getAll(typeRange(owner, table)),
        landedIn(tx, owner, table),
      ]);
      return rows(table, landed.length > 0 ? [...records, ...landed.flatMap(block => block.records())] : records);
    },
    async range(table, key, from, to, limit) {
      const range = keyRange(table, key, from, to);
      if (!range) return [];
      const [records, landed] = await Promise.all([keys(table).getAll(range, limit), landedIn(tx, owner, table)]);
      return rows(table, landed.length > 0 ? inKeyOrder(records, landed, range, limit) : records);
    },
    async latest(table, key, limit, keep) {
      const found: Row<typeof table>[] = [];
      const look = (record: StoredRecord) => {
        for (const row of rows(table, [record])) if (found.length < limit && keep(row)) found.push(row);
      };
      const range = IDBKeyRange.bound(keyPrefix(owner, table, key), keyPrefix(owner, table, key) + LAST);
      const [first, landed] = await Promise.all([keys(table).openCursor(range, 'prev'), landedIn(tx, owner, table)]);
      const waiting = new LandedFromEnd(landed, range);
      for (let cursor = first; cursor && found.length < limit;) {
        for (const record of waiting.upTo(cursor.key, cursor.value.id)) look(record);
        look(cursor.value);
        if (found.length < limit) cursor = await cursor.continue();
      }
      for (const record of waiting.upTo(null, '')) look(record);
      return found;
    },
    async count(table, key, from, to) {
      const range = keyRange(table, key, from, to);
      if (!range) return 0;
      const [alone, landed] = await Promise.all([keys(table).count(range), landedIn(tx, owner, table)]);
      return alone + keysWithin(landed, range).length;
    },
    async bytes(mediaId) {
      const record = await tx.objectStore('media').get(keyAt(owner, BYTES, mediaId));
      return record?.data['bytes'] as ArrayBuffer | undefined;
    },
  };
}
