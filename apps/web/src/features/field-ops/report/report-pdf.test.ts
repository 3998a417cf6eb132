import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { expect, test } from 'vitest';
import { reportPdf, type ReportParts } from './report-pdf.ts';
import type { FaceSource } from '../../../shared/report/report-faces.ts';
import type { Report, ReportRow } from './report-model.ts';

const find = createRequire(import.meta.url).resolve;
const asked: string[] = [];
const faces: FaceSource = async (subset, weight) => {
  asked.push(subset);
  const name = `noto-sans-${subset}-${weight === 'bold' ? 700 : 400}-normal.woff`;
  const file = readFileSync(find(`@fontsource/noto-sans/files/${name}`));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
};

const row = (label: string, more: Partial<ReportRow> = {}): ReportRow => ({
  label,
  value: 'yes',
  outcome: null,
  note: null,
  mediaIds: [],
  pictureIds: [],
  signature: null,
  places: null,
  ...more,
});
const report = (rows: ReportRow[]): Report => ({
  title: 'Check',
  facts: [['Conducted by', 'Sam']],
  flagged: [],
  sections: [{ title: 'Answers', rows }],
  signature: null,
});
const parts = (more: Partial<ReportParts> = {}): ReportParts => ({
  fileOf: async () => 'Recording, 0:42: listen to it in the inspection',
  pictureOf: async () => null,
  faces,
  words: {
    flagged: 'Failed',
    noneFlagged: 'Nothing failed.',
    outcome: { pass: 'Pass', fail: 'Fail', na: 'N/A' },
    photoElsewhere: 'Not here',
    page: (page, of) => `${page}/${of}`,
  },
  ...more,
});

/** What a reader finds in the file: names of embedded fonts, and how many pictures. */
async function contents(bytes: Uint8Array): Promise<{ fonts: string[]; pictures: number }> {
  const { context } = await PDFDocument.load(bytes);
  const fonts: string[] = [];
  let pictures = 0;
  for (const [, object] of context.enumerateIndirectObjects()) {
    const dict = object instanceof PDFDict ? object : (object as { dict?: PDFDict }).dict;
    if (!dict) continue;
    if (dict.get(PDFName.of('Subtype')) === PDFName.of('Image')) pictures += 1;
    if (dict.get(PDFName.of('Type')) === PDFName.of('FontDescriptor'))
      fonts.push(String(dict.get(PDFName.of('FontName'))));
  }
  return { fonts, pictures };
}

test('a report in the letters of the built-in face fetches no other', async () => {
  asked.length = 0;
  const bytes = await reportPdf(report([row('Bremse hält – größtenteils')]), parts());
  expect(asked).toEqual([]);
  expect(await contents(bytes)).toEqual({ fonts: [], pictures: 0 });
});

test('Polish, Greek, Cyrillic and Vietnamese are written as text, not drawn, with only the pieces they need', async () => {
  asked.length = 0;
  const labels = ['Hamulec ręczny działa', 'Φρένο στάθμευσης', 'Стояночный тормоз', 'Phanh đỗ xe hoạt động tốt'];
  const long = `${labels.join(' ')} `.repeat(6).trim();
  const bytes = await reportPdf(report([...labels.map(label => row(label)), row('All', { note: long })]), parts());
  expect(new Set(asked)).toEqual(new Set(['latin', 'latin-ext', 'cyrillic', 'greek', 'vietnamese']));
  const { fonts, pictures } = await contents(bytes);
  expect(pictures).toBe(0);
  expect(fonts.length).toBeGreaterThanOrEqual(5);
  expect(fonts.every(name => name.includes('NotoSans'))).toBe(true);
});

test('a recording stands as a line, a way and an area are drawn with how long and large they are', async () => {
  const square = [
    { lat: 48.4, lon: 10.2, altitude: null, accuracy: 5 },
    { lat: 48.401, lon: 10.2, altitude: null, accuracy: 5 },
    { lat: 48.401, lon: 10.201, altitude: null, accuracy: 5 },
  ];
  const places = (isArea: boolean) => ({ points: square, isArea, line: isArea ? 'Area 4,120 m²' : 'Length 185 m' });
  const plain = await reportPdf(report([row('Fan')]), parts());
  const full = await reportPdf(
    report([
      row('Fan', { mediaIds: ['00000000-0000-4000-8000-0000000000d1'] }),
      row('Way', { places: places(false) }),
      row('Yard', { places: places(true) }),
    ]),
    parts(),
  );
  expect(full.length).toBeGreaterThan(plain.length + 400);
  expect(await contents(full)).toEqual({ fonts: [], pictures: 0 });
});

/** The head of a JPEG of 4 × 3 px in three colours: all that a PDF looks at. */
const JPEG = new Uint8Array(Buffer.from('ffd8ffc00011080003000403012200021101031101ffd9', 'hex'));

test('the picture of what was chosen stands beside it; one that is not on this device is left out', async () => {
  const rows = [row('Damage', { value: 'Dent', pictureIds: ['dent', 'gone'] })];
  const pictureOf = async (id: string) => (id === 'dent' ? JPEG : null);
  expect((await contents(await reportPdf(report(rows), parts({ pictureOf })))).pictures).toBe(1);
});
