import type { Row, TableName } from '@cairn/schema';
import type { Query, Store, Tx } from '@cairn/sync/store.ts';

/** Rows that were read so far, by table. */
export type ReadRows = Partial<Record<TableName, number>>;

/** A store that counts what its reads take from the device: speed bounded without a clock. */
export function countedReads(store: Store): { store: Store; rows: ReadRows } {
  const rows: ReadRows = {};
  const note = <T extends TableName>(table: T, found: Row<T>[]): Row<T>[] => {
    rows[table] = (rows[table] ?? 0) + found.length;
    return found;
  };
  const counting = (tx: Tx): Tx => ({
    ...tx,
    get: async (table, id) => {
      const row = await tx.get(table, id);
      note(table, row ? [row] : []);
      return row;
    },
    all: async table => note(table, await tx.all(table)),
    range: async (table, key, from, to, limit) => note(table, await tx.range(table, key, from, to, limit)),
    latest: async (table, key, limit, keep) => note(table, await tx.latest(table, key, limit, keep)),
  });
  const counted = <A>(query: Query<A>): Query<A> => ({
    key: query.key,
    tables: query.tables,
    read: tx => query.read(counting(tx)),
  });
  return {
    rows,
    store: {
      ...store,
      read: query => store.read(counted(query)),
      watch: (query, onAnswer, onError) => store.watch(counted(query), onAnswer, onError),
    },
  };
}
