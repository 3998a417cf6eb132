#!/usr/bin/env bash
# read-excel-file 9.3.17: a cell that shows a time of day, or a duration, comes as a Date of 30 or 31 December 1899.
#
# Spreadsheets store 07:30 as 0.3125 with the number format "h:mm", and a duration of 25 hours as 1.0416… with "[h]:mm:ss". The reader
# takes each number whose format holds hours for a moment and counts from 1899-12-30: "07:30" becomes 1899-12-30T07:30Z, "25:00:00"
# becomes 1899-12-31T01:00Z. An import that writes what it got puts a day of 1899 into a list of opening hours, and a duration loses
# its days. A moment with a day (number format 22) comes as it should.
#
# Instead: where a Date's day is before 1900-01-01 the cell has no day: take its hours as a time of day, or, where a duration is
# expected, the whole difference to 1899-12-30T00:00Z.
#
# Exits 0 while that holds, 1 once it changed.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts read-excel-file@9.3.17 fflate@0.8.3
cat >try.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/node';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACK = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const part = (name, type) => `<Override PartName="/xl/${name}" ContentType="${OFFICE}.${type}+xml"/>`;
const link = (id, type, target) => `<Relationship Id="${id}" Type="${RELS}/${type}" Target="${target}"/>`;
const files = {
  '[Content_Types].xml': `${HEAD}<Types xmlns="${PACK}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>${part('workbook.xml', 'sheet.main')}${part('worksheets/sheet1.xml', 'worksheet')}${part('styles.xml', 'styles')}</Types>`,
  '_rels/.rels': `${HEAD}<Relationships xmlns="${PACK}/relationships">${link('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
  'xl/workbook.xml': `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${RELS}"><sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `${HEAD}<Relationships xmlns="${PACK}/relationships">${link('rId1', 'worksheet', 'worksheets/sheet1.xml')}${link('rId2', 'styles', 'styles.xml')}</Relationships>`,
  // 20 is h:mm, 46 is [h]:mm:ss, 22 is a day with its time.
  'xl/styles.xml': `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf numFmtId="0"/><xf numFmtId="20" applyNumberFormat="1"/><xf numFmtId="46" applyNumberFormat="1"/><xf numFmtId="22" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  'xl/worksheets/sheet1.xml': `${HEAD}<worksheet xmlns="${MAIN}"><sheetData><row r="1"><c r="A1" s="1"><v>0.3125</v></c><c r="B1" s="2"><v>1.0416666666666667</v></c><c r="C1" s="3"><v>46023.3125</v></c></row></sheetData></worksheet>`,
};
writeFileSync('t.xlsx', zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))));
const [row] = await readSheet('t.xlsx');
const [time, duration, moment] = row.map(cell => (cell instanceof Date ? cell.toISOString() : cell));
console.log({ 'shown 7:30': time, 'shown 25:00:00': duration, 'shown 2026-01-01 7:30': moment });
const holds =
  time === '1899-12-30T07:30:00.000Z' && duration === '1899-12-31T01:00:00.000Z' && moment === '2026-01-01T07:30:00.000Z';
process.exit(holds ? 0 : 1);
JS
node try.mjs
