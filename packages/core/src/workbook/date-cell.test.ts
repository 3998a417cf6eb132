import { utils, type WorkSheet, write } from '@e965/xlsx';
import { describe, expect, test } from 'vitest';
import { dateCellText } from './date-cell.ts';
import { importXlsForm } from '../xlsform/xlsform.ts';

test.each([
  ['1899-12-30T07:30:00.000Z', '07:30'],
  ['1899-12-30T00:00:00.000Z', '00:00'],
  ['1899-12-30T14:19:59.999Z', '14:20'],
  ['1899-12-30T23:59:59.999Z', '24:00'],
  ['1899-12-30T07:30:15.000Z', '07:30:15'],
  // Elapsed, [h]:mm: all its hours.
  ['1899-12-31T12:00:00.000Z', '36:00'],
  // Days counted from 1904, as Excel for the Mac did.
  ['1904-01-01T07:30:00.000Z', '07:30'],
  ['2026-01-15T00:00:00.000Z', '2026-01-15'],
  ['2026-01-14T23:59:59.999Z', '2026-01-15'],
  ['2026-01-15T07:30:00.000Z', '2026-01-15T07:30'],
  ['1960-06-01T00:00:00.000Z', '1960-06-01'],
])('a cell of %s is %s', (cell, text) => {
  expect(dateCellText(new Date(cell))).toBe(text);
});

type Cell = string | { v: number; z: string };

/** Parts of a day in cells a spreadsheet shows as times, as one turns a typed time into. */
function book(type: 'xlsx' | 'xls', sheets: Record<string, Cell[][]>): ArrayBuffer {
  const made = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet: WorkSheet = utils.aoa_to_sheet(
      rows.map(row => row.map(cell => (typeof cell === 'string' ? cell : cell.v))),
    );
    rows.forEach((row, r) =>
      row.forEach((cell, c) => {
        if (typeof cell !== 'string') sheet[utils.encode_cell({ r, c })] = { t: 'n', ...cell };
      }),
    );
    utils.book_append_sheet(made, sheet, name);
  }
  return write(made, { type: 'array', bookType: type === 'xls' ? 'biff8' : 'xlsx' }) as ArrayBuffer;
}

describe.each(['xlsx', 'xls'] as const)('times typed in a spreadsheet, %s', type => {
  test('are the labels of choices and the defaults of questions', async () => {
    const form = await importXlsForm(
      book(type, {
        survey: [
          ['type', 'name', 'label', 'default'],
          ['time', 'begin', 'Begin', { v: 0.3125, z: 'h:mm' }],
          ['dateTime', 'at', 'At', { v: 46_037.3125, z: 'm/d/yy h:mm' }],
          ['date', 'day', 'Day', { v: 46_037, z: 'm/d/yy' }],
          ['date', 'shown', 'Shown as a day', { v: 46_037.3125, z: 'm/d/yy' }],
          ['select_one slots', 'slot', 'Slot', ''],
        ],
        choices: [
          ['list_name', 'name', 'label'],
          ['slots', 'early', { v: 0.25, z: 'h:mm' }],
          ['slots', 'late', { v: 0.604_166_666_667_879_3, z: 'h:mm' }],
          ['slots', 'long', { v: 1.5, z: '[h]:mm:ss' }],
        ],
      }),
      'Shift.xlsx',
    );
    if (!form.ok) throw new Error(JSON.stringify(form.problems));
    expect(form.notUnderstood).toEqual([]);
    const text = JSON.stringify(form);
    for (const expectedText of ['06:00', '14:30', '36:00', '"default":"07:30"', '"default":"2026-01-15T07:30"']) {
      expect(text).toContain(expectedText);
    }
    expect(text.match(/"default":"2026-01-15"/g)).toHaveLength(2);
    expect(text).not.toContain('1899');
  });
});
