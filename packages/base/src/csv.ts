/**
 * Where a spreadsheet program would begin a cell that is a formula: at the beginning, and behind whatever a reader in another
 * country splits at (a German one opens a file with commas at its semicolons, and knows no quotes in the middle of a cell). Blanks
 * and quotes before the sign do not keep it from being one; behind an apostrophe it is what was kept already, and gets one more.
 */
const FORMULAS = /(?<![^;|\t\r\n])(?=['" ]*[=+\-@\t\r])/g;
const KEPT_FORMULAS = /(?<![^;|\t\r\n])'(?=['" ]*[=+\-@\t\r])/g;
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellText(cell: string | number | null): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = NUMBER.test(text) ? text : text.replaceAll(FORMULAS, "'");
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180, CRLF). What a spreadsheet program would take for a formula has an apostrophe before it. */
export const csvText = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map(cells => `${cells.map(cellText).join(',')}\r\n`).join('');

/** The same as a file: UTF-8 with a mark, so that spreadsheet programs know. */
export const csvFile = (rows: readonly (readonly (string | number | null)[])[]): string => `\uFEFF${csvText(rows)}`;

/** A cell as it was before `csvText` kept it from being a formula. */
export const plainCell = (cell: string): string => cell.replaceAll(KEPT_FORMULAS, '');

/** What stands between two cells. */
export type Separator = ',' | ';' | '\t';
const SEPARATORS = [',', ';', '\t'] as const;

/** Letters looked at to find the separator. */
const HEAD_CHARS = 20_000;

/** What separates the cells of a file: the sign that its first line holds most often outside quotes; commas where none does. */
export function separatorOf(text: string): Separator {
  const bare = text.slice(0, HEAD_CHARS).replaceAll(/"(?:[^"]|"")*"/g, '');
  const line = bare.split(/[\r\n]/).find(each => each.trim() !== '') ?? '';
  const times = (sign: string): number => line.split(sign).length;
  return SEPARATORS.reduce((best, sign) => (times(sign) > times(best) ? sign : best));
}

/** A row, and its number as a spreadsheet counts them: the first is 1, empty ones count. */
export type CsvLine = { number: number; cells: string[] };

/**
 * The rows of a CSV file (RFC 4180; any line end, a byte order mark is left out, empty lines too).
 * What no program wrote is read as it stands: a quote that is never closed, text behind one that is.
 */
export function csvLines(text: string, separator: Separator = ','): CsvLine[] {
  const source = text.replace(/^\uFEFF/, '');
  // A cell begins at one of these: a quoted one, else everything up to the next separator or line end.
  const cell = new RegExp(
    `"((?:[^"]|"")*)"[ ]*(?=[${separator}\\r\\n]|$)|("(?:[^"]|"")*")?[^${separator}\\r\\n]*`,
    'y',
  );
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let at = 0;
  let number = 1;
  while (at < source.length) {
    cell.lastIndex = at;
    const found = cell.exec(source);
    cells.push(found?.[1]?.replaceAll('""', '"') ?? found?.[0] ?? '');
    at += found?.[0].length ?? 0;
    const next = source[at];
    if (next === separator) {
      at += 1;
      if (at < source.length) continue;
      cells.push('');
    }
    if (next === '\r' && source[at + 1] === '\n') at += 1;
    if (next !== separator) at += 1;
    if (cells.some(each => each !== '')) lines.push({ number, cells });
    number += 1;
    cells = [];
  }
  return lines;
}

/** The same without the numbers. */
export const csvRows = (text: string, separator: Separator = ','): string[][] =>
  csvLines(text, separator).map(({ cells }) => cells);

/** The text of a file in UTF-8, with a byte order mark or without one; null where it is no such text. */
export function utf8Text(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
