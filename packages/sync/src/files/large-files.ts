import { Failure } from '@cairn/base/failure.ts';
import { isDomError } from '../transport/abandon.ts';
import { BackendError, type Backend } from '../transport/backend.ts';
import { patienceFor, withDeadline } from '../transport/deadline.ts';
import { downloadFailure } from '../transport/download-failure.ts';
import { dropHeld, HEADS, CHUNKS, heldFiles, type HeldFile, type DeviceScope, type LargeFile } from './held-files.ts';
import type { Platform } from '../transport/platform.ts';
import { keyAt } from '../store/record-key.ts';

export type KeepPlace = DeviceScope & {
  platform: Pick<Platform, 'clock' | 'storageLeft' | 'reserveBytes'>;
  backend: Backend;
};

/** bytes; a tile is read from one of them, and a line that breaks costs at most one. */
export const HELD_CHUNK_BYTES = 1024 * 1024;
/** bytes; all large files of one person on one device together: words and photos need the rest. */
export const MAX_HELD_BYTES = 300_000_000;
const DIGITS = 5;

const headName = (id: string): string => HEADS + id;
const chunkName = (id: string, number: number): string => `${CHUNKS}${id}/${String(number).padStart(DIGITS, '0')}`;

/** Whether the row of the file is on this device: most come with it, some a moment before. */
async function hasRow({ db, owner }: DeviceScope, id: string): Promise<boolean> {
  const media = (await db.transaction(['media'], 'readonly')).objectStore('media');
  return (await media.count(keyAt(owner, 'media', id))) > 0;
}

/** What is known of a file as it is being fetched. */
type FetchState = { held: HeldFile; hadRow: boolean };

/** Puts one piece behind those that are here, and notes it, in one transaction. */
async function putChunk({ db, owner }: DeviceScope, id: string, { held, hadRow }: FetchState, bytes: ArrayBuffer) {
  const next: HeldFile = { ...held, have: held.have + bytes.byteLength };
  const tx = await db.transaction(['meta', 'media'], 'readwrite');
  const meta = tx.objectStore('meta');
  // Rights may have gone while it came, and what was here of it with them.
  if (hadRow && (await tx.objectStore('media').count(keyAt(owner, 'media', id))) === 0)
    throw new Failure('not_found', `keep: ${id} is gone`);
  const number = held.have / HELD_CHUNK_BYTES;
  try {
    await Promise.all([
      meta.put({ owner, name: chunkName(id, number), value: bytes }),
      meta.put({ owner, name: headName(id), value: next }),
      tx.done,
    ]);
  } catch (cause) {
    if (!isDomError(cause, 'QuotaExceededError')) throw cause;
    throw new Failure('storage_full', `keep: no room for piece ${number} of ${id}`, { cause });
  }
  return next;
}

/** @throws {Failure} `storage_full` */
async function requireSpace(place: KeepPlace, file: LargeFile, missing: number): Promise<void> {
  const others = [...(await heldFiles(place))].filter(([id]) => id !== file.id);
  const together = others.reduce((sum, [, { size }]) => sum + size, file.size);
  // The end of the storage is for words; what can be fetched again takes none of it.
  const left = await place.platform.storageLeft();
  if (together > MAX_HELD_BYTES || left < missing + 2 * place.platform.reserveBytes)
    throw new Failure('storage_full', `keep: ${file.id} needs ${missing} bytes`);
}

async function fetchChunk(place: KeepPlace, file: LargeFile, offset: number, signal: AbortSignal) {
  const length = Math.min(HELD_CHUNK_BYTES, file.size - offset);
  const part = { organizationId: file.organizationId, mediaId: file.id, offset, length };
  const bytes = await withDeadline(place.platform.clock, signal, patienceFor(length), inner =>
    place.backend.downloadPart(part, inner),
  );
  if (bytes.byteLength !== length) throw new BackendError('network', `keep: ${bytes.byteLength} of ${length} bytes`);
  return bytes;
}

/**
 * Fetches a file piece by piece from where it broke off, and keeps each as it comes.
 *
 * @param onProgress told how many bytes are here: at once, then with each piece
 * @throws {Failure} `storage_full` where there is no room; `offline` where the line broke; `not_found` where the server has
 * no such file for this person
 */
export async function keepLargeFile(
  place: KeepPlace,
  file: LargeFile,
  { onProgress, signal }: { onProgress: (have: number) => void; signal: AbortSignal },
): Promise<void> {
  const before = (await heldFiles(place)).get(file.id);
  let held = before?.size === file.size ? before : { size: file.size, have: 0 };
  onProgress(held.have);
  await requireSpace(place, file, file.size - held.have);
  const hadRow = await hasRow(place, file.id);
  while (held.have < file.size) {
    signal.throwIfAborted();
    const offset = held.have;
    const bytes = await fetchChunk(place, file, offset, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      throw downloadFailure(error);
    });
    held = await putChunk(place, file.id, { held, hadRow }, bytes);
    onProgress(held.have);
  }
}

/**
 * Some bytes of a file that is here; fewer where it ends.
 *
 * @throws {Failure} `not_found` where not all of them are here
 */
export async function readHeld(
  { db, owner }: DeviceScope,
  id: string,
  { offset, length }: { offset: number; length: number },
): Promise<ArrayBuffer> {
  const meta = (await db.transaction(['meta'], 'readonly')).objectStore('meta');
  const head = (await meta.get([owner, headName(id)]))?.value as HeldFile | undefined;
  const end = Math.min(offset + length, head?.size ?? 0);
  if (!head || head.have < end) throw new Failure('not_found', `read: ${id} is not here up to ${end}`);
  const found = new Uint8Array(Math.max(end - offset, 0));
  for (let at = offset; at < end;) {
    const number = Math.floor(at / HELD_CHUNK_BYTES);
    const chunk = (await meta.get([owner, chunkName(id, number)]))?.value as ArrayBuffer | undefined;
    if (!chunk) throw new Failure('not_found', `read: piece ${number} of ${id} is gone`);
    const from = at - number * HELD_CHUNK_BYTES;
    const part = new Uint8Array(chunk, from, Math.min(chunk.byteLength - from, end - at));
    found.set(part, at - offset);
    at += part.byteLength;
  }
  return found.buffer;
}

/** Lets a file go; what is not here is no error. */
export async function forgetLargeFile({ db, owner }: DeviceScope, id: string): Promise<void> {
  const tx = await db.transaction(['meta'], 'readwrite');
  await Promise.all([dropHeld(tx, owner, id), tx.done]);
}
