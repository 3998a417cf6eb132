import { blankPosition } from './exif-position.ts';

/** Letters of a piece of the file, one for each byte. */
const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const EXIF = 'Exif\0\0';
/** A place in Adobe's metadata: `exif:GPSLatitude="52,30.1N"` or the same as an element. */
const XMP_POSITION = /exif:GPS\w+\s*=\s*(["'])[^"']*\1|(<exif:GPS(\w+)[^>]*>)[^<]*(?=<\/exif:GPS\3>)/g;
const MAX_TEXT_BYTES = 65_536;

/** Blanks positions in XMP between two offsets; lengths stay. */
function blankXmp(bytes: Uint8Array, from: number, to: number): boolean {
  let found = false;
  // Windows overlap, so that none cuts a position in two.
  for (let start = from; start < to; start += MAX_TEXT_BYTES / 2) {
    const text = textAt(bytes, start, Math.min(MAX_TEXT_BYTES, to - start));
    for (const match of text.matchAll(XMP_POSITION)) {
      const keep = match[2]?.length ?? 0;
      bytes.fill(32, start + match.index + keep, start + match.index + match[0].length);
      found = true;
    }
  }
  return found;
}

const u16 = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
const u32 = (bytes: Uint8Array, at: number): number => u16(bytes, at) * 65_536 + u16(bytes, at + 2);
const u32Little = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at, true);

/** Segments up to the picture itself (ITU T.81, B.1.1): Exif and XMP travel in APP1. */
function stripJpeg(bytes: Uint8Array): boolean {
  let found = false;
  let at = 2;
  while (at + 4 <= bytes.length && bytes[at] === 0xff && bytes[at + 1] !== 0xda) {
    const end = Math.min(at + 2 + u16(bytes, at + 2), bytes.length);
    if (bytes[at + 1] === 0xe1) {
      const isExif = textAt(bytes, at + 4, EXIF.length) === EXIF;
      found = (isExif ? blankPosition(bytes, at + 10, end) : blankXmp(bytes, at + 4, end)) || found;
    }
    at = end;
  }
  return found;
}

/** CRC-32 of PNG (ISO 3309, polynomial 0xedb88320). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}

function stripPng(bytes: Uint8Array): boolean {
  let found = false;
  for (let at = 8; at + 12 <= bytes.length; at += 12 + u32(bytes, at)) {
    const end = at + 8 + u32(bytes, at);
    if (end + 4 > bytes.length) break;
    const type = textAt(bytes, at + 4, 4);
    const changed =
      (type === 'eXIf' && blankPosition(bytes, at + 8, end)) || (type === 'iTXt' && blankXmp(bytes, at + 8, end));
    if (!changed) continue;
    found = true;
    new DataView(bytes.buffer, bytes.byteOffset).setUint32(end, crc32(bytes.subarray(at + 4, end)));
  }
  return found;
}

function stripWebp(bytes: Uint8Array): boolean {
  let found = false;
  for (let at = 12; at + 8 <= bytes.length;) {
    const size = u32Little(bytes, at + 4);
    const [start, end] = [at + 8, Math.min(at + 8 + size, bytes.length)];
    const type = textAt(bytes, at, 4);
    const tiff = textAt(bytes, start, EXIF.length) === EXIF ? start + EXIF.length : start;
    if (type === 'EXIF') found = blankPosition(bytes, tiff, end) || found;
    if (type === 'XMP ') found = blankXmp(bytes, start, end) || found;
    at = start + size + (size % 2);
  }
  return found;
}

/** HEIC and AVIF: the Exif item begins as in a JPEG and may lie anywhere, so it is looked for. */
function stripHeif(bytes: Uint8Array): boolean {
  let found = false;
  for (let at = bytes.indexOf(0x45); at !== -1; at = bytes.indexOf(0x45, at + 1)) {
    if (textAt(bytes, at, EXIF.length) === EXIF) found = blankPosition(bytes, at + EXIF.length, bytes.length) || found;
  }
  const xmp = xmpIn(bytes);
  return (xmp !== null && blankXmp(bytes, xmp.from, xmp.to)) || found;
}

function xmpIn(bytes: Uint8Array): { from: number; to: number } | null {
  for (let at = bytes.indexOf(0x3c); at !== -1; at = bytes.indexOf(0x3c, at + 1)) {
    if (textAt(bytes, at, 10) === '<x:xmpmeta') return { from: at, to: Math.min(at + MAX_TEXT_BYTES, bytes.length) };
  }
  return null;
}

function stripIn(bytes: Uint8Array): boolean {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return stripJpeg(bytes);
  if (textAt(bytes, 1, 3) === 'PNG') return stripPng(bytes);
  if (textAt(bytes, 8, 4) === 'WEBP') return stripWebp(bytes);
  if (textAt(bytes, 4, 4) === 'ftyp') return stripHeif(bytes);
  return blankPosition(bytes, 0, bytes.length);
}

/**
 * A picture without the position its camera wrote into it; everything else, the picture itself included, stays byte for
 * byte, and so does its length. Knows Exif and XMP in JPEG, PNG, WebP, HEIC, AVIF and TIFF.
 *
 * @returns the same bytes where there was no position, else a copy
 */
export function stripLocation(bytes: ArrayBuffer): ArrayBuffer {
  const copy = new Uint8Array(bytes.slice(0));
  return stripIn(copy) ? copy.buffer : bytes;
}
