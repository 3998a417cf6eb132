import { isPictureType } from '@cairn/base/file-beginning.ts';
import { Failure } from '@cairn/base/failure.ts';
import type { Draft } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';
import { MAX_FILE_BYTES } from './file-limits.ts';

export type NewFile = {
  /** A fresh id. */
  id: string;
  bytes: ArrayBuffer;
  /** e.g. image/jpeg, application/pdf */
  mime: string;
  /** Hex, over `bytes`. Worked out before the write: nothing else may be awaited in it. */
  sha256: string;
  /** px; null for what is no picture. */
  width: number | null;
  height: number | null;
};

/** Whose it is, what it belongs to, and when it was made (`captured_at`: device time, ISO 8601). */
export type FilePlace = Omit<Draft<'media'>, 'id' | 'kind' | 'mime' | 'bytes' | 'sha256' | 'width' | 'height'>;

/**
 * Keeps a photo or another file on the device, and queues it for the server.
 *
 * @throws {Failure} `invalid` for an empty file, and for one larger than the server takes
 */
export async function keepFile(tx: WriteTx, file: NewFile, place: FilePlace): Promise<void> {
  const size = file.bytes.byteLength;
  if (size === 0 || size > MAX_FILE_BYTES) throw new Failure('invalid', `keepFile: ${file.id} has ${size} bytes`);
  await tx.put('media', {
    ...place,
    id: file.id,
    // A drawing that may hold a script is a file.
    kind: isPictureType(file.mime) ? 'photo' : 'file',
    mime: file.mime,
    bytes: size,
    sha256: file.sha256,
    width: file.width,
    height: file.height,
  });
  await tx.putBytes(file.id, file.bytes);
}
