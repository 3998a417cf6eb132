import type { Row, TableName } from '@cairn/schema';
import type { Tx } from '@cairn/sync/store.ts';

type Rule<T extends TableName> = {
  table: T;
  /** Whether a row stands in the list. */
  belongs: (row: Row<T>) => boolean;
  /** Never 0 of two rows: the list is in one order only. */
  order: (a: Row<T>, b: Row<T>) => number;
};

/**
 * A long list after few of its rows changed (`Query.renew`): only those are read, the others stay the very objects they were, so that
 * nothing is drawn anew for them.
 *
 * @param before the list as it was, in order
 * @param changed ids by table
 */
export async function renewedRows<T extends TableName>(
  tx: Tx,
  before: readonly Row<T>[],
  changed: ReadonlyMap<string, ReadonlySet<string>>,
  { table, belongs, order }: Rule<T>,
): Promise<Row<T>[]> {
  const ids = changed.get(table) ?? new Set<string>();
  const read = await Promise.all([...ids].map(id => tx.get(table, id)));
  const rows = before.filter(({ id }) => !ids.has(id));
  for (const row of read) if (row && belongs(row)) rows.splice(placeOf(row, rows, order), 0, row);
  return rows;
}

/** The index at which a row stands in a list that is in order. */
function placeOf<A>(row: A, rows: readonly A[], order: (a: A, b: A) => number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    const at = rows[middle];
    if (at !== undefined && order(at, row) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}
