import type { LocalDatabase } from './database.ts';
import { keyOf } from './record-key.ts';
import { freshRecord } from './record.ts';
import { BYTES } from './stored.ts';

/** A confirmed file stays on the device this long (ms) before it is freed for room. */
export const KEEP_SENT_FILES = 7 * 24 * 60 * 60 * 1000;

/**
 * Frees the bytes of files the server has confirmed; files that wait for upload are never touched.
 *
 * @param confirmedBefore ms since 1970: only those confirmed before
 * @returns how many files were freed
 */
export async function freeSentFiles(db: LocalDatabase, confirmedBefore: number): Promise<number> {
  const tx = await db.transaction(['media'], 'readwrite');
  let freed = 0;
  for (let cursor = await tx.objectStore('media').openCursor(); cursor; cursor = await cursor.continue()) {
    const { type, isDirty, lastSync } = cursor.value;
    if (type !== BYTES || isDirty || lastSync === null || lastSync > confirmedBefore) continue;
    await cursor.delete();
    freed += 1;
  }
  await tx.done;
  return freed;
}

/** Keeps a downloaded file so that it opens offline next time. */
export async function keepFile(
  db: LocalDatabase,
  file: { owner: string; id: string; bytes: ArrayBuffer; now: number },
) {
  const tx = await db.transaction(['media'], 'readwrite');
  const record = {
    ...freshRecord(file.owner, 'media', file.id),
    type: BYTES,
    data: { bytes: file.bytes },
    lastSync: file.now,
  };
  await tx.objectStore('media').put(record, keyOf(record));
  await tx.done;
}
