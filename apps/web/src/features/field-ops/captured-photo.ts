import { Failure } from '@cairn/base/failure.ts';
import { sha256Hex, sizeOf } from '../../shared/picture-facts.ts';

/** A picture exactly as the camera gave it: the bytes are never re-encoded, so their hash is the original's. */
export type CapturedPhoto = {
  bytes: ArrayBuffer;
  mime: string;
  /** SHA-256 of the bytes, hex. */
  sha256: string;
  /** px; null where this browser cannot read the format (HEIC on a computer). */
  width: number | null;
  height: number | null;
};

/** bytes; the largest phone cameras stay under half of it. */
const MAX_BYTES = 50_000_000;

/**
 * Reads and hashes a picked or taken picture, before any transaction is open.
 *
 * @throws {Failure} `invalid` when it is empty, too large or no picture
 */
export async function capturePhoto(file: File): Promise<CapturedPhoto> {
  if (file.size === 0) throw new Failure('invalid', 'capturePhoto: empty file');
  if (file.size > MAX_BYTES) throw new Failure('invalid', `capturePhoto: ${file.size} bytes`);
  if (!file.type.startsWith('image/')) throw new Failure('invalid', `capturePhoto: type ${file.type || 'unknown'}`);
  const bytes = await file.arrayBuffer();
  const [sha256, size] = await Promise.all([sha256Hex(bytes), sizeOf(file)]);
  return { bytes, mime: file.type, sha256, ...size };
}
