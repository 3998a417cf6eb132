import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLines, csvRows, csvText, plainCell, separatorOf, utf8Text } from './csv.ts';

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

test('no cell is a formula for a reader that splits at another sign, or knows no quotes in the middle of a line', () => {
  const sign = fc.constantFrom('=', '+', '-', '@', ';', '\t', '|', ',', '"', "'", ' ', '\n', 'x', '1');
  const text = fc.array(sign, { maxLength: 8 }).map(signs => signs.join(''));
  fc.assert(
    fc.property(fc.array(fc.array(text, { minLength: 1, maxLength: 3 }), { maxLength: 4 }), rows => {
      const file = csvText(rows);
      for (const separator of [';', '\t', '|']) {
        // As programs split that see quotes nowhere, and as those that see them at the beginning of a cell.
        const bare = file.split('\r\n').flatMap(line => line.split(separator).slice(1));
        for (const cell of bare) expect(cell).not.toMatch(/^["\s]*[=+@-]/);
      }
      for (const separator of [',', ';', '\t'] as const) {
        const [, ...later] = csvLines(file, separator).flatMap(({ cells }) => cells.slice(separator === ',' ? 0 : 1));
        const texts = later.filter(cell => !/^-?\d+(\.\d+)?$/.test(cell));
        for (const cell of texts) expect(cell).not.toMatch(/^["\s]*[=+@-]/);
      }
    }),
    { numRuns: 1000 },
  );
});

test.each([
  ['x;=1+1', "x;'=1+1"],
  ['x; =1+1', "x;' =1+1"],
  ['x\t@a', "'x"],
  ['a\n=1+1', "'=1+1"],
])('%j is written so that %j stands in the file', (cell, written) => {
  const text = csvText([['1', cell]]);
  expect(text.includes(written) || text.includes("\t'@a")).toBe(true);
  expect(csvRows(text).map(row => row.map(plainCell))).toEqual([['1', cell]]);
});

test.each([
  ['Titel\tNotizen\n"Not-Aus" prüfen\t"Halle 3" zuerst', '\t', ['"Not-Aus" prüfen', '"Halle 3" zuerst']],
  ['a,b\n"x, y" and z,"1"', ',', ['"x, y" and z', '1']],
  ['a;b\n"x" ;"y"', ';', ['x', 'y']],
  ['a;b\n"x""y" z;2', ';', ['"x""y" z', '2']],
] as const)('text behind a closing quote is kept: %j', (text, separator, cells) => {
  expect(csvRows(text, separator)[1]).toEqual(cells);
});

test('any line end, a byte order mark and quotes are read', () => {
  expect(csvRows('\uFEFFa,"b, ""c"""\nd,\r\n\r\ne')).toEqual([['a', 'b, "c"'], ['d', ''], ['e']]);
});

test.each([
  ['a;"b,c";d\n1,2;3;4', ';'],
  ['a\tb\n1\t2', '\t'],
  ['"a;b;c",d\n1;2', ','],
  ['\n\ntitle', ','],
])('%j is separated by %j', (text, separator) => expect(separatorOf(text)).toBe(separator));

test('cells between semicolons and tabs are read like those between commas', () => {
  expect(csvRows('a;"b;1"\n;x,y', ';')).toEqual([
    ['a', 'b;1'],
    ['', 'x,y'],
  ]);
  expect(csvRows('a\t"b\t1"\r\n', '\t')).toEqual([['a', 'b\t1']]);
});

test('rows keep the numbers a spreadsheet shows', () => {
  expect(csvLines('a\n"b\nc"\n\n,\nd').map(({ number }) => number)).toEqual([1, 2, 5]);
});

test('text is UTF-8 with a mark or without, and nothing else', () => {
  const bytes = new TextEncoder().encode('\uFEFFä');
  expect(utf8Text(bytes)).toBe('ä');
  expect(utf8Text(bytes.slice(3))).toBe('ä');
  expect(utf8Text(new Uint8Array([0x61, 0xe4, 0x62]))).toBeNull();
});
