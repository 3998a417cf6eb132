import type { SyncEngine } from '@cairn/sync/engine/engine.ts';

/**
 * Bytes of a file: from what is kept on this device for good, else as any file, which is fetched once.
 *
 * @throws {Failure} `offline`, `not_found` where they cannot be had now
 */
export async function fileBytes(
  { largeFiles: kept, file }: Pick<SyncEngine, 'largeFiles' | 'file'>,
  { id, bytes }: { id: string; bytes: number },
): Promise<ArrayBuffer> {
  const held = (await kept.held()).get(id);
  return held && held.size === bytes && held.have === bytes ? kept.read(id, 0, bytes) : file(id);
}
