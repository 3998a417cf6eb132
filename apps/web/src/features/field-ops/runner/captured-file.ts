import { Failure } from '@cairn/base/failure.ts';
import { sha256Hex } from '../../../shared/media/picture-facts.ts';
import type { CapturedPhoto } from '../../../shared/media/captured-photo.ts';
import type { FileKind } from '../answers/file-answer.tsx';

/** bytes; what a phone keeps in its database in one piece without trouble. */
const MAX_BYTES = 50_000_000;

/**
 * Reads and hashes a sound, film or file as it is, before any transaction is open.
 *
 * @throws {Failure} `invalid` when it is empty, too large or not of its kind
 */
export async function captureFile(file: File, kind: FileKind): Promise<CapturedPhoto> {
  const fits = kind === 'file' || file.type.startsWith(`${kind}/`);
  if (file.size === 0 || file.size > MAX_BYTES || !fits) {
    throw new Failure('invalid', `captureFile: ${file.size} bytes of ${file.type || 'unknown'} for ${kind}`);
  }
  const bytes = await file.arrayBuffer();
  const mime = file.type || 'application/octet-stream';
  return { bytes, mime, sha256: await sha256Hex(bytes), width: null, height: null };
}
