import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFString } from '@cantoo/pdf-lib';
import i18n, { getFixedT } from 'i18next';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { decodeQR } from 'qr/decode.js';
import { beforeAll, expect, test } from 'vitest';
import type { Certificate } from '@cairn/core/policies/certificate.ts';
import german from '../../../shared/i18n/de/certificate.json';
import english from '../../../shared/i18n/en/certificate.json';
import { addTexts, startI18n } from '../../../shared/i18n/start-i18n.ts';
import type { FaceSource } from '../../../shared/report/report-faces.ts';
import { certificatePdf } from './certificate-pdf.ts';
import { paperOf } from './certificate-paper.ts';

beforeAll(async () => {
  await startI18n();
  addTexts('certificate', english);
  i18n.addResourceBundle('de', 'certificate', german);
});

const find = createRequire(import.meta.url).resolve;
const asked: string[] = [];
const faces: FaceSource = async (subset, weight) => {
  asked.push(subset);
  const name = `noto-sans-${subset}-${weight === 'bold' ? 700 : 400}-normal.woff`;
  const file = readFileSync(find(`@fontsource/noto-sans/files/${name}`));
  return file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength);
};

const signed: Certificate = {
  organization: 'Northfield',
  title: 'Lockout and tagout',
  version: '1.0',
  content_hash: 'ab'.repeat(32),
  file: null,
  signed_name: 'Sam Worker',
  account_name: 'Sam Reed',
  method: 'typed',
  signature: null,
  code: '7Q2K41AB9XYZ0123456789MNPQRS',
  status: 'superseded',
  requested_at: '2026-11-20T08:00:00Z',
  opened_at: '2026-11-21T09:00:00Z',
  sections_read: 2,
  sections: 3,
  decided_at: '2026-11-21T09:05:00Z',
  received_at: '2026-11-21T10:00:00Z',
  replaced_at: '2026-11-22T10:00:00Z',
  archived_at: null,
  quiz: null,
  kiosk: null,
};

async function made(more: Partial<Certificate> = {}, language = 'en') {
  const t = getFixedT(language, 'certificate');
  const words = {
    t,
    language,
    formatInstant: (instant: Date) => instant.toISOString().slice(0, 16),
    zone: 'Europe/Berlin',
    origin: 'https://cairn.example',
    now: new Date('2026-11-23T09:00:00Z'),
  };
  const bytes = await certificatePdf(paperOf({ ...signed, ...more }, words), { faces, page: (n, of) => `${n}/${of}` });
  return PDFDocument.load(bytes, { updateMetadata: false });
}

/** What each page draws, in the operators of PDF. */
function drawn(document: PDFDocument): string {
  const streams = document.context.enumerateIndirectObjects().flatMap(([, object]) => {
    const isDrawing = object instanceof PDFRawStream && !object.dict.has(PDFName.of('Type'));
    return isDrawing && !object.dict.has(PDFName.of('Length1')) ? [object] : [];
  });
  return streams.map(stream => new TextDecoder('latin1').decode(decodePDFRawStream(stream).decode())).join('\n');
}

/** The lines a reader finds in it, where they are written in the built-in face. */
const textOf = (document: PDFDocument): string[] =>
  [...drawn(document).matchAll(/<([0-9A-F]+)> Tj/g)].map(([, hex = '']) =>
    new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex')),
  );

test('says who acknowledged what, when by which clock, in the words of whom it is for', async () => {
  const document = await made();
  const text = textOf(document);
  for (const [name, value] of [
    ['Organisation', 'Northfield'],
    ['Policy', 'Lockout and tagout'],
    ['Version', '1.0'],
    ['Content (SHA-256)', 'ab'.repeat(32)],
    ['Acknowledged by', 'Sam Worker'],
    // What was typed can be anybody's name: whose account it was stands under it.
    ['Signed with account', 'Sam Reed'],
    ['Signed', 'by typing the name'],
    ['Signed at (device time)', '2026-11-21T09:05'],
    ['Received at (server time)', '2026-11-21T10:00 · 2026-11-21 10:00:00 UTC'],
    ['Status on 2026-11-23T09:00', 'superseded: a newer version has replaced it'],
  ] as const)
    expect(text[text.indexOf(name) + 1]).toBe(value);
  expect(text).toContain('Code: 7Q2K-41AB-9XYZ-0123-4567-89MN-PQRS');
  expect(text).toContain(`https://cairn.example/verify/${signed.code}`);
  expect(text).toContain('All times are in Europe/Berlin.');
  expect(document.getPageCount()).toBe(1);
});

test('says how the quiz went, with the attempts it took; nothing where none was answered', async () => {
  const quiz = { attempts: 3, right: 2, of: 3, needed: 2, at: '2026-11-21T09:04:00Z' };
  const text = textOf(await made({ quiz }));
  expect(text[text.indexOf('Quiz') + 1]).toBe('passed: 2 of 3 right (2 needed), attempts: 3');
  expect(text).toContain('2026-11-21T09:04 · Quiz answered: 2 of 3 right, attempts: 3 (device time)');
  expect(textOf(await made()).join()).not.toContain('Quiz');
});

test('tells what happened in its order', async () => {
  const text = textOf(await made());
  const from = text.indexOf('History') + 1;
  expect(text.slice(from, from + 6)).toEqual([
    '2026-11-20T08:00 · Requested (server time)',
    '2026-11-21T09:00 · Opened (device time)',
    '2 of 3 sections read',
    '2026-11-21T09:05 · Signed (device time)',
    '2026-11-21T10:00 · Received (server time)',
    '2026-11-22T10:00 · Superseded by a newer version (server time)',
  ]);
});

test('of a principle of one’s own names both who signed, and no page to compare it with', async () => {
  const countersigned = [
    {
      name: 'Pat Partner',
      account_name: 'Patricia Account',
      method: 'typed' as const,
      signature: null,
      decided_at: '2026-11-21T11:00:00Z',
      received_at: '2026-11-21T12:00:00Z',
    },
  ];
  const document = await made({
    organization: null,
    code: null,
    status: 'in_force',
    replaced_at: null,
    countersigned,
  });
  const text = textOf(document);
  expect(text[text.indexOf('Countersigned by') + 3]).toBe('Patricia Account');
  for (const [name, value] of [
    ['Principle', 'Lockout and tagout'],
    ['Committed by', 'Sam Worker'],
    ['Status on 2026-11-23T09:00', 'current version: the commitment counts'],
  ] as const)
    expect(text[text.indexOf(name) + 1]).toBe(value);
  expect(text).toContain('2026-11-21T12:00 · Countersignature of Pat Partner received (server time)');
  for (const never of ['Organisation', 'Check this certificate', 'verify'])
    expect(text.join('\n')).not.toContain(never);
  expect(document.getAuthor()).toBe('Sam Worker');
});

test('is named, in its language, for whoever lists files or has it read aloud', async () => {
  const document = await made({}, 'de');
  expect([document.getTitle(), document.getSubject(), document.getAuthor()]).toEqual([
    'Sam Worker hat „Lockout and tagout“ in Version 1.0 bestätigt',
    'Bescheinigung einer Bestätigung',
    'Northfield',
  ]);
  expect(document.catalog.get(PDFName.of('Lang'))).toEqual(PDFString.of('de'));
  expect(textOf(document)).toContain('2026-11-21T09:00 · Geöffnet (Gerätezeit)');
});

type Node = { role: string; alt?: string; children: Node[] } | { type: string; id: string };

/** What another reader of PDFs (pdf.js) finds: role, what stands there in words, the text of its marks, of one page. */
async function spoken(document: PDFDocument, number = 1): Promise<[role: string, said: string][]> {
  const reader = await getDocument({ data: await document.save(), verbosity: 0 }).promise;
  const page = await reader.getPage(number);
  const texts = new Map<string, string>();
  let mark = '';
  for (const item of (await page.getTextContent({ includeMarkedContent: true })).items) {
    if ('str' in item) texts.set(mark, (texts.get(mark) ?? '') + item.str);
    else mark = item.type === 'endMarkedContent' ? '' : item.id;
  }
  const [whole] = ((await page.getStructTree()) as { children: Node[] }).children;
  const parts = whole && 'children' in whole ? whole.children : [];
  await reader.loadingTask.destroy();
  const spokenOf = (part: Node) => ('id' in part ? (texts.get(part.id) ?? '') : '');
  return parts.flatMap((part): [string, string][] =>
    'children' in part ? [[part.role, part.alt ?? part.children.map(spokenOf).join(' ')]] : [],
  );
}

test('a reader that speaks it finds headings, paragraphs in their order, and words for what is drawn', async () => {
  const strokes = {
    width: 100,
    height: 40,
    strokes: [
      [
        [1, 2],
        [3, 4],
      ],
    ],
  };
  const parts = await spoken(await made({ method: 'drawn', signature: strokes }));
  expect(parts.filter(([role]) => role !== 'P')).toEqual([
    ['H1', 'Certificate of acknowledgement'],
    ['Figure', 'Signature of Sam Worker'],
    ['H2', 'History'],
    ['H2', 'Check this certificate'],
    ['Figure', `https://cairn.example/verify/${signed.code}`],
  ]);
  const at = parts.findIndex(([, spokenText]) => spokenText === 'Acknowledged by');
  expect(parts[at + 1]).toEqual(['P', 'Sam Worker']);
  // A paragraph of two lines is one; page numbers and rules are none.
  expect(
    parts.some(([, spokenText]) => spokenText.startsWith('Scan the code') && spokenText.endsWith('still counts.')),
  ).toBe(true);
  expect(parts.some(([, spokenText]) => spokenText === '1/1')).toBe(false);
});

test('what goes on over pages is told page by page', async () => {
  const document = await made({ title: 'Word '.repeat(900), account_name: null });
  expect(document.getPageCount()).toBeGreaterThan(1);
  expect((await spoken(document, document.getPageCount())).map(([role]) => role)).toContain('H2');
  expect(document.catalog.get(PDFName.of('MarkInfo'))?.toString()).toContain('/Marked true');
  // The way back from a mark to what it belongs to, which other readers go.
  const owners = document.catalog
    .lookup(PDFName.of('StructTreeRoot'), PDFDict)
    .lookup(PDFName.of('ParentTree'), PDFDict);
  const numbers = owners.lookup(PDFName.of('Nums'), PDFArray);
  const marked = document
    .getPages()
    .map((page, at) => [
      page.node.lookup(PDFName.of('StructParents'))?.toString(),
      String(numbers.lookup(at * 2)),
      numbers.lookup(at * 2 + 1, PDFArray).size() > 0,
    ]);
  expect(marked).toEqual(marked.map((_, at) => [`${at}`, `${at}`, true]));
});

test('its squares are the address of its page, for any camera', async () => {
  const path = [...drawn(await made()).matchAll(/(\d+) (\d+) m\n(\d+) \2 l\n/g)];
  const scale = 4;
  const size = 64 * scale;
  const data = new Uint8ClampedArray(size * size * 4).fill(255);
  for (const [, from, row, to] of path)
    for (let x = Number(from) * scale; x < Number(to) * scale; x += 1)
      for (let y = Number(row) * scale; y < (Number(row) + 1) * scale; y += 1)
        data.set([0, 0, 0], ((y + scale) * size + x + scale) * 4);
  expect(decodeQR({ width: size, height: size, data })).toBe(`https://cairn.example/verify/${signed.code}`);
});

test('a signature by hand is drawn as it was; a name holds no lines of its own', async () => {
  const strokes = {
    width: 100,
    height: 40,
    strokes: [
      [
        [1, 2],
        [31, 17],
      ],
    ],
  };
  const hand = await made({ method: 'drawn', signature: strokes });
  expect(drawn(hand)).toMatch(/1 2 m\n31 17 l/);
  expect(textOf(hand)).toContain('by hand');
  expect(drawn(await made({ signature: strokes }))).not.toMatch(/1 2 m\n31 17 l/);
  const forged = textOf(await made({ signed_name: 'Sam\nReceived at (server time)\nnever' }));
  expect(forged).toContain('Sam Received at (server time) never');
});

test('Polish, Greek and Cyrillic names are written as text, with only the pieces they need', async () => {
  asked.length = 0;
  await made();
  expect(asked).toEqual([]);
  const document = await made({ signed_name: 'Łukasz Żółć, Ιωάννα, Ольга' });
  expect(new Set(asked)).toEqual(new Set(['latin', 'latin-ext', 'greek', 'cyrillic']));
  const dicts = document.context.enumerateIndirectObjects().flatMap(([, object]) => {
    if (object instanceof PDFDict) return [object];
    return object instanceof PDFRawStream ? [object.dict] : [];
  });
  expect(dicts.filter(dict => dict.get(PDFName.of('Subtype')) === PDFName.of('Image'))).toEqual([]);
  expect(
    dicts.map(dict => String(dict.get(PDFName.of('FontName')))).filter(name => name.includes('NotoSans')).length,
  ).toBeGreaterThan(2);
});
