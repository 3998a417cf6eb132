import { type Column, readColumn, type SheetKind, TRANSLATED } from './sheet-columns.ts';
import type { Sheet } from './workbook.ts';

/**
 * Something in a file and where: `row` as the spreadsheet program numbers it, or the line of a text file, whose `sheet` is
 * empty.
 */
export type Finding = { sheet: string; row: number | null; column: string | null; message: string };

/** What finds something in a row of a table, at a column; without a row: in the table as a whole. */
export const findingIn =
  (table: Table | null, row: TableRow | undefined) =>
  (column: string, message: string): Finding => ({
    sheet: table?.sheet ?? '',
    row: row?.number ?? null,
    column,
    message,
  });

/** Where and what, as one line: `survey row 5, calculation: unknown function foo()`. */
export function findingText({ sheet, row, column, message }: Finding): string {
  const line = row !== null && sheet === '' ? `line ${row}` : null;
  const place = [line ?? (row === null ? sheet : `${sheet} row ${row}`), column].filter(
    part => part !== null && part !== '',
  );
  return place.length > 0 ? `${place.join(', ')}: ${message}` : message;
}

export type TableRow = {
  /** As the spreadsheet program numbers it. */
  number: number;
  /** The cell of a column without languages; empty where there is none. */
  cell(column: string): string;
  /** The cells of a column with languages, those that are not empty; a column without one has the language ''. */
  texts(column: string): Record<string, string>;
  /** Columns that hold something in this row, languages left out. */
  filled: ReadonlySet<string>;
};

export type Table = {
  sheet: string;
  columns: ReadonlySet<string>;
  languages: readonly string[];
  rows: TableRow[];
  /** Columns that were not read, because others have their name. */
  doubled: Finding[];
};

/**
 * Reads a sheet whose first filled row names its columns. `list name`, `list_name` and `List Name` are one column; of two
 * that are one column the first is read.
 */
export function readTable(sheet: Sheet, kind: SheetKind): Table {
  const headerAt = sheet.rows.findIndex(row => row.some(cell => cell !== ''));
  const headers = sheet.rows[headerAt] ?? [];
  const rows = sheet.rows
    .map((cells, index) => ({ cells, number: index + 1 }))
    .slice(headerAt + 1)
    .filter(({ cells }) => headerAt >= 0 && cells.some(cell => cell !== ''));
  const found = headers.map(header => readColumn(header, kind));
  const { columns, doubled } = withoutDoubles(found, at => rows.some(({ cells }) => (cells[at] ?? '') !== ''));
  const headerText = (at: number) => (headers[at] ?? '').trim();
  return {
    sheet: sheet.name,
    columns: new Set(columns.map(({ name }) => name)),
    languages: [...new Set(columns.filter(({ name }) => TRANSLATED.has(name)).map(({ language }) => language))],
    rows: rows.map(({ cells, number }) => tableRow(columns, cells, number)),
    doubled: doubled.map(({ at, first }) => ({
      sheet: sheet.name,
      row: headerAt + 1,
      column: headerText(at),
      message: `this column and "${headerText(first)}" are one and the same: it was left out`,
    })),
  };
}

/** Columns with a name that another has, and something in them: their cells would be taken for the other's. */
function withoutDoubles(columns: readonly Column[], isFilled: (at: number) => boolean) {
  const firsts = new Map<string, number>();
  const doubled: { at: number; first: number }[] = [];
  const kept = columns.map((column, at) => {
    if (column.name === '' || !isFilled(at)) return column;
    const key = `${column.name}\n${column.language}`;
    const first = firsts.get(key);
    if (first === undefined) {
      firsts.set(key, at);
      return column;
    }
    doubled.push({ at, first });
    return { name: '', language: '' };
  });
  return { columns: kept, doubled };
}

function tableRow(columns: Column[], cells: string[], number: number): TableRow {
  const present = columns
    .map((column, index) => ({ ...column, text: cells[index] ?? '' }))
    .filter(({ name, text }) => name !== '' && text !== '');
  return {
    number,
    cell: column => present.find(({ name }) => name === column)?.text ?? '',
    texts: column =>
      Object.fromEntries(present.filter(({ name }) => name === column).map(({ language, text }) => [language, text])),
    filled: new Set(present.map(({ name }) => name)),
  };
}
