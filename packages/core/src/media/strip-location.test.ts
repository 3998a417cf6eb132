import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stripLocation } from './strip-location.ts';

const latin = (text: string) => Uint8Array.from(text, letter => letter.charCodeAt(0));
const joined = (...parts: readonly (Uint8Array | string)[]): Uint8Array<ArrayBuffer> => {
  const all = parts.map(part => (typeof part === 'string' ? latin(part) : part));
  const bytes = new Uint8Array(all.reduce((sum, part) => sum + part.length, 0));
  all.reduce((at, part) => (bytes.set(part, at), at + part.length), 0);
  return bytes;
};
const big = (value: number, length: number) =>
  Uint8Array.from({ length }, (_, index) => Math.floor(value / 256 ** (length - 1 - index)) % 256);

type Exif = { little: boolean; before: number; behind: number; position: Uint8Array };

/** An Exif block: entries before and behind the pointer to a position, a next directory, three values of the position. */
function exif({ little, before, behind, position }: Exif): Uint8Array<ArrayBuffer> {
  const count = before + 1 + behind;
  const [first, next] = [8, 8 + 2 + count * 12 + 4];
  const gps = next + 2 + 12 + 4;
  const values = gps + 2 + 2 * 12 + 4;
  const bytes = new Uint8Array(values + position.length);
  const view = new DataView(bytes.buffer);
  const entry = (at: number, tag: number, [type, length, value]: [number, number, number]) => {
    view.setUint16(at, tag, little);
    view.setUint16(at + 2, type, little);
    view.setUint32(at + 4, length, little);
    view.setUint32(at + 8, value, little);
  };
  bytes.set(latin(little ? 'II' : 'MM'));
  view.setUint16(2, 42, little);
  view.setUint32(4, first, little);
  view.setUint16(first, count, little);
  for (let each = 0; each < count; each += 1) {
    const at = first + 2 + each * 12;
    if (each === before) entry(at, 0x8825, [4, 1, gps]);
    else entry(at, 0x100 + each, [4, 1, 1000 + each]);
  }
  view.setUint32(next - 4, next, little);
  view.setUint16(next, 1, little);
  entry(next + 2, 0x201, [4, 1, 77]);
  view.setUint16(gps, 2, little);
  entry(gps + 2, 2, [1, position.length, values]);
  entry(gps + 14, 1, [2, 2, little ? 0x4e : 0x4e000000]);
  bytes.set(position, values);
  return bytes;
}

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
  tiff: tiff => joined(tiff),
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

describe.each(Object.entries(within))('%s', (name, inside) => {
  test('the position is gone for good, all else stands where it stood', () => {
    fc.assert(
      fc.property(anyExif, given => {
        const before = inside(exif(given));
        const after = new Uint8Array(stripLocation(before.buffer));
        expect(after.length).toBe(before.length);
        expect(holds(before, given.position)).toBe(true);
        expect(holds(after, given.position)).toBe(false);
        if (name !== 'tiff') expect(holds(after, PIXELS)).toBe(true);
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
