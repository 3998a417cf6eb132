import { describe, expect, test } from 'vitest';
import { type Cell, rawWorkbook, workbook } from '@cairn/testing/workbook-builder.ts';
import { importFormFile } from './form-file.ts';
import { findingText } from '../workbook/sheet-table.ts';

const bytes = (text: string): ArrayBuffer => new Uint8Array(new TextEncoder().encode(text)).buffer;

async function problemsOf(file: ArrayBuffer): Promise<string[]> {
  const result = await importFormFile(file, 'form');
  return result.ok ? [] : result.problems.map(findingText);
}

const HEAD = '<row r="1"><c r="A1" t="str"><v>type</v></c><c r="B1" t="str"><v>name</v></c></row>';
const ROW = '<row r="2"><c r="A2" t="str"><v>text</v></c><c r="B2" t="str"><v>a</v></c></row>';
const sheet = (more: string, before = ''): ArrayBuffer =>
  rawWorkbook(`${before}<sheetData>${HEAD}${ROW}${more}</sheetData>`);

describe('a workbook that claims more cells than any form has is refused before they are made', () => {
  const FAR = ['This workbook has cells beyond row 20,000 or column 500, or too many of them, too much for a form.'];

  test.each([
    ['a cell in column 502', '<row r="3"><c r="SH3"><v>1</v></c></row>'],
    ['a cell in row 20,001', '<row r="20001"><c r="A20001"><v>1</v></c></row>'],
    ['a row without a number', '<row><c r="A20001"><v>1</v></c></row>'],
    ['another prefix and quotes', `<row><c t = "n" r = 'A20001' ><v>1</v></c></row>`],
    ['a number in disguise', '<row><c r="A2&#48;001"><v>1</v></c></row>'],
  ])('%s', async (_what, rows) => {
    expect(await problemsOf(sheet(rows))).toEqual(FAR);
  });

  test('the last cell of a sheet, more cells than memory has', async () => {
    expect(await problemsOf(sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'))).toEqual(FAR);
    expect(await problemsOf(sheet('<row r="4000000000"/>'))).toEqual(FAR);
    expect(await problemsOf(sheet('<row r="20000"><c r="SF20000"><v>1</v></c></row>'))).toEqual(FAR);
  });

  test('what is empty out there stops nothing: programs write styles to the last column, and an area of any size', async () => {
    const empty = '<row r="3"><c r="XFD3" s="1"/><c r="XFE3" s="1"></c></row><row r="30000" ht="12"/>';
    expect(await problemsOf(sheet(empty, '<dimension ref="A1:XFD1048576"/>'))).toEqual([]);
  });
});

describe('a file nested deeper than 30 groups is refused where that begins', () => {
  const TOO_DEEP = 'groups are nested more than 30 deep here, deeper than a form can be';

  const nested = (levels: number): Cell[][] => [
    ['type', 'name'],
    ...Array.from({ length: levels }, (_, index) => ['begin group', `g${index}`]),
    ['text', 'a'],
    ...Array.from({ length: levels }, () => ['end group']),
  ];
  const xml = (levels: number) => `<?xml version="1.0"?>
<h:html xmlns="http://www.w3.org/2002/xforms" xmlns:h="http://www.w3.org/1999/xhtml"><h:head><h:title>x</h:title>
<model><instance><data id="x"><a/></data></instance><bind nodeset="/data/a" type="string"/></model></h:head><h:body>
${'<group>\n'.repeat(levels)}<input ref="/data/a"><label>A</label></input>${'</group>'.repeat(levels)}</h:body></h:html>`;
  const json = (levels: number) =>
    `{"format":1,"title":"t","items":[${'{"type":"group","name":"g","items":['.repeat(levels)}{"type":"text","name":"a"}${']}'.repeat(levels)}]}`;

  test('30 levels import from every kind of file', async () => {
    expect(await problemsOf(workbook({ survey: nested(30) }))).toEqual([]);
    expect(await problemsOf(bytes(xml(30)))).toEqual([]);
    expect(await problemsOf(bytes(json(30)))).toEqual([]);
  });

  test('31 levels are refused', async () => {
    expect(await problemsOf(workbook({ survey: nested(31) }))).toEqual([`survey row 32, type: ${TOO_DEEP}`]);
    expect(await problemsOf(bytes(xml(31)))).toEqual([`line 34: ${TOO_DEEP}`]);
    expect(await problemsOf(bytes(json(31)))).toEqual([`form, items${'[0].items'.repeat(30)}[0]: ${TOO_DEEP}`]);
  });

  test('thousands of levels are refused as well', async () => {
    expect(await problemsOf(workbook({ survey: nested(3000) }))).toEqual([`survey row 32, type: ${TOO_DEEP}`]);
    expect(await problemsOf(bytes(xml(20_000)))).toEqual(['line 202: this is nested too deeply']);
    expect(await problemsOf(bytes(json(50_000)))).toEqual(['This file is nested too deeply to be a form.']);
  });

  test('comments, texts and quotes of a file count for no level', async () => {
    const odd = `<!-- ${'<group>'.repeat(300)} --><?note ${'<a>'.repeat(300)}?>`;
    const cdata = `<![CDATA[${'<group>'.repeat(300)}]]>`;
    const file = xml(1).replace('<h:body>', `<h:body>${odd}`).replace('<label>A', `<label>${cdata}`);
    expect(await problemsOf(bytes(file))).toEqual([]);
    expect(await problemsOf(bytes(json(1).replace('"t"', `"${'[{\\"'.repeat(300)}"`)))).toEqual([]);
  });

  test('one tag, text or mark of megabytes is read as well', async () => {
    const long = 'x'.repeat(9_000_000);
    expect(await problemsOf(bytes(`<a b="${long}"/>`))).toEqual([
      'line 1: this is no XForm: it has no model or no body',
    ]);
    expect(await problemsOf(bytes(xml(1).replace('>A<', `>${long.slice(0, 15_000)}<`)))).toEqual([]);
    expect((await problemsOf(bytes(`{"a":"${long}"}`))).length).toBeGreaterThan(0);
    expect(await problemsOf(sheet(`<row r="3"><c r="${long}A1"><v>1</v></c></row>`))).toHaveLength(1);
  });

  test('a file that breaks off anywhere is told to be damaged', async () => {
    for (const end of ['<!-- ', '<![CDATA[ ', '<?x ', '<a b="', '<']) {
      expect((await problemsOf(bytes(`<a>${end}`)))[0]).toMatch(/^line \d/);
    }
    expect(await problemsOf(bytes('{"a": "'))).toEqual(['This file is no JSON: it is damaged, or its end is missing.']);
  });
});

test('a pattern that is not checked is noted with its row, and the form imported', async () => {
  const survey: Cell[][] = [
    ['type', 'name', 'constraint'],
    ['text', 'a', "regex(., '(x)\\1')"],
    ['text', 'b', "regex(., '(?=.*[0-9])(a+)+b')"],
  ];
  const result = await importFormFile(workbook({ survey }), 'form.xlsx');
  expect(result.ok && result.notUnderstood.map(findingText)).toEqual([
    expect.stringMatching(/^survey row 2, constraint: "\(x\)\\1" is not checked, every text matches it: /),
  ]);
});
