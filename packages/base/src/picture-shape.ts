/** A picture as its bytes describe it. */
export type PictureShape = {
  mime: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/heic' | 'image/avif';
  /** px */
  width: number;
  /** px */
  height: number;
  /** bytes from the beginning up to where the picture ends; what stands behind is no part of it */
  end: number;
};

type ShapeParser = (bytes: Uint8Array) => PictureShape | null;

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4));

/** Markers of a JPEG that begin a frame: they say how large it is (ITU T.81, table B.1). */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** Markers that stand alone. */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7);

/** Behind a scan's header its data goes on to the next marker; 0xFF00 and restarts are data. */
function afterScan(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at + 1 < bytes.length) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && next !== 0xff && !isBare(next)) return at;
    at += 1;
  }
  return bytes.length;
}

const jpeg: ShapeParser = bytes => {
  const view = viewOf(bytes);
  let size = { width: 0, height: 0 };
  let at = 2;
  while (at + 4 <= bytes.length || (bytes[at] === 0xff && bytes[at + 1] === 0xd9)) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xd9) return { mime: 'image/jpeg', ...size, end: at + 2 };
    if (marker === 0xff) at += 1;
    else if (isBare(marker)) at += 2;
    else {
      const length = view.getUint16(at + 2);
      if (isFrame(marker) && at + 9 <= bytes.length)
        size = { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
      at += 2 + length;
      if (marker === 0xda) at = afterScan(bytes, at);
    }
  }
  return null;
};

const png: ShapeParser = bytes => {
  const view = viewOf(bytes);
  if (bytes.length < 33 || textAt(bytes, 12) !== 'IHDR') return null;
  const size = { width: view.getUint32(16), height: view.getUint32(20) };
  let at = 8;
  while (at + 12 <= bytes.length) {
    const end = at + 12 + view.getUint32(at);
    if (end > bytes.length) return null;
    if (textAt(bytes, at + 4) === 'IEND') return { mime: 'image/png', ...size, end };
    at = end;
  }
  return null;
};

/** Little-endian, 24 bits. */
const threeBytes = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

/** Source: RFC 9649 (WebP), 2.5 to 2.7. */
const webp: ShapeParser = bytes => {
  if (bytes.length < 30) return null;
  const view = viewOf(bytes);
  const length = view.getUint32(4, true);
  const end = 8 + length + (length % 2);
  const whole = (width: number, height: number): PictureShape => ({ mime: 'image/webp', width, height, end });
  if (end > bytes.length) return null;
  switch (textAt(bytes, 12)) {
    case 'VP8X':
      return whole(threeBytes(bytes, 24) + 1, threeBytes(bytes, 27) + 1);
    case 'VP8L': {
      const packed = view.getUint32(21, true);
      return whole((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
    }
    case 'VP8 ':
      return whole(view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff);
    default:
      return null;
  }
};

/** The largest picture a `meta` box speaks of: its `ispe` boxes give width and height (ISO/IEC 23008-12, 6.5.3). */
function largestIn(bytes: Uint8Array, from: number, to: number): { width: number; height: number } {
  const view = viewOf(bytes);
  const size = { width: 0, height: 0 };
  for (let at = from; at + 16 <= to; at += 1) {
    if (bytes[at] !== 0x69 || textAt(bytes, at) !== 'ispe') continue;
    size.width = Math.max(size.width, view.getUint32(at + 8));
    size.height = Math.max(size.height, view.getUint32(at + 12));
  }
  return size;
}

const isobmff: ShapeParser = bytes => {
  const view = viewOf(bytes);
  const mime = textAt(bytes, 8).startsWith('avi') ? 'image/avif' : 'image/heic';
  let size = { width: 0, height: 0 };
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = view.getUint32(at);
    // 0 and 1 stand for lengths no phone writes around a photo.
    if (length < 8 || at + length > bytes.length || !/^[a-z]{4}$/.test(textAt(bytes, at + 4))) break;
    if (textAt(bytes, at + 4) === 'meta') size = largestIn(bytes, at + 8, at + length);
    at += length;
  }
  return { mime, ...size, end: at };
};

const READERS: readonly (readonly [begins: (bytes: Uint8Array) => boolean, read: ShapeParser])[] = [
  [bytes => bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff, jpeg],
  [bytes => textAt(bytes, 0) === '\x89PNG' && textAt(bytes, 4) === '\r\n\x1a\n', png],
  [bytes => textAt(bytes, 0) === 'RIFF' && textAt(bytes, 8) === 'WEBP', webp],
  [bytes => textAt(bytes, 4) === 'ftyp' && /^(hei[cxms]|hev[cx]|mif1|msf1|avi[fs])$/.test(textAt(bytes, 8)), isobmff],
];

/** px; a screen that draws more than this needs more memory than a phone has. */
export const MAX_PIXELS = 100_000_000;

/**
 * What a photo is, read from its structure without drawing it: type, size and where it ends. Null for whatever is not a whole
 * JPEG, PNG, WebP, HEIC or AVIF, and for one that would fill the memory of whoever opens it (more than 100 megapixels).
 */
export function pictureShape(bytes: Uint8Array): PictureShape | null {
  const read = READERS.find(([begins]) => begins(bytes))?.[1];
  const shape = read?.(bytes) ?? null;
  if (!shape || shape.width === 0 || shape.height === 0) return null;
  return shape.width * shape.height <= MAX_PIXELS ? shape : null;
}
