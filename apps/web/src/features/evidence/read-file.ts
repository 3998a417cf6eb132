import { Failure } from '@cairn/base/failure.ts';
import { BEGINNING_BYTES, beginsAs, beginsAsPicture } from '@cairn/base/file-beginning.ts';
import { newId } from '@cairn/base/id.ts';
import type { EvidenceFile } from '@cairn/core/evidence/collect-evidence.ts';
import { MAX_FILE_BYTES } from '@cairn/core/media/file-limits.ts';
import { asWished, type PhotoWishes } from '../../shared/media/photo-wishes.ts';
import { sha256Hex, sizeOf } from '../../shared/media/picture-facts.ts';

/**
 * Reads and hashes a picked file, before any transaction is open. A picture loses its place as everywhere.
 *
 * @throws {Failure} `invalid` when it is empty, too large, or does not begin as its type says
 */
export async function readEvidenceFile(file: File, wishes: PhotoWishes): Promise<EvidenceFile> {
  const type = file.type || 'application/octet-stream';
  const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  const isPicture = type.startsWith('image/') && beginsAsPicture(beginning);
  if (file.size === 0 || file.size > MAX_FILE_BYTES || !(isPicture || beginsAs(type, beginning)))
    throw new Failure('invalid', `readEvidenceFile: ${file.size} bytes of ${type}`);
  const kept = isPicture ? await asWished(file, wishes) : { bytes: await file.arrayBuffer(), mime: type };
  const [sha256, size] = await Promise.all([
    sha256Hex(kept.bytes),
    isPicture ? sizeOf(new Blob([kept.bytes], { type: kept.mime })) : { width: null, height: null },
  ]);
  return { id: newId(), name: file.name, ...kept, sha256, ...size };
}
