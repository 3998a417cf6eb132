const startsWith = (bytes: Buffer, text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text;

const isIso = (bytes: Buffer, brands: string[]) =>
  startsWith(bytes, 'ftyp', 4) && brands.includes(bytes.toString('latin1', 8, 12));

const HEIF = ['heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'];

/** How each type of image begins. Source: the formats' own specifications (JPEG SOI, PNG signature, RIFF, ISO-BMFF brands). */
const BEGINNINGS: Record<string, (bytes: Buffer) => boolean> = {
  'image/jpeg': bytes => startsWith(bytes, '\xff\xd8\xff'),
  'image/jpg': bytes => startsWith(bytes, '\xff\xd8\xff'),
  'image/png': bytes => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  'image/gif': bytes => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  'image/webp': bytes => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
  'image/bmp': bytes => startsWith(bytes, 'BM'),
  'image/tiff': bytes => startsWith(bytes, 'II*\0') || startsWith(bytes, 'MM\0*'),
  'image/avif': bytes => isIso(bytes, ['avif', 'avis', 'mif1']),
  'image/heic': bytes => isIso(bytes, HEIF),
  'image/heif': bytes => isIso(bytes, HEIF),
};

/** Whether bytes begin as their type says; true for a type whose beginning is not known (SVG is text). */
export function beginsAs(mimetype: string, bytes: Buffer): boolean {
  const type = mimetype.split(';')[0]?.trim().toLowerCase() ?? '';
  return BEGINNINGS[type]?.(bytes) ?? true;
}

/** How many bytes `beginsAs` looks at. */
export const BEGINNING_BYTES = 16;
