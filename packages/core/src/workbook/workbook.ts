import { unzipSync, zipSync } from 'fflate';
import readSheets, { InvalidInputError, InvalidSpreadsheetError } from 'read-excel-file/universal';
import { fromOldWorkbook } from './date-cell.ts';
import { withElapsedAsText } from './elapsed-cells.ts';
import { cellText, elapsedText } from './workbook-cells.ts';
import { isWithinBounds, MAX_COLUMNS, MAX_ROWS } from './workbook-bounds.ts';

/** One sheet as texts; `rows[0]` is row 1, gaps included. Every cell is trimmed, an empty cell is the empty text. */
export type Sheet = { name: string; rows: string[][] };

/** Why a file cannot be read, in one sentence for the person who chose it. */
export class WorkbookError extends Error {
  override name = 'WorkbookError';
}

const DAMAGED =
  'This workbook is damaged. Open it in a spreadsheet program, save it again as .xlsx, and try once more.';

const MB = 1024 * 1024;
const MAX_WORKBOOK_BYTES = 10 * MB;
/** A small zip can unpack to gigabytes; the largest forms in use unpack to a few megabytes. */
const MAX_UNPACKED_BYTES = 40 * MB;

/** The first bytes of the older binary format, .xls. */
const XLS = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const ZIP = [0x50, 0x4b];

/**
 * Reads all sheets of a workbook, .xlsx or the older .xls. Formulas give their last result.
 *
 * @param onProgress called whenever a step of it is done
 * @throws {WorkbookError} when the file is not such a workbook, or too large
 */
export async function readWorkbook(file: ArrayBuffer, onProgress: () => void = () => {}): Promise<Sheet[]> {
  const bytes = new Uint8Array(file);
  checkFile(bytes);
  onProgress();
  if (startsWith(bytes, XLS)) return readOldWorkbook(bytes);
  const files = unpack(bytes);
  onProgress();
  checkBounds(files);
  onProgress();
  const sheets = await readSheets(repacked(files)).catch((error: unknown) => {
    // Whatever the reader stumbles over in a stranger's file, the file cannot be read; its own words go to the cause.
    throw new WorkbookError(sentenceFor(error), { cause: error });
  });
  onProgress();
  return sheets.map(({ sheet, data }) => ({ name: sheet, rows: data.map(row => row.map(cellText)) }));
}

type Files = Record<string, Uint8Array>;

function unpack(bytes: Uint8Array): Files {
  try {
    return unzipSync(bytes, { filter: ({ name }) => /\.xml(\.rels)?$/.test(name) });
  } catch (error) {
    throw new WorkbookError(DAMAGED, { cause: error });
  }
}

/** The reader unpacks what is large in a worker made of a text, which no page of ours may start: it gets a zip with nothing to unpack. */
const repacked = (files: Files): ArrayBuffer => new Uint8Array(zipSync(withElapsedAsText(files), { level: 0 })).buffer;

function sentenceFor(error: unknown): string {
  const foreign = error instanceof InvalidInputError || error instanceof InvalidSpreadsheetError;
  return foreign ? 'This file is not an Excel workbook (.xlsx, .xls).' : DAMAGED;
}

const startsWith = (bytes: Uint8Array, mark: number[]): boolean => mark.every((byte, index) => bytes[index] === byte);

/** The reader of .xls is large and seldom needed, so it comes only for such a file. */
async function readOldWorkbook(bytes: Uint8Array): Promise<Sheet[]> {
  const { read, utils } = await import('@e965/xlsx');
  try {
    const { SheetNames: names, Sheets: sheets } = read(bytes, {
      type: 'array',
      cellDates: true,
      cellNF: true,
      sheetRows: MAX_ROWS,
    });
    return names.map(name => {
      const sheet = sheets[name] ?? {};
      for (const cell of Object.values(sheet)) elapsedText(cell);
      const end = utils.decode_range(sheet['!ref'] ?? 'A1').e;
      const range = { s: { r: 0, c: 0 }, e: { r: Math.min(end.r, MAX_ROWS), c: Math.min(end.c, MAX_COLUMNS) } };
      const rows = utils.sheet_to_json<unknown[]>(sheet, {
        header: 1,
        blankrows: true,
        defval: null,
        UTC: true,
        range,
      });
      return { name, rows: rows.map(row => row.map(cell => cellText(fromOldWorkbook(cell)))) };
    });
  } catch (error) {
    throw new WorkbookError(DAMAGED, { cause: error });
  }
}

function checkFile(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new WorkbookError('This file is empty.');
  if (bytes.length > MAX_WORKBOOK_BYTES) {
    const size = Math.ceil(bytes.length / MB);
    throw new WorkbookError(
      `This file has ${size} MB; a form's workbook may have up to ${MAX_WORKBOOK_BYTES / MB} MB.`,
    );
  }
  if (startsWith(bytes, XLS)) return;
  if (!startsWith(bytes, ZIP)) throw new WorkbookError('This file is not an Excel workbook (.xlsx, .xls).');
  if (unpackedSize(bytes) > MAX_UNPACKED_BYTES) {
    throw new WorkbookError(`This workbook holds more than ${MAX_UNPACKED_BYTES / MB} MB, too much for a form.`);
  }
}

function checkBounds(files: Files): void {
  if (isWithinBounds(files)) return;
  const [rows, columns] = [MAX_ROWS.toLocaleString('en'), MAX_COLUMNS];
  throw new WorkbookError(
    `This workbook has cells beyond row ${rows} or column ${columns}, or too many of them, too much for a form.`,
  );
}

/** The sizes the zip's directory gives, without unpacking anything. */
function unpackedSize(bytes: Uint8Array): number {
  let total = 0;
  try {
    unzipSync(bytes, {
      filter: file => {
        total += file.originalSize;
        return false;
      },
    });
  } catch (error) {
    throw new WorkbookError('This file is damaged: its end is missing or changed.', { cause: error });
  }
  return total;
}
