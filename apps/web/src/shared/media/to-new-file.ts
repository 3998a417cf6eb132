import { BEGINNING_BYTES, beginsAsPicture } from '@cairn/base/file-beginning.ts';
import { newId } from '@cairn/base/id.ts';
import type { NewFile } from '@cairn/core/media/keep-file.ts';
import type { Store } from '@cairn/sync/store.ts';
import { asWished, photoWishes } from './photo-wishes.ts';
import { sha256Hex, sizeOf } from './picture-facts.ts';

/** Reads and hashes a picked file before a write, in which nothing else may be awaited; a photo as its owner wants photos kept. */
export async function toNewFile(store: Store, file: File): Promise<NewFile> {
  const beginning = new Uint8Array(await file.slice(0, BEGINNING_BYTES).arrayBuffer());
  const kept = beginsAsPicture(beginning)
    ? await asWished(file, await photoWishes(store))
    : { bytes: await file.arrayBuffer(), mime: file.type || 'application/octet-stream' };
  const sha256 = await sha256Hex(kept.bytes);
  const size = await sizeOf(new Blob([kept.bytes], { type: kept.mime }));
  return { id: newId(), ...kept, sha256, ...size };
}
