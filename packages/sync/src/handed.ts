import { finish } from './abandon.ts';
import type { DatabaseTx, LocalDatabase } from './database.ts';
import { LAST } from './read-tx.ts';
import { keyAt } from './record-key.ts';
import { storeOf } from './record.ts';
import type { QueuedEntry } from './stored.ts';

/**
 * One piece of work that lies in the tray of an organisation this person was removed from. Not what it was called: nothing of what the
 * organisation holds stays on the device of somebody it let go.
 */
export type HandedPiece = {
  /** The mutation, as the server knows it. */
  mid: string;
  organizationId: string;
  /** Its name; null where it had left this device before. */
  organization: string | null;
  /** What it belongs to, as `table/id`. */
  under: string;
  /** ms since 1970, when the server had it. */
  at: number;
};

/** Begins the names under which `meta` keeps them: nothing else is left of them on this device. */
const NOTES = 'handed/';

type Handing = { owner: string; organizationId: string; now: number };

/** Notes what was handed over, and to whom, while that is still known here. */
export async function noteHanded(tx: DatabaseTx, handing: Handing, entries: readonly QueuedEntry[]): Promise<void> {
  const { owner, organizationId, now } = handing;
  const home = await tx.objectStore(storeOf('organizations')).get(keyAt(owner, 'organizations', organizationId));
  const name = home?.data['name'];
  for (const { mid, under } of entries) {
    const value: HandedPiece = {
      mid,
      organizationId,
      organization: typeof name === 'string' ? name : null,
      under,
      at: now,
    };
    await tx.objectStore('meta').put({ owner, name: NOTES + mid, value });
  }
}

/** What this device has handed over, oldest first. */
export async function handedHere({ db, owner }: { db: LocalDatabase; owner: string }): Promise<HandedPiece[]> {
  const tx = await db.transaction(['meta'], 'readonly');
  const asked = tx.objectStore('meta').getAll(IDBKeyRange.bound([owner, NOTES], [owner, NOTES + LAST]));
  finish(tx);
  const notes = (await asked).map(({ value }) => value as HandedPiece);
  return notes.toSorted((a, b) => a.at - b.at);
}
