import { deleteDB, openDB, type DBSchema, type IDBPDatabase } from 'idb';
import { unlessFull } from '../transport/abandon.ts';
import type { LocalDatabase } from './database.ts';

/** What chance gives at once. */
const BLOCK = 65_536;

interface ReserveDatabase extends DBSchema {
  reserve: { key: number; value: { bytes: ArrayBuffer } };
}
const KEY = 1;

/**
 * A database of its own, whose value nobody ever reads: Chromium keeps the bytes of what a page has read until its memory is
 * collected, and gives their room back no sooner. Deleted as a whole, unread, it comes back at once.
 */
const nameOf = ({ name }: LocalDatabase): string => `${name}_reserve`;

/** Bytes no storage can squeeze. */
function incompressible(bytes: number): ArrayBuffer {
  const block = crypto.getRandomValues(new Uint8Array(Math.min(BLOCK, bytes)));
  const all = new Uint8Array(bytes);
  for (let at = 0; at < bytes; at += block.length) all.set(block.subarray(0, bytes - at), at);
  return all.buffer;
}

async function opened<A>(db: LocalDatabase, work: (reserve: IDBPDatabase<ReserveDatabase>) => Promise<A>): Promise<A> {
  const reserve = await openDB<ReserveDatabase>(nameOf(db), 1, {
    upgrade: made => void made.createObjectStore('reserve'),
  });
  try {
    return await work(reserve);
  } finally {
    reserve.close();
  }
}

const isAllocated = (reserve: IDBPDatabase<ReserveDatabase>): Promise<boolean> =>
  reserve.count('reserve').then(count => count > 0);

/**
 * Takes room that is given back when the storage is full, so that words can be saved even then. Once it lies there this
 * does nothing.
 */
export async function allocateReserve(db: LocalDatabase, bytes: number): Promise<void> {
  if (bytes === 0) return;
  await opened(db, async reserve => {
    if (!(await isAllocated(reserve))) await reserve.put('reserve', { bytes: incompressible(bytes) }, KEY);
  });
}

/** Gives the room back. @returns whether there was any */
export async function releaseReserve(db: LocalDatabase): Promise<boolean> {
  // Where none was ever laid, a full storage cannot even make the database to look into.
  if (!(await unlessFull(opened(db, isAllocated)))) return false;
  await deleteDB(nameOf(db));
  return true;
}
