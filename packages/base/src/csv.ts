/** What a spreadsheet program would take for a formula; behind apostrophes it is what was kept from being one, and gets one more. */
const FORMULA = /^'*[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellText(cell: string | number | null): string {
  if (cell === null) return '';
  const text = String(cell);
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180, CRLF). A cell that a spreadsheet program would take for a formula begins with an apostrophe. */
export const csvText = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map(cells => `${cells.map(cellText).join(',')}\r\n`).join('');

/** The same as a file: UTF-8 with a mark, so that spreadsheet programs know. */
export const csvFile = (rows: readonly (readonly (string | number | null)[])[]): string => `\uFEFF${csvText(rows)}`;

/** A cell as it was before `csvText` kept it from being a formula. */
export const plainCell = (cell: string): string => (/^'+[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell);

/** A row of a CSV file begins at one of these: a quoted cell, else everything up to the next comma or line end. */
const CELL = /"((?:[^"]|"")*)"[^,\r\n]*|([^,\r\n]*)/y;

/**
 * The rows of a CSV file (RFC 4180; any line end, a byte order mark is left out, empty lines too).
 * What no program wrote (a quote that is never closed) is read as it stands.
 */
export function csvRows(text: string): string[][] {
  const source = text.replace(/^\uFEFF/, '');
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < source.length) {
    CELL.lastIndex = at;
    const found = CELL.exec(source);
    row.push(found?.[1]?.replaceAll('""', '"') ?? found?.[2] ?? '');
    at += found?.[0].length ?? 0;
    const next = source[at];
    if (next === ',') {
      at += 1;
      if (at < source.length) continue;
      row.push('');
    }
    if (next === '\r' && source[at + 1] === '\n') at += 1;
    if (next !== ',') at += 1;
    if (row.some(cell => cell !== '')) rows.push(row);
    row = [];
  }
  return rows;
}
