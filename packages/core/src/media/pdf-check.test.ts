import { zlibSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { documentProblem } from './document-check.ts';
import { PDF_MIME } from './document-kind.ts';
import { ascii85, asciiHex, inflate, lzw, runLength, type ByteSink } from './pdf-filters.ts';

const bytesOf = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
const textOf = (bytes: Uint8Array) => Array.from(bytes, each => String.fromCharCode(each)).join('');
const pdf = (objects: string) =>
  bytesOf(
    `%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n${objects}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`,
  );
const stream = (dictionary: string, body: string) => `5 0 obj\n<< ${dictionary} >>\nstream\n${body}\nendstream\nendobj`;
const judged = (objects: string) => documentProblem(pdf(objects), PDF_MIME);
const flat = (text: string) => textOf(zlibSync(bytesOf(text)));
/** Named only: it does nothing. */
const ACTION = '7 0 << /S /JavaScript /JS (x) >>';
const PACKED = '/Type /ObjStm /N 1 /First 4 /Filter /FlateDecode';

describe('a PDF cannot hide a program from the check', () => {
  test.each([
    ['behind a comment that looks like a stream', `% stream\n3 0 obj\n<< /S /JavaScript >>\nendobj\n% endstream`],
    [
      'in the bytes of a stream, where a table of places can point',
      stream('/Length 60', `(3 0 obj << /S /JavaScript >> endobj)`),
    ],
    ['in packed objects that call themselves a picture', stream(`${PACKED} /Subtype /Image`, flat(ACTION))],
    ['in packed objects that say nothing of themselves', stream('/Length 9', flat(ACTION))],
    [
      'behind a comment between dictionary and stream',
      `5 0 obj\n<< ${PACKED} >> % ${'x'.repeat(9000)}\nstream\n${flat(ACTION)}\nendstream`,
    ],
    ['behind a line that goes on', `5 0 obj\n<< ${PACKED} >>\nstream % more\n${flat(ACTION)}\nendstream`],
    ['in packed objects that begin with a comment', stream(PACKED, flat(`% 1\n${ACTION}`))],
    ['behind words that are no numbers', stream(PACKED, flat(`q ( ${ACTION} )`))],
    [
      'in what a string in hexadecimal digits seems to hold',
      stream(PACKED, flat('7 0 << /X <41(> /S /JavaScript /Y <41)> >>')),
    ],
    ['in what a comment makes a text', stream(PACKED, flat('7 0 << /X 1 % (\n/S /JavaScript % )\n>>'))],
    ['spelled in numbers', stream(PACKED, flat('7 0 << /S /#4a#61vaScript >>'))],
    [
      'in data that break off',
      stream('/Subtype /Image /Filter /FlateDecode', flat(`${ACTION}${'7'.repeat(40)}`).slice(0, -8)),
    ],
    ['behind more than one piece of gaps', stream(PACKED, flat(`${' '.repeat(300_000)}${ACTION}`))],
    ['across two pieces', stream(PACKED, flat(`7 0 << /X 1 ${' '.repeat(65_536 - 20)}${ACTION}`))],
    ['in digits', stream('/Filter /ASCIIHexDecode', `${Buffer.from(ACTION).toString('hex')}>`)],
    ['packed twice', stream('/Filter [/FlateDecode /FlateDecode]', flat(flat(ACTION)))],
    [
      'in digits, then packed',
      stream('/Filter [/ASCIIHexDecode /FlateDecode]', `${Buffer.from(zlibSync(bytesOf(ACTION))).toString('hex')}>`),
    ],
    [
      'as runs',
      stream(
        '/Filter /RunLengthDecode',
        `${String.fromCharCode(ACTION.length - 1)}${ACTION}${String.fromCharCode(128)}`,
      ),
    ],
    ['as a sound or film that has one', '3 0 obj\n<< /S /Rendition /OP 0 >>\nendobj'],
  ])('%s', async (_, objects) => {
    expect(await judged(objects)).toBe('active');
  });

  test('nor by letters that are told by their neighbours, whatever the stream calls itself', async () => {
    const raw = bytesOf(ACTION.padEnd(40));
    const rows = (undo: (row: number[], at: number) => number[], tag: number[]) =>
      [0, 20].flatMap(at => [...tag, ...undo([...raw.subarray(at, at + 20)], at)]);
    const up = rows((row, at) => row.map((each, n) => (each - (at ? (raw[n] ?? 0) : 0)) & 0xff), [2]);
    const sub = rows(row => row.map((each, n) => (each - (row[n - 1] ?? 0)) & 0xff), [1]);
    const tiff = rows(row => row.map((each, n) => (each - (row[n - 1] ?? 0)) & 0xff), []);
    const told = (predictor: number, bytes: number[]) =>
      judged(
        stream(
          `/Subtype /Image /Filter /FlateDecode /DecodeParms << /Predictor ${predictor} /Columns 20 >>`,
          textOf(zlibSync(Uint8Array.from(bytes))),
        ),
      );
    expect(await told(12, up)).toBe('damaged');
    expect(await told(15, sub)).toBe('damaged');
    expect(await told(2, tiff)).toBe('damaged');
  });
});

describe('what cannot be unpacked, or costs too much, is refused', () => {
  test.each([
    ['a filter that stands elsewhere', stream('/Filter 9 0 R', 'x'), 'damaged'],
    ['a predictor that stands elsewhere', stream('/DecodeParms << /Predictor 9 0 R >>', 'x'), 'damaged'],
    [
      'a predictor behind a long comment',
      stream(`/DecodeParms << /Predictor %${'x'.repeat(300)}\n12 >>`, 'x'),
      'damaged',
    ],
    ['a filter that nobody knows', stream('/Filter /Secret', 'x'), 'damaged'],
    ['data that are no data', stream('/Filter /FlateDecode', 'nothing of the kind'), 'damaged'],
    [
      'data that break off',
      stream('/Filter /FlateDecode', flat('BT 12 0 0 9 72 41 Tm (Lock out first) Tj').slice(0, 20)),
      'damaged',
    ],
    ['packed in itself without end', stream('/Filter /FlateDecode', flat(flat(flat(flat('q'))))), 'damaged'],
    ['more streams than a document has', 'stream\n'.repeat(61_000), 'bomb'],
  ])('%s', async (_, objects, problem) => {
    expect(await judged(objects)).toBe(problem);
  });

  test('names and comments without end are looked at in one go', async () => {
    const begun = performance.now();
    await judged(`3 0 obj\n<< ${'/Filter%/Predictor%'.repeat(20_000)} >>\nendobj`);
    await judged(`3 0 obj\n<< ${'/Filter %\n'.repeat(20_000)} >>\nendobj`);
    // 600 kB: minutes where each name looks for the end of the comment.
    expect(performance.now() - begun).toBeLessThan(5000);
  });

  test('thousands of small packed objects are looked at in one go', async () => {
    const small = stream(PACKED, flat('7 0 << /Type /Page >>'));
    const timed = async (count: number) => {
      const begun = performance.now();
      expect(await judged(`${small}\n`.repeat(count))).toBeNull();
      return performance.now() - begun;
    };
    await timed(500);
    const few = await timed(500);
    // Eight times as many: sixty-four times as long where each looks through all.
    expect(await timed(4000)).toBeLessThan(few * 32 + 500);
  });
});

describe('what is no program is taken', () => {
  test.each([
    [
      'words that are drawn',
      stream('/Filter /FlateDecode', flat('1 0 0 1 0 0 cm BT (Start/Launch the app, see CSS/JS) Tj ET')),
    ],
    [
      'a picture of noise that spells a short name',
      stream('/Subtype /Image /Filter /DCTDecode', `\u00ff\u00d8/JS (\u0001/XFA `),
    ],
    [
      'a picture whose rows are predicted',
      stream(
        '/Subtype /Image /Filter /FlateDecode /DecodeParms << /Predictor 15 /Columns 4 >>',
        flat('\0\0\0\0\0'.repeat(40)),
      ),
    ],
    ['a signature', '3 0 obj\n<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached >>\nendobj'],
    ['an empty stream', stream('/Filter /FlateDecode', '')],
    ['data with a wrong sum', stream('/Filter /FlateDecode', `${flat('BT (a) Tj ET').slice(0, -1)}x`)],
  ])('%s', async (_, objects) => {
    expect(await judged(objects)).toBeNull();
  });
});

describe('filters', () => {
  const out = (decode: (bytes: Uint8Array, take: ByteSink) => string, bytes: Uint8Array) => {
    const chunks: number[] = [];
    const outcome = decode(bytes, chunk => chunks.push(...chunk));
    return { outcome, text: textOf(Uint8Array.from(chunks)) };
  };

  test('decode as the standard has it', () => {
    const example = Uint8Array.from([0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01]);
    // ISO 32000-2, 7.4.4.2, example 1.
    expect(out(lzw, example)).toEqual({ outcome: 'whole', text: '-----A---B' });
    expect(out(asciiHex, bytesOf('48 65 6c6C 7>'))).toEqual({ outcome: 'whole', text: 'Hellp' });
    expect(out(ascii85, bytesOf('87cUR\nD]~>'))).toEqual({ outcome: 'whole', text: 'Hello' });
    expect(out(ascii85, bytesOf('zz~>'))).toEqual({ outcome: 'whole', text: '\0'.repeat(8) });
    expect(out(runLength, Uint8Array.from([1, 97, 98, 254, 99, 128]))).toEqual({ outcome: 'whole', text: 'abccc' });
  });

  test('say where they break off, with what came before', () => {
    expect(out(inflate, bytesOf(flat('a'.repeat(90)).slice(0, -6)))).toMatchObject({
      outcome: 'broken',
      text: expect.stringMatching(/^a/),
    });
    expect(out(inflate, bytesOf('plain words'))).toEqual({ outcome: 'other', text: '' });
    expect(out(asciiHex, bytesOf('41 zz'))).toEqual({ outcome: 'broken', text: 'A' });
  });
});
