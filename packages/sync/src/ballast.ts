import type { LocalDatabase } from './database.ts';
import { keyAt, keyOf } from './record-key.ts';
import { freshRecord } from './record.ts';
import { DEVICE } from './stored.ts';

const BALLAST = 'ballast';
const PLACE = keyAt(DEVICE, BALLAST, BALLAST);
/** What chance gives at once. */
const BLOCK = 65_536;

/** Bytes no storage can squeeze. */
function incompressible(bytes: number): ArrayBuffer {
  const block = crypto.getRandomValues(new Uint8Array(Math.min(BLOCK, bytes)));
  const all = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += block.length) all.set(block.subarray(0, bytes - at), at);
  return all.buffer;
}

/**
 * Takes room that is given back when the storage is full, so that words can be saved even then. Once it lies there this
 * does nothing.
 */
export async function layBallast(db: LocalDatabase, bytes: number): Promise<void> {
  const look = await db.transaction(['media'], 'readonly');
  if (bytes === 0 || (await look.objectStore('media').count(PLACE)) > 0) return;
  const record = { ...freshRecord(DEVICE, 'media', BALLAST), type: BALLAST, data: { bytes: incompressible(bytes) } };
  const tx = await db.transaction(['media'], 'readwrite');
  await tx.objectStore('media').put(record, keyOf(record));
  await tx.done;
}

/** Gives the room back. @returns whether there was any */
export async function dropBallast(db: LocalDatabase): Promise<boolean> {
  const tx = await db.transaction(['media'], 'readwrite');
  const isThere = (await tx.objectStore('media').count(PLACE)) > 0;
  if (isThere) await tx.objectStore('media').delete(PLACE);
  await tx.done;
  return isThere;
}
