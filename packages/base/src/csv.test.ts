import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRows, csvText, plainCell } from './csv.ts';

test('what is written as CSV is read back as it was, whatever stands in it', () => {
  const cell = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom("'", '=', '-', '1', ',', '"', '\r', '\n', '\t') }),
  );
  const rows = fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 6 });
  fc.assert(
    fc.property(rows, table => {
      const kept = table.filter(row => row.some(text => text !== ''));
      expect(csvRows(csvText(table)).map(row => row.map(plainCell))).toEqual(kept);
    }),
  );
});

test('a cell that a spreadsheet would reckon begins with an apostrophe, a number does not', () => {
  expect(csvText([['=1+1', '-5', '+49 30', 3]])).toBe("'=1+1,-5,'+49 30,3\r\n");
});

test('any line end, a byte order mark and quotes are read', () => {
  expect(csvRows('\uFEFFa,"b, ""c"""\nd,\r\n\r\ne')).toEqual([['a', 'b, "c"'], ['d', ''], ['e']]);
});
