import { expect, test } from 'vitest';
import { beginsAs } from './image-bytes.ts';
import { rangeOf } from './send-object.ts';

const begins = (type: string, text: string) => beginsAs(type, Buffer.from(text, 'latin1'));

test.each([
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x00\x00\x00\x00WEBPVP8 '],
  ['image/heic', '\x00\x00\x00\x18ftypheic'],
  ['image/avif', '\x00\x00\x00\x18ftypavif'],
  ['image/tiff', 'II*\x00'],
  ['image/bmp', 'BM'],
  ['IMAGE/PNG; x=1', '\x89PNG\r\n\x1a\n'],
])('%s is known by its beginning, and a page is not taken for one', (type, text) => {
  expect([begins(type, text), begins(type, '<!doctype html>'), begins(type, '')]).toEqual([true, false, false]);
});

test('of a type whose beginning is not known nothing is said', () => {
  expect([begins('text/plain', 'x'), begins('image/svg+xml', '<svg>')]).toEqual([true, true]);
});

test('no range leaves the object', () => {
  for (const header of ['bytes=0-', 'bytes=-1', 'bytes=0-0', 'bytes=-0', 'bytes=5-'])
    expect(rangeOf(header, 0)).toBe('beyond');
  expect(rangeOf('bytes=-99', 5)).toEqual({ start: 0, end: 4 });
  expect(rangeOf('bytes=999999999999999999-', 5)).toBeNull();
});
