import { Failure } from '@cairn/base/failure.ts';
import { BEGINNING_BYTES, beginsAsPicture } from '@cairn/base/file-beginning.ts';
import { MAX_PHOTO_BYTES } from '@cairn/core/media/file-limits.ts';
import { asWished, type PhotoWishes } from './photo-wishes.ts';
import { sha256Hex, sizeOf } from './picture-facts.ts';

/** A picture as it is kept: by default every byte of the camera's but the place, see `PhotoWishes`. */
export type CapturedPhoto = {
  bytes: ArrayBuffer;
  mime: string;
  /** SHA-256 of the bytes, hex. */
  sha256: string;
  /** px; null where this browser cannot read the format (HEIC on a computer). */
  width: number | null;
  height: number | null;
};

/**
 * Reads and hashes a picked or taken picture, before any transaction is open.
 *
 * @throws {Failure} `invalid` when it is empty, too large or no picture
 */
export async function capturePhoto(file: File, wishes: PhotoWishes): Promise<CapturedPhoto> {
  if (file.size === 0) throw new Failure('invalid', 'capturePhoto: empty file');
  if (file.size > MAX_PHOTO_BYTES) throw new Failure('invalid', `capturePhoto: ${file.size} bytes`);
  const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  // The server asks the bytes too: what would be refused there is refused while the thing is still in front of the camera.
  if (!beginsAsPicture(beginning)) throw new Failure('invalid', `capturePhoto: type ${file.type || 'unknown'}`);
  const { bytes, mime } = await asWished(file, wishes);
  const [sha256, size] = await Promise.all([sha256Hex(bytes), sizeOf(new Blob([bytes], { type: mime }))]);
  return { bytes, mime, sha256, ...size };
}
