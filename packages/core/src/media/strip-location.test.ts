import fc from 'fast-check';
import { exif } from '@cairn/testing/exif-block.ts';
import { describe, expect, test } from 'vitest';
import { stripLocation } from './strip-location.ts';

const latin = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
const joined = (...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> => {
  const all = parts.map(part => (typeof part === 'string' ? latin(part) : part));
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  all.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return bytes;
};
const big = (value: number, length: number) =>
  Uint8Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);

/** Tags and values of the first directory, and of the one after it. */
function directories(tiff: Uint8Array): number[][] {
  const view = new DataView(tiff.buffer, tiff.byteOffset);
  const little = view.getUint16(0) === 0x4949;
  const found: number[][] = [];
  for (let at = view.getUint32(4, little); at !== 0;) {
    const count = view.getUint16(at, little);
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12)
      found.push([view.getUint16(entry, little), view.getUint32(entry + 8, little)]);
    at = view.getUint32(at + 2 + count * 12, little);
  }
  return found;
}

const PIXELS = latin('the picture itself, \xff\xd8 Exif and all');
const within: Record<string, (tiff: Uint8Array) => Uint8Array<ArrayBuffer>> = {
  jpeg: tiff =>
    joined('\xff\xd8\xff\xe0\0\x04hi', '\xff\xe1', big(tiff.length + 8, 2), 'Exif\0\0', tiff, '\xff\xda', PIXELS),
  png: tiff => joined('\x89PNG\r\n\x1a\n', big(tiff.length, 4), 'eXIf', tiff, '....', big(0, 4), 'IEND....', PIXELS),
  webp: tiff =>
    joined('RIFF....WEBP', 'EXIF', big(tiff.length, 4).toReversed(), tiff, tiff.length % 2 ? '\0' : '', PIXELS),
  heic: tiff => joined('\0\0\0\x18ftypheic....', PIXELS, '\0\0\0\x06Exif\0\0', tiff, 'mdat'),
  tiff: tiff => joined(tiff, PIXELS),
};

const anyExif = fc.record({
  little: fc.boolean(),
  before: fc.nat(6),
  behind: fc.nat(6),
  // None of its bytes is one that a cleared place would hold.
  position: fc.uint8Array({ minLength: 24, maxLength: 24, min: 128 }),
});

const holds = (bytes: Uint8Array, part: Uint8Array) =>
  Buffer.from(bytes).includes(Buffer.from(part.buffer, part.byteOffset, part.byteLength));

describe.each(Object.entries(within))('%s', (_name, inside) => {
  test('the position is gone for good, all else stands where it stood', () => {
    fc.assert(
      fc.property(anyExif, given => {
        const before = inside(exif(given));
        const after = new Uint8Array(stripLocation(before.buffer));
        expect(after.length).toBe(before.length);
        expect(holds(before, given.position)).toBe(true);
        expect(holds(after, given.position)).toBe(false);
        expect(holds(after, PIXELS)).toBe(true);
        const at = Buffer.from(after).indexOf(given.little ? 'II*\0' : 'MM\0*', 'latin1');
        const kept = directories(exif(given)).filter(([tag]) => tag !== 0x8825);
        expect(directories(after.slice(at))).toEqual(kept);
        expect(stripLocation(after.buffer)).toBe(after.buffer);
      }),
    );
  });
});

test('a position in XMP is blanked in both of its forms, its neighbours stay', () => {
  const xmp =
    'http://ns.adobe.com/xap/1.0/\0<x exif:GPSLatitude="52,30.1N" a="b"/><exif:GPSLongitude>13</exif:GPSLongitude>';
  const bytes = joined('\xff\xd8\xff\xe1', big(xmp.length + 2, 2), xmp, '\xff\xda', PIXELS);
  const after = Buffer.from(stripLocation(bytes.buffer)).toString('latin1');
  expect(after).toHaveLength(bytes.length);
  expect(after).not.toMatch(/52,30|>13</);
  expect(after).toContain('a="b"');
});

test('what is no picture, or a broken one, is never made worse', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(within)),
      anyExif,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
      (inside, given, faults) => {
        const bytes = inside(exif(given));
        for (const [at, value] of faults) bytes[at % bytes.length] = value;
        expect(stripLocation(bytes.buffer).byteLength).toBe(bytes.length);
      },
    ),
  );
  for (const text of ['', 'x', '\xff\xd8', '\x89PNG', 'words']) {
    const bytes = joined(text);
    expect(stripLocation(bytes.buffer)).toBe(bytes.buffer);
  }
});

test('a pointer that leads into the picture blanks nothing of it', () => {
  const tiff = exif({ little: true, before: 1, behind: 0, position: new Uint8Array(24).fill(200) });
  const bytes = joined(tiff, new Uint8Array(64).fill(9));
  new DataView(bytes.buffer).setUint32(8 + 2 + 12 + 8, tiff.length, true);
  const after = new Uint8Array(stripLocation(bytes.buffer));
  expect(after.slice(tiff.length)).toEqual(new Uint8Array(64).fill(9));
});
