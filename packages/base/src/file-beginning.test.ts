import { expect, test } from 'vitest';
import { beginsAs, beginsAsPicture } from './file-beginning.ts';

const bytesOf = (text: string) => Uint8Array.from(text, char => char.charCodeAt(0));
const begins = (type: string, text: string) => beginsAs(type, bytesOf(text));

test.each([
  ['image/jpeg', '\xff\xd8\xff\xe0'],
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/gif', 'GIF89a'],
  ['image/webp', 'RIFF\x00\x00\x00\x00WEBPVP8 '],
  ['image/heic', '\x00\x00\x00\x18ftypheic'],
  ['image/avif', '\x00\x00\x00\x18ftypavif'],
  ['image/tiff', 'II*\x00'],
  ['image/bmp', 'BM'],
  ['application/pdf', '%PDF-1.7'],
  ['application/zip', 'PK\x03\x04'],
  ['video/mp4', '\x00\x00\x00\x18ftypisom'],
  ['audio/webm', '\x1a\x45\xdf\xa3'],
  ['application/vnd.pmtiles', 'PMTiles\x03'],
  ['IMAGE/PNG; x=1', '\x89PNG\r\n\x1a\n'],
])('%s is known by its beginning, and a page is not taken for one', (type, text) => {
  expect([begins(type, text), begins(type, '<!doctype html>'), begins(type, '')]).toEqual([true, false, false]);
});

test('of a type whose beginning is not known nothing is said', () => {
  expect([begins('text/plain', 'x'), begins('image/svg+xml', '<svg>')]).toEqual([true, true]);
});

test('a picture is a picture whatever it is called, a page or a document is none', () => {
  const pictures = ['\xff\xd8\xff\xe0', 'GIF89a', '\x00\x00\x00\x18ftypheic'];
  expect(pictures.map(text => beginsAsPicture(bytesOf(text)))).toEqual([true, true, true]);
  const others = ['<svg onload="alert(1)">', '<!doctype html>', '%PDF-1.7', 'MZ', '', '\x00\x00\x00\x18ftypisom'];
  expect(others.filter(text => beginsAsPicture(bytesOf(text)))).toEqual([]);
});
