import type { TableName } from '@cairn/schema';
import type { PackedColumn, PackedTable, Page, PullAnswer, SomeRows, WireRow } from './backend.ts';

/** One table's rows in a page the server had ready: in place of the scopes a row came through the number of its audience. */
type SnapshotPart = PackedTable & { t: TableName; aud: readonly number[] };

/** A ready page; `audiences[n][a]`: the scopes of audience `a` of its part `n`, as places in the answer's `order`. */
export type SnapshotPage = { parts: readonly SnapshotPart[]; audiences: readonly (readonly number[][])[] };

/** What comes over the wire where the page was asked for packed, and with what was ready. */
export type PackedAnswer = PullAnswer & {
  packed?: Partial<Record<TableName, PackedTable>> | null;
  pages?: readonly SnapshotPage[] | null;
};

/** The answer with all its rows among its rows, as they came; one that is not packed (an older server's) stays as it is. */
export function withPacked({ packed, pages, ...page }: PackedAnswer): Page {
  const rows: Page['rows'] = { ...page.rows, ...packed };
  const snapshots = new Map<TableName, PackedTable[]>();
  for (const { parts, audiences } of pages ?? []) {
    for (const [n, part] of parts.entries())
      snapshots.set(part.t, [...(snapshots.get(part.t) ?? []), named(part, audiences[n] ?? [])]);
  }
  for (const [table, parts] of snapshots) rows[table] = together([packedOf(rows[table] ?? []), ...parts]);
  return { ...page, rows };
}

const named = ({ cols, vals, aud }: SnapshotPart, audiences: readonly number[][]): PackedTable => {
  return { cols: [...cols, '_s'], vals: [...vals, aud.map(audience => audiences[audience] ?? [])] };
};

/** All the rows in one; of a row that comes twice, through two places, the first: an answer is of one moment. */
function together(all: readonly PackedTable[]): PackedTable {
  const parts = all.filter(part => countOf(part) > 0);
  const cols = [...new Set(parts.flatMap(part => part.cols))];
  const whole = { cols, vals: cols.map(name => joined(parts, name)) };
  const ids = idsOf(whole);
  if (new Set(ids).size === ids.length) return whole;
  const seen = new Set<string>();
  const isFirst = ids.map(id => !seen.has(id) && Boolean(seen.add(id)));
  return columnwise(whole, values => values.filter((_, place) => isFirst[place]));
}

/** One column of all of them. */
function joined(parts: readonly PackedTable[], name: string): PackedColumn {
  const columns = parts.map(part => columnOf(part, name));
  const [first = null] = columns;
  if (columns.every(column => column === null)) return null;
  // To the letter: an object without a field and one where it is null are two values.
  const word = isConstant(first) && JSON.stringify(first.constant);
  if (columns.every(column => isConstant(column) && JSON.stringify(column.constant) === word)) return first;
  // Not flat(): values may be arrays. One by one they would take as long as the page took to be read.
  const values = columns.map((column, n) => inFull(column, countOf(parts[n] as PackedTable)));
  return ([] as unknown[]).concat(...values);
}

const isConstant = (column: PackedColumn): column is { constant: unknown } => column !== null && !Array.isArray(column);

/** A value for each row. */
function inFull(column: PackedColumn, count: number): readonly unknown[] {
  if (column !== null && !isConstant(column)) return column;
  return Array.from({ length: count }, () => column && column.constant);
}

const valueIn = (column: PackedColumn, place: number): unknown =>
  column !== null && isConstant(column) ? column.constant : column?.[place];

const isPacked = (rows: SomeRows): rows is PackedTable => !Array.isArray(rows);

const columnOf = ({ cols, vals }: PackedTable, name: string): PackedColumn => vals[cols.indexOf(name)] ?? null;

/** Ids are there one by one, also of a single row. */
export const idsOf = (rows: SomeRows): readonly string[] =>
  isPacked(rows) ? ((columnOf(rows, 'id') ?? []) as readonly string[]) : rows.map(({ id }) => id);

/** Of each row its id, its version and the scopes it came through, as places in the answer's `order`. */
export function headsOf(rows: SomeRows): { id: string; version: number; named: readonly number[] }[] {
  if (!isPacked(rows)) return rows.map(({ id, version, _s: named }) => ({ id, version, named }));
  const [versions, named] = [columnOf(rows, 'version'), columnOf(rows, '_s')];
  return idsOf(rows).map((id, at) => {
    const [version, places] = [valueIn(versions, at), valueIn(named, at)];
    return { id, version: (version as number | undefined) ?? 0, named: (places as number[] | undefined) ?? [] };
  });
}

export const countOf = (rows: SomeRows): number => (isPacked(rows) ? idsOf(rows).length : rows.length);

/** One row, without the columns that are null. */
export function rowAt({ cols, vals }: PackedTable, place: number): WireRow {
  const row: Record<string, unknown> = {};
  for (const [at, name] of cols.entries()) {
    const value = valueIn(vals[at] ?? null, place) ?? null;
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
  const chosen = rows.vals.map(values => (values === null || isConstant(values) ? values : choose(values)));
  return { cols: rows.cols, vals: chosen } as unknown as R;
}

/** The rows column by column. */
export function packedOf(rows: SomeRows): PackedTable {
  if (isPacked(rows)) return rows;
  const cols = [...new Set(rows.flatMap(row => Object.keys(row)))];
  return { cols, vals: cols.map(name => rows.map(row => row[name] ?? null)) };
}
