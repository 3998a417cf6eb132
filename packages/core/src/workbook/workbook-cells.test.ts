import { strToU8, unzipSync, zipSync } from 'fflate';
import { expect, test } from 'vitest';
import { utils, write } from '@e965/xlsx';
import { rawWorkbook } from '@cairn/testing/workbook-builder.ts';
import { elapsedClock } from './workbook-cells.ts';
import { readWorkbook } from './workbook.ts';

const STYLES = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><numFmts count="1"><numFmt numFmtId="164" formatCode="[h]:mm"/></numFmts><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="20"/><xf numFmtId="164"/><xf numFmtId="22"/></cellXfs></styleSheet>`;

/** A workbook of one row, each cell a number with the number of its style. */
function styled(...cells: [number, number][]): ArrayBuffer {
  const row = cells.map(([style, value], at) => `<c r="${'ABCDEFGH'[at]}1" s="${style}"><v>${value}</v></c>`).join('');
  const files = unzipSync(new Uint8Array(rawWorkbook(`<sheetData><row r="1">${row}</row></sheetData>`)));
  return new Uint8Array(zipSync({ ...files, 'xl/styles.xml': strToU8(STYLES) })).buffer;
}

test('times are times, time that has passed is hours and minutes, and both are rounded to the second', async () => {
  const file = styled(
    [1, 0.3125],
    [1, 0],
    [1, 0.597222222],
    [2, 1.25],
    [2, 0.5],
    [3, 46037.3125],
    [3, 46037],
    [0, 1.25],
  );
  const [sheet] = await readWorkbook(file);
  expect(sheet?.rows[0]).toEqual([
    '07:30',
    '00:00',
    '14:20',
    '30:00',
    '12:00',
    '2026-01-15T07:30',
    '2026-01-15',
    '1.25',
  ]);
});

test('so they are in the older kind of workbook', async () => {
  const sheet = utils.aoa_to_sheet([[0.3125, 1.25, 46037.3125]]);
  Object.assign(sheet['A1'] ?? {}, { z: 'h:mm' });
  Object.assign(sheet['B1'] ?? {}, { z: '[h]:mm' });
  Object.assign(sheet['C1'] ?? {}, { z: 'm/d/yy h:mm' });
  const book = utils.book_new();
  utils.book_append_sheet(book, sheet, 'survey');
  const bytes: Uint8Array = write(book, { type: 'array', bookType: 'xls' });
  const [read] = await readWorkbook(new Uint8Array(bytes).buffer);
  expect(read?.rows[0]).toEqual(['07:30', '30:00', '2026-01-15T07:30']);
});

test.each([
  [0, '00:00'],
  [1, '24:00'],
  [100 / 24, '100:00'],
  [0.5 + 5 / 86_400, '12:00:05'],
])('%d days are %s', (days, clock) => {
  expect(elapsedClock(days)).toBe(clock);
});
