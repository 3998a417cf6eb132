import { newId } from '@cairn/base/id.ts';
import { openDatabase, type LocalDatabase } from '../store/database.ts';
import { keyAt, keyOf, typeRange } from '../store/record-key.ts';
import { emptyRecord } from '../store/record.ts';
import { DEVICE, type StoredRecord } from '../store/stored.ts';

/** A file that another app handed over and that is not part of any record yet. */
export type SharedFile = {
  id: string;
  /** As the other app named it. */
  name: string;
  /** e.g. image/jpeg; empty where the other app did not say. */
  mime: string;
  bytes: ArrayBuffer;
  /** Device time, ISO 8601. */
  at: string;
};

const SHARED = 'shared_file';

/** What waits on a device at most, until somebody says what it belongs to. */
const MAX_WAITING = { files: 100, bytes: 300 * 1024 * 1024 };

const bytesIn = (files: readonly { bytes: ArrayBuffer }[]): number =>
  files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);

/**
 * Keeps what another app handed over, for whoever is signed in on this device, or for the next who is. Resolves once it
 * is committed. Runs in the service worker too, so that it works with no page open and no network.
 *
 * @throws {DOMException} `QuotaExceededError` when the device has no room, or too much waits already; then none of the files is kept
 */
export async function keepSharedFiles(files: readonly Omit<SharedFile, 'id'>[], name?: string): Promise<void> {
  await withDatabase(name, async db => {
    const tx = await db.transaction(['users', 'media'], 'readwrite', 'strict');
    const person = await tx.objectStore('users').get(keyAt(DEVICE, 'setting', 'current_user'));
    const known = person?.data['id'];
    const owner = typeof known === 'string' ? known : DEVICE;
    const waiting = await waitingIn(tx.objectStore('media'), owner);
    const isTooMuch =
      waiting.length + files.length > MAX_WAITING.files || bytesIn(waiting) + bytesIn(files) > MAX_WAITING.bytes;
    if (isTooMuch) throw new DOMException('too many shared files wait', 'QuotaExceededError');
    for (const file of files) {
      const record = { ...emptyRecord(owner, 'media', newId()), type: SHARED, data: { ...file } };
      await tx.objectStore('media').put(record, keyOf(record));
    }
    await tx.done;
  });
}

type Rows = { getAll(range: ReturnType<typeof typeRange>): Promise<StoredRecord[]> };

async function waitingIn(rows: Rows, owner: string): Promise<SharedFile[]> {
  const found: StoredRecord[] = [];
  for (const each of new Set([owner, DEVICE])) found.push(...(await rows.getAll(typeRange(each, SHARED))));
  return found.map(({ id, data }) => ({ ...data, id }) as SharedFile);
}

/** What waits to be made part of a record by this person, the oldest first. */
export function sharedFiles(owner: string, name?: string): Promise<SharedFile[]> {
  return withDatabase(name, async db => {
    const tx = await db.transaction(['media'], 'readonly');
    const found = await waitingIn(tx.objectStore('media'), owner);
    return found.toSorted((a, b) => a.at.localeCompare(b.at));
  });
}

/** Lets go of a shared file: it is part of a record now, or not wanted. An unknown id does nothing. */
export async function dropSharedFile(owner: string, id: string, name?: string): Promise<void> {
  await withDatabase(name, async db => {
    const tx = await db.transaction(['media'], 'readwrite', 'strict');
    for (const each of [owner, DEVICE]) await tx.objectStore('media').delete(keyAt(each, SHARED, id));
    await tx.done;
  });
}

/** Whether somebody is signed in on this device, as the service worker can tell. */
export function isSomebodyHere(name?: string): Promise<boolean> {
  return withDatabase(name, async db => {
    const tx = await db.transaction(['users'], 'readonly');
    const person = await tx.objectStore('users').get(keyAt(DEVICE, 'setting', 'current_user'));
    return typeof person?.data['id'] === 'string';
  });
}

async function withDatabase<A>(name: string | undefined, use: (db: LocalDatabase) => Promise<A>): Promise<A> {
  const db = await openDatabase(name);
  try {
    return await use(db);
  } finally {
    db.close();
  }
}
