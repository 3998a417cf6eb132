import { columns } from '@cairn/schema';
import { abandon, finish, unlessFull } from '../transport/abandon.ts';
import { releaseReserve } from './reserve-block.ts';
import { RECORD_STORES, type RecordStore } from './database-schema.ts';
import type { LocalDatabase } from './database.ts';
import { isTable, keysOf } from './record.ts';
import type { Session } from './session.ts';
import type { StoredRecord } from './stored.ts';
import { olderStrings } from './string-start.ts';

/** Strings looked at in one transaction: a save in between waits no longer than for that. */
const PORTION = 500;

const renewed = (record: StoredRecord): StoredRecord => ({
  ...record,
  keys: record.deleted || !isTable(record.type) ? [] : keysOf(record.owner, record.type, record.data),
});

/** Stores in which strings of an earlier build lie: ones it left, or ones a tab that still runs it writes beside this one. */
async function storesWithOlder(db: LocalDatabase): Promise<RecordStore[]> {
  const tx = await db.transaction(RECORD_STORES, 'readonly');
  const asked = RECORD_STORES.map(store => tx.objectStore(store).index('keys').getKey(olderStrings()));
  finish(tx);
  const found = await Promise.all(asked);
  return RECORD_STORES.filter((_store, at) => found[at] !== undefined);
}

/** @returns whether there was anything left */
async function renewPortion(db: LocalDatabase, store: RecordStore): Promise<boolean> {
  const tx = await db.transaction([store], 'readwrite');
  try {
    const records = tx.objectStore(store);
    const older = olderStrings();
    const keys = await records.index('keys').getAllKeys(older, PORTION);
    for (const key of keys) {
      const record = await records.get(key);
      // It stands there once for each of its strings.
      if (record?.keys.some(string => older.includes(string))) await records.put(renewed(record), key);
    }
    await tx.done;
    return keys.length > 0;
  } catch (error) {
    await abandon(tx);
    throw error;
  }
}

/** @returns whether there were any */
async function renewAll(db: LocalDatabase): Promise<boolean> {
  const stores = await storesWithOlder(db);
  for (const store of stores) while (await renewPortion(db, store));
  return stores.length > 0;
}

/**
 * Gives every record of a copy that an earlier build made the index strings this one reads by (decision 04), before anything is
 * read. Ordinarily there is none: one question to each store. Without room they stay as they are: lists then lack those records until
 * there is some, the records themselves are untouched.
 */
export async function renewAtOpening(db: LocalDatabase): Promise<void> {
  const done = await unlessFull(renewAll(db));
  if (done === null && (await releaseReserve(db))) await unlessFull(renewAll(db));
}

/** The same for what a tab with an earlier build has written since. */
export async function renewOlder({ db, changes }: Pick<Session, 'db' | 'changes'>): Promise<void> {
  if (await unlessFull(renewAll(db))) changes.emit(Object.keys(columns));
}
