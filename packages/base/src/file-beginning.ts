const has = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Array.from(text).every((char, index) => bytes[at + index] === char.charCodeAt(0));

const isIso = (bytes: Uint8Array, brands: readonly string[]): boolean =>
  has(bytes, 'ftyp', 4) && brands.some(brand => has(bytes, brand, 8));

type SignatureCheck = (bytes: Uint8Array) => boolean;

const jpeg: SignatureCheck = bytes => has(bytes, '\xff\xd8\xff');
const heif: SignatureCheck = bytes => isIso(bytes, ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1']);
const video: SignatureCheck = bytes => has(bytes, 'ftyp', 4) || has(bytes, 'moov', 4) || has(bytes, 'wide', 4);
const matroska: SignatureCheck = bytes => has(bytes, '\x1a\x45\xdf\xa3');
const zip: SignatureCheck = bytes => has(bytes, 'PK\x03\x04') || has(bytes, 'PK\x05\x06');

/** How each type of picture begins. Source: the formats' own specifications (JPEG SOI, PNG signature, RIFF, ISO-BMFF brands). */
const PICTURES: Record<string, SignatureCheck> = {
  'image/jpeg': jpeg,
  'image/jpg': jpeg,
  'image/png': bytes => has(bytes, '\x89PNG\r\n\x1a\n'),
  'image/gif': bytes => has(bytes, 'GIF87a') || has(bytes, 'GIF89a'),
  'image/webp': bytes => has(bytes, 'RIFF') && has(bytes, 'WEBP', 8),
  'image/bmp': bytes => has(bytes, 'BM'),
  'image/tiff': bytes => has(bytes, 'II*\0') || has(bytes, 'MM\0*'),
  'image/avif': bytes => isIso(bytes, ['avif', 'avis', 'mif1']),
  'image/heic': heif,
  'image/heif': heif,
};

const OTHERS: Record<string, SignatureCheck> = {
  'application/pdf': bytes => has(bytes, '%PDF-'),
  'application/zip': zip,
  'application/vnd.pmtiles': bytes => has(bytes, 'PMTiles\x03'),
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': zip,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': zip,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': zip,
  'video/mp4': video,
  'video/quicktime': video,
  'video/webm': matroska,
  'audio/webm': matroska,
  'audio/mp4': video,
  'audio/ogg': bytes => has(bytes, 'OggS'),
  'audio/wav': bytes => has(bytes, 'RIFF') && has(bytes, 'WAVE', 8),
};

const KNOWN: Record<string, SignatureCheck> = { ...PICTURES, ...OTHERS };

const plainType = (mimetype: string): string => mimetype.split(';')[0]?.trim().toLowerCase() ?? '';

/** Whether this is a type a photo may have: pictures that hold no script. `inspection.is_picture_type` in SQL holds the same list. */
export const isPictureType = (mimetype: string): boolean => Object.hasOwn(PICTURES, plainType(mimetype));

/** How many bytes the questions below look at. */
export const BEGINNING_BYTES = 16;

/** Whether bytes begin as their type says; true for a type whose beginning is not known (SVG is text). */
export function beginsAs(mimetype: string, bytes: Uint8Array): boolean {
  return KNOWN[plainType(mimetype)]?.(bytes) ?? true;
}

/** Whether bytes begin as a picture of any format that is known: phones call a HEIC a JPEG now and then. */
export const beginsAsPicture = (bytes: Uint8Array): boolean => Object.values(PICTURES).some(begins => begins(bytes));

/** What a browser is told bytes are, by the bytes alone; null for what is no picture of a format that is known. */
export const pictureTypeOf = (bytes: Uint8Array): string | null =>
  Object.entries(PICTURES).find(([, begins]) => begins(bytes))?.[0] ?? null;
