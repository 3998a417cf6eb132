import type { TableName } from '@cairn/schema';
import type { PullAnswer } from './backend.ts';

type Row = NonNullable<PullAnswer['rows'][TableName]>[number];

/** Rows of one table column by column: `vals[n]` holds column `cols[n]` of every row, null where no row has a value. */
export type PackedTable = { cols: readonly string[]; vals: readonly (readonly unknown[] | null)[] };

/** What comes over the wire where the page was asked for packed. */
export type PackedAnswer = PullAnswer & { packed?: Partial<Record<TableName, PackedTable>> | null };

/** The rows as objects, without the columns that are null. */
function rowsOf({ cols, vals }: PackedTable): Row[] {
  const held = cols.flatMap((name, at) => (vals[at] ? [{ name, values: vals[at] }] : []));
  const count = held[0]?.values.length ?? 0;
  return Array.from({ length: count }, (_, at) => {
    const row: Record<string, unknown> = {};
    for (const { name, values } of held) {
      const value = values[at];
      if (value !== null) row[name] = value;
    }
    return row as Row;
  });
}

/** The page as if it had not been packed; one that was not (an older server's) stays as it is. */
export function unpacked({ packed, ...page }: PackedAnswer): PullAnswer {
  if (!packed) return page;
  const tables = Object.entries(packed).map(([table, rows]) => [table, rowsOf(rows)]);
  return { ...page, rows: { ...page.rows, ...Object.fromEntries(tables) } };
}
