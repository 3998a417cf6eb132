import type { LocalDatabase } from './database.ts';
import { keyAt, keyOf, type RecordKey } from './record-key.ts';
import { emptyRecord } from './record.ts';
import { BYTES } from './stored.ts';

/** A confirmed file stays on the device this long (ms) before it is freed for room. */
export const FREE_SENT_FILES_AFTER_MS = 7 * 24 * 60 * 60 * 1000;
/** What went from this device stays this long (ms) whatever limit its person chose: the last backup may be from before it. */
export const SENT_FILES_GRACE_MS = 24 * 60 * 60 * 1000;

/**
 * Frees the bytes of files the server has confirmed; files that wait for upload, or were made available offline, are never
 * touched.
 *
 * @param confirmedBefore ms since 1970: only those confirmed before
 * @returns how many files were freed
 */
export async function freeSentFiles(db: LocalDatabase, confirmedBefore: number): Promise<number> {
  const tx = await db.transaction(['media'], 'readwrite');
  let freed = 0;
  for (let cursor = await tx.objectStore('media').openCursor(); cursor; cursor = await cursor.continue()) {
    const { type, isDirty, lastSync, data } = cursor.value;
    if (type !== BYTES || isDirty || data['kept'] || lastSync === null || lastSync > confirmedBefore) continue;
    await cursor.delete();
    freed += 1;
  }
  await tx.done;
  return freed;
}

type FreeableFile = { key: RecordKey; at: number; bytes: number; isOurs: boolean };

/**
 * What the server has and this device can fetch again, the longest received first; after all of it what went from here: a server
 * that comes out of an older backup has it from nowhere else (docs/restore.md).
 */
async function freeable(db: LocalDatabase): Promise<FreeableFile[]> {
  const tx = await db.transaction(['media'], 'readonly');
  const found: FreeableFile[] = [];
  for (let cursor = await tx.objectStore('media').openCursor(); cursor; cursor = await cursor.continue()) {
    const { type, isDirty, lastSync, data } = cursor.value;
    const isFree = type === BYTES && !isDirty && !data['kept'] && lastSync !== null;
    if (!isFree || !(data['bytes'] instanceof ArrayBuffer)) continue;
    const isOurs = data['sent'] === true;
    found.push({ key: keyOf(cursor.value), at: lastSync, bytes: data['bytes'].byteLength, isOurs });
  }
  return found.toSorted((a, b) => Number(a.isOurs) - Number(b.isOurs) || a.at - b.at);
}

/**
 * Makes room for `bytes`: frees files the server has confirmed, no more of them than it takes, in the order of `freeable`.
 * Files that wait for upload are never touched.
 *
 * @returns bytes freed
 */
export async function freeSpace(db: LocalDatabase, bytes: number): Promise<number> {
  const files = await freeable(db);
  const tx = await db.transaction(['media'], 'readwrite');
  let freed = 0;
  for (const file of files) {
    if (freed >= bytes) break;
    // Chosen outside this transaction: another tab may be sending it anew.
    const present = await tx.objectStore('media').get(file.key);
    if (!present || present.isDirty || present.data['kept']) continue;
    await tx.objectStore('media').delete(file.key);
    freed += file.bytes;
  }
  await tx.done;
  return freed;
}

/** Keeps a downloaded file so that it opens offline next time; unless its row has left the device while it came. */
export async function keepFile(
  db: LocalDatabase,
  file: { owner: string; id: string; bytes: ArrayBuffer; now: number },
) {
  const tx = await db.transaction(['media'], 'readwrite');
  const media = tx.objectStore('media');
  if ((await media.count(keyAt(file.owner, 'media', file.id))) === 0) return;
  const record = {
    ...emptyRecord(file.owner, 'media', file.id),
    type: BYTES,
    data: { bytes: file.bytes },
    lastSync: file.now,
  };
  await media.put(record, keyOf(record));
  await tx.done;
}
