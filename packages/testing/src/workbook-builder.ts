import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

/** What a cell holds: a text, a number, true or false, a formula with its last result, rich text, or nothing. */
export type Cell = string | number | boolean | null | { formula: string; result: string | number } | { rich: string[] };

/** Sheets by name, each a list of rows; an empty row stays a gap in the numbering, as spreadsheet programs write it. */
export type Sheets = Record<string, Cell[][]>;

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, character => ESCAPES[character] ?? character);

/** An .xlsx file with these sheets. */
export function workbook(sheets: Sheets): ArrayBuffer {
  const names = Object.keys(sheets);
  const files: Record<string, string> = {
    '[Content_Types].xml': contentTypes(names),
    '_rels/.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${names.map((name, index) => `<sheet name="${escape(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${names.map((_, index) => `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`).join('')}</Relationships>`,
  };
  for (const [index, name] of names.entries()) {
    files[`xl/worksheets/sheet${index + 1}.xml`] = sheetXml(sheets[name] ?? []);
  }
  return zip(files);
}

/** An .xlsx file whose one sheet, `survey`, is this markup: what no program would write. */
export function rawWorkbook(sheet: string): ArrayBuffer {
  const files = Object.entries(unzipSync(new Uint8Array(workbook({ survey: [] }))));
  const texts = Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes)]));
  return zip({ ...texts, 'xl/worksheets/sheet1.xml': `${HEAD}<worksheet xmlns="${MAIN}">${sheet}</worksheet>` });
}

/** A zip with these texts. */
export function zip(files: Record<string, string>): ArrayBuffer {
  const zipped = zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
  return new Uint8Array(zipped).buffer;
}

function contentTypes(names: string[]): string {
  const type = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const parts = names.map(
    (_, index) => `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  );
  return `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>${parts.join('')}</Types>`;
}

function sheetXml(rows: Cell[][]): string {
  const written = rows.map((cells, row) => {
    const present = cells.map((cell, column) => cellXml(cell, `${columnName(column)}${row + 1}`)).join('');
    return present === '' ? '' : `<row r="${row + 1}">${present}</row>`;
  });
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetData>${written.join('')}</sheetData></worksheet>`;
}

const columnName = (column: number): string =>
  (column >= 26 ? columnName(Math.floor(column / 26) - 1) : '') + String.fromCodePoint(65 + (column % 26));

function cellXml(cell: Cell, at: string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'string') return inline(at, `<t xml:space="preserve">${escape(cell)}</t>`);
  if ('rich' in cell) {
    return inline(
      at,
      cell.rich.map(run => `<r><rPr><b/></rPr><t xml:space="preserve">${escape(run)}</t></r>`).join(''),
    );
  }
  const type = typeof cell.result === 'string' ? ' t="str"' : '';
  return `<c r="${at}"${type}><f>${escape(cell.formula)}</f><v>${escape(String(cell.result))}</v></c>`;
}

const inline = (at: string, content: string): string => `<c r="${at}" t="inlineStr"><is>${content}</is></c>`;
