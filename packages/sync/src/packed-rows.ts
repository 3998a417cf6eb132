import type { TableName } from '@cairn/schema';
import type { PackedTable, Page, PullAnswer, SomeRows, WireRow } from './backend.ts';

/** What comes over the wire where the page was asked for packed. */
export type PackedAnswer = PullAnswer & { packed?: Partial<Record<TableName, PackedTable>> | null };

/** The page with its packed rows among its rows, as they came; one that is not packed (an older server's) stays as it is. */
export function withPacked({ packed, ...page }: PackedAnswer): Page {
  return packed ? { ...page, rows: { ...page.rows, ...packed } } : page;
}

const isPacked = (rows: SomeRows): rows is PackedTable => !Array.isArray(rows);

const columnOf = ({ cols, vals }: PackedTable, name: string): readonly unknown[] => vals[cols.indexOf(name)] ?? [];

export const idsOf = (rows: SomeRows): readonly string[] =>
  isPacked(rows) ? (columnOf(rows, 'id') as readonly string[]) : rows.map(({ id }) => id);

export const countOf = (rows: SomeRows): number => (isPacked(rows) ? columnOf(rows, 'id').length : rows.length);

/** One row, without the columns that are null. */
export function rowAt({ cols, vals }: PackedTable, place: number): WireRow {
  const row: Record<string, unknown> = {};
  for (const [at, name] of cols.entries()) {
    const value = vals[at]?.[place] ?? null;
    if (value !== null) row[name] = value;
  }
  return row as WireRow;
}

/** The rows one by one. */
export const rowsOf = (rows: SomeRows): readonly WireRow[] =>
  isPacked(rows) ? Array.from({ length: countOf(rows) }, (_, place) => rowAt(rows, place)) : rows;

/** The rows from one place up to another, which does not belong to them. */
export const sliceOf = <R extends SomeRows>(rows: R, from: number, to: number): R =>
  columnwise(rows, values => values.slice(from, to));

/** The rows in parts of so many each. */
export const inSlices = <R extends SomeRows>(rows: R, each: number): R[] =>
  Array.from({ length: Math.ceil(countOf(rows) / each) }, (_, n) => sliceOf(rows, n * each, (n + 1) * each));

/** The rows whose id is not among these. */
export function without<R extends SomeRows>(rows: R, ids: ReadonlySet<string>): R {
  const all = idsOf(rows);
  if (!all.some(id => ids.has(id))) return rows;
  return columnwise(rows, values => values.filter((_, place) => !ids.has(all[place] ?? '')));
}

/** The same choice of places in every column, or in the one row of rows. */
function columnwise<R extends SomeRows>(rows: R, choose: <V>(values: readonly V[]) => V[]): R {
  if (!isPacked(rows)) return choose(rows) as unknown as R;
  return { cols: rows.cols, vals: rows.vals.map(values => values && choose(values)) } as unknown as R;
}

/** The rows column by column. */
export function packedOf(rows: SomeRows): PackedTable {
  if (isPacked(rows)) return rows;
  const cols = [...new Set(rows.flatMap(row => Object.keys(row)))];
  return { cols, vals: cols.map(name => rows.map(row => row[name] ?? null)) };
}
