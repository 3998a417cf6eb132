import type { Row, TableName } from '@cairn/schema';
import type { IDBPIndex } from 'idb';
import type { AnyStore, CairnMobile, RecordStore } from './database-schema.ts';
import type { DatabaseTx, Mode } from './database.ts';
import { inKeyOrder, keysWithin, BulkFromEnd } from './bulk-order.ts';
import { bulkBlocksIn, recordAt, type BulkBlock } from './bulk-block.ts';
import { keyAt, typeRange } from './record-key.ts';
import { hydrate, storeOf } from './record.ts';
import type { Tx } from '../store.ts';
import { BYTES, type StoredRecord } from './stored.ts';
import { stringStart } from './string-start.ts';

/** Sorts after every string that may follow. */
export const LAST = '\uffff';

/** All entries of one person in `conflicts`, `meta` or the queue's order. */
export const ownerRange = (owner: string): IDBKeyRange => IDBKeyRange.bound([owner], [owner, []]);

type KeysIndex = IDBPIndex<CairnMobile, AnyStore[], RecordStore, 'keys', Mode>;

/** Goes down an index, with rows that landed where they belong, for as long as `look` wants more. */
async function fromEnd(
  index: KeysIndex,
  range: IDBKeyRange,
  asked: Promise<BulkBlock[]>,
  look: (record: StoredRecord) => boolean,
): Promise<void> {
  const [first, blocks] = await Promise.all([index.openCursor(range, 'prev'), asked]);
  const waiting = new BulkFromEnd(blocks, range);
  for (let cursor = first; cursor; cursor = await cursor.continue()) {
    for (const record of waiting.upTo(cursor.key, cursor.value.id)) if (!look(record)) return;
    if (!look(cursor.value)) return;
  }
  for (const record of waiting.upTo(null, '')) if (!look(record)) return;
}

/** Of a key's strings; null where it holds none. */
function keyRange(prefix: string, from: string, to: string): IDBKeyRange | null {
  return from > to ? null : IDBKeyRange.bound(prefix + from, prefix + to);
}

/** Every record of a table, in no order. */
async function allOf(tx: DatabaseTx<Mode>, owner: string, table: TableName): Promise<StoredRecord[]> {
  const asked = tx.objectStore(storeOf(table)).getAll(typeRange(owner, table));
  const [records, blocks] = await Promise.all([asked, bulkBlocksIn(tx, owner, table)]);
  return blocks.length > 0 ? [...records, ...blocks.flatMap(block => block.records())] : records;
}

/** Reads of one person's copy inside `tx`. */
export function readTx(tx: DatabaseTx<Mode>, owner: string): Tx {
  const rows = <T extends TableName>(table: T, records: StoredRecord[]): Row<T>[] =>
    records.filter(record => !record.deleted).map(record => hydrate(table, record.data));
  const rangeOf = (table: TableName, key: string, from: string, to: string) =>
    keyRange(stringStart(owner, table, key), from, to);
  const keys = (table: TableName) => tx.objectStore(storeOf(table)).index('keys');

  return {
    async get(table, id) {
      const { record } = await recordAt(tx, owner, table, id);
      return record && !record.deleted ? hydrate(table, record.data) : undefined;
    },
    all: async table => rows(table, await allOf(tx, owner, table)),
    async range(table, key, from, to, limit) {
      const range = rangeOf(table, key, from, to);
      if (!range) return [];
      const [records, blocks] = await Promise.all([keys(table).getAll(range, limit), bulkBlocksIn(tx, owner, table)]);
      return rows(table, blocks.length > 0 ? inKeyOrder(records, blocks, range, limit) : records);
    },
    async latest(table, key, limit, keep) {
      const found: Row<typeof table>[] = [];
      const look = (record: StoredRecord): boolean => {
        found.push(...rows(table, [record]).filter(keep));
        return found.length < limit;
      };
      const range = rangeOf(table, key, '', LAST);
      if (range && limit > 0) await fromEnd(keys(table), range, bulkBlocksIn(tx, owner, table), look);
      return found;
    },
    async count(table, key, from, to) {
      const range = rangeOf(table, key, from, to);
      if (!range) return 0;
      const [alone, blocks] = await Promise.all([keys(table).count(range), bulkBlocksIn(tx, owner, table)]);
      return alone + keysWithin(blocks, range).length;
    },
    async bytes(mediaId) {
      const record = await tx.objectStore('media').get(keyAt(owner, BYTES, mediaId));
      return record?.data['bytes'] as ArrayBuffer | undefined;
    },
  };
}
