import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pictureShape } from './picture-shape.ts';

const photo = new Uint8Array(
  readFileSync(fileURLToPath(new URL('../../../e2e/fixtures/parking-brake.jpg', import.meta.url))),
);

const text = (chars: string) => Uint8Array.from(chars, char => char.charCodeAt(0));
const join = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap(part => [...part]));
const number = (value: number) => new Uint8Array([value >>> 24, value >>> 16, value >>> 8, value]);
const chunk = (type: string, data: Uint8Array) => join(number(data.length), text(type), data, number(0));
const box = (type: string, ...data: Uint8Array[]) => {
  const inside = join(...data);
  return join(number(8 + inside.length), text(type), inside);
};

const png = (width: number, height: number) =>
  join(
    text('\x89PNG\r\n\x1a\n'),
    chunk('IHDR', join(number(width), number(height), new Uint8Array([8, 2, 0, 0, 0]))),
    chunk('IDAT', new Uint8Array(10)),
    chunk('IEND', new Uint8Array(0)),
  );
const heic = (brand: string, width: number, height: number) =>
  join(
    box('ftyp', text(brand), number(0), text('mif1')),
    box('meta', number(0), box('ispe', number(0), number(width), number(height))),
    box('mdat', new Uint8Array(40)),
  );
const webp = (chunkType: string, data: Uint8Array) => {
  const inside = join(text(`WEBP${chunkType}`), number(0), data);
  return join(text('RIFF'), new Uint8Array([inside.length, 0, 0, 0]), inside);
};

describe('what a picture is, by its structure', () => {
  test('a photo of a camera says its size and ends with its file', () => {
    expect(pictureShape(photo)).toMatchObject({ mime: 'image/jpeg', end: photo.length });
  });

  test.each([
    ['PNG', png(640, 480), 'image/png'],
    ['HEIC', heic('heic', 640, 480), 'image/heic'],
    ['AVIF', heic('avif', 640, 480), 'image/avif'],
    ['WebP', webp('VP8X', new Uint8Array([0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0])), 'image/webp'],
    ['lossless WebP', webp('VP8L', new Uint8Array([0x2f, 0x7f, 0xc2, 0x77, 0, 0, 0, 0, 0, 0])), 'image/webp'],
    ['lossy WebP', webp('VP8 ', new Uint8Array([0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1])), 'image/webp'],
  ])('%s', (_, bytes, mime) => {
    expect(pictureShape(bytes)).toEqual({ mime, width: 640, height: 480, end: bytes.length });
  });

  test('what hangs behind a picture is told by where the picture ends', () => {
    for (const whole of [photo, png(2, 2), heic('heic', 2, 2)]) {
      const more = join(whole, text('PK\x03\x04<script>alert(1)</script>'));
      expect(pictureShape(more)?.end).toBe(whole.length);
    }
  });
});

describe('what is none', () => {
  test.each([
    ['a page', text('<!doctype html><script>alert(1)</script>')],
    ['a drawing that may run scripts', text('<svg onload="alert(1)">')],
    ['a page after the first bytes of a JPEG', text('\xff\xd8\xff\xe0<!doctype html><script>alert(1)</script>')],
    ['a moving GIF', text('GIF89a\x01\x00\x01\x00')],
    ['a film', box('ftyp', text('isom'), number(0))],
    ['nothing', new Uint8Array(0)],
    ['a picture that would fill the memory', png(60_000, 60_000)],
    ['a HEIC that would', heic('heic', 60_000, 60_000)],
    ['a picture without a size', png(0, 10)],
  ])('%s', (_, bytes) => {
    expect(pictureShape(bytes)).toBeNull();
  });

  test('half a photo is none, wherever it breaks off', () => {
    const cuts = fc.integer({ min: 0, max: photo.length - 2 });
    fc.assert(
      fc.property(cuts, at => pictureShape(photo.subarray(0, at)) === null),
      { numRuns: 200 },
    );
  });

  test('no bytes make it fail, and what it calls whole lies within them', () => {
    const damaged = fc
      .array(fc.tuple(fc.nat(600), fc.nat(255)), { maxLength: 30 })
      .map(changes => changes.reduce((bytes, [at, value]) => bytes.with(at % bytes.length, value), photo));
    const begun = fc.tuple(
      fc.constantFrom(png(9, 9), heic('avif', 9, 9), text('RIFFxxxxWEBPVP8L')),
      fc.uint8Array({ maxLength: 300 }),
    );
    const any = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      damaged,
      begun.map(([head, tail]) => join(head, tail)),
    );
    fc.assert(
      fc.property(any, bytes => {
        const shape = pictureShape(bytes);
        expect(shape === null || (shape.end > 0 && shape.end <= bytes.length)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
