import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { finish } from './abandon.ts';
import type { DatabaseTx, LocalDatabase } from './database.ts';
import { LAST } from './read-tx.ts';
import { keyAt } from './record-key.ts';
import { storeOf } from './record.ts';
import type { QueuedEntry } from './stored.ts';

/** One piece of work that lies in the tray of an organisation this person was removed from. */
export type HandedPiece = {
  /** The mutation, as the server knows it. */
  mid: string;
  organizationId: string;
  /** Its name; null where it had left this device before. */
  organization: string | null;
  /** What it belongs to, as `table/id`. */
  under: string;
  /** What that was called. */
  title: string | null;
  /** ms since 1970, when the server had it. */
  at: number;
};

/** Begins the names under which `meta` keeps them: nothing else is left of them on this device. */
const NOTES = 'handed/';

export const tableIn = (under: string): TableName => under.slice(0, under.indexOf('/')) as TableName;

async function titleOf(tx: DatabaseTx, owner: string, under: string): Promise<string | null> {
  const table = tableIn(under);
  const record = await tx.objectStore(storeOf(table)).get(keyAt(owner, table, under.slice(table.length + 1)));
  return record ? syncedTables[table].title(record.data as never) : null;
}

type Handing = { owner: string; organizationId: string; now: number };

/** Notes what was handed over, under the names it has while its records are still here. */
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
      title: await titleOf(tx, owner, under),
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
