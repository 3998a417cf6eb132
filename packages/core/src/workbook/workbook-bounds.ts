import { strFromU8 } from 'fflate';

/** More rows or columns than any form has: a damaged file may claim millions of empty ones. */
export const MAX_ROWS = 20_000;
export const MAX_COLUMNS = 500;
/** Of all sheets together. The reader makes every cell from A1 to the last one that is filled. */
const MAX_CELLS = 5_000_000;
/** As many as a sheet has. Spreadsheet programs write an empty last row to say how high all are; the reader makes each before it. */
const ROWS_OF_A_SHEET = 1_048_576;
/** Of all sheets together, empty ones counted. */
const MAX_TOTAL_ROWS = 3 * ROWS_OF_A_SHEET;

/** A row or a cell with its attributes, which hold no `<`; a closing tag right behind it means that nothing is in it. */
const ROW_OR_CELL = /<(?:[\w.-]+:)?(row|c)(?=[\s/>])([^<]*)(<\/)?/g;
const PLACE = /\br\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** How far a sheet reaches, from 1: its last row of any kind, and the last row and column with something in them. */
type SheetExtent = { row: number; filledRow: number; filledColumn: number };

/**
 * Whether all cells of a workbook (.xlsx) stand within what a form may have, found without making any of them.
 *
 * @param files its files, unpacked
 */
export function isWithinBounds(files: Readonly<Record<string, Uint8Array>>): boolean {
  let [cells, rows] = [0, 0];
  for (const [name, file] of Object.entries(files)) {
    if (!name.endsWith('.xml')) continue;
    const { row, filledRow, filledColumn } = reachOf(strFromU8(file));
    cells += filledRow * filledColumn;
    rows += Math.max(row, filledRow);
    if (filledRow > MAX_ROWS || filledColumn > MAX_COLUMNS || row > ROWS_OF_A_SHEET) return false;
    if (cells > MAX_CELLS || rows > MAX_TOTAL_ROWS) return false;
  }
  return true;
}

function reachOf(xml: string): SheetExtent {
  const reach: SheetExtent = { row: 0, filledRow: 0, filledColumn: 0 };
  for (const [, kind, attributes = '', closing] of xml.matchAll(ROW_OR_CELL)) {
    const isEmpty = closing !== undefined || attributes.trimEnd().endsWith('/>');
    for (const [, double, single] of attributes.matchAll(PLACE)) {
      const place = double ?? single ?? '';
      // A number written as `&#49;` is for those who want to hide it.
      if (place.includes('&')) return { row: Number.POSITIVE_INFINITY, filledRow: 0, filledColumn: 0 };
      const { row, column } = placeOf(place);
      reach.row = Math.max(reach.row, row);
      if (isEmpty || kind === 'row') continue;
      reach.filledRow = Math.max(reach.filledRow, row);
      reach.filledColumn = Math.max(reach.filledColumn, column);
    }
  }
  return reach;
}

/** `AB12` is row 12, column 28; `12` is row 12. Read as the reader reads it, whatever the letters are. */
function placeOf(place: string): { row: number; column: number } {
  const at = place.search(/\d/);
  if (at < 0) return { row: 0, column: 0 };
  const row = Number(place.slice(at));
  let column = 0;
  for (let index = 0; index < at; index += 1) column = column * 26 + place.charCodeAt(index) - 64;
  return { row: Number.isNaN(row) ? 0 : row, column };
}
