import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { LAST } from '../store/read-tx.ts';

/** A file somebody wants to have on this device for good; `size` in bytes, as its row says. */
export type LargeFile = { id: string; organizationId: string; size: number };

/** What of a large file lies on this device, bytes; it is whole where both are the same. */
export type HeldFile = { size: number; have: number };

export type DeviceScope = { db: LocalDatabase; owner: string };

/** Begins the names under which `meta` says how much of a file lies here; its pieces are under `PIECES`. */
export const HEADS = 'held/';
export const CHUNKS = 'held-chunk/';

/** Lets go of all that lies here of a file, which may be nothing. */
export async function dropHeld(tx: DatabaseTx, owner: string, id: string): Promise<void> {
  const meta = tx.objectStore('meta');
  const chunks = `${CHUNKS}${id}/`;
  await Promise.all([
    meta.delete([owner, HEADS + id]),
    meta.delete(IDBKeyRange.bound([owner, chunks], [owner, chunks + LAST])),
  ]);
}

/** The large files somebody wants to have here, by the id of the file, also those that came in part. */
export async function heldFiles({ db, owner }: DeviceScope): Promise<Map<string, HeldFile>> {
  const tx = await db.transaction(['meta'], 'readonly');
  const heads = await tx.objectStore('meta').getAll(IDBKeyRange.bound([owner, HEADS], [owner, HEADS + LAST]));
  return new Map(heads.map(({ name, value }) => [name.slice(HEADS.length), value as HeldFile]));
}
