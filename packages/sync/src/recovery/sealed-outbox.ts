import { ALL_STORES, RECORD_STORES } from '../store/database-schema.ts';
import type { DatabaseTx, LocalDatabase, Mode } from '../store/database.ts';
import type { DataKeys } from '../crypto/data-keys.ts';
import { closeWithPassword, openWithPassword, type PasswordEnvelope } from '../crypto/password-seal.ts';
import { isOutboxEmpty } from '../outbox/overview.ts';
import { ownerRange } from '../store/read-tx.ts';
import { recordsOf } from '../store/record-key.ts';
import { rebuildRecord } from '../store/record.ts';
import { sealSnapshot, unsealSnapshot } from './sealed-snapshot.ts';
import { wholeContentsFrom } from './snapshot-contents.ts';
import { RescueRefused } from './snapshot-refused.ts';
import { takeSnapshot, type SnapshotImport } from './snapshot-take.ts';
import { metaOf } from '../store/session.ts';
import { BYTES, SEALED_OUTBOX, type StoredRecord } from '../store/stored.ts';

/**
 * Unsent work of somebody who signed out: a rescue file on the device, whose passphrase is their data key.
 * `sealed` is that key as the password (or the words chosen then) closed it, whatever becomes of the password later.
 */
type SealedOutbox = { file: Blob; sealed: PasswordEnvelope };

type SealContext = { db: LocalDatabase; dataKeys: DataKeys; device: string; now: number };
type Person = { id: string; email: string };

const KEY_BYTES = 32;
const wordsOf = (key: Uint8Array): string => btoa(String.fromCharCode(...key));

async function sealedOutboxOf(db: LocalDatabase, owner: string): Promise<SealedOutbox | undefined> {
  return metaOf<SealedOutbox>(await db.transaction(['meta'], 'readonly'), owner, SEALED_OUTBOX);
}

/** Puts the server's row back where unsent work lay on it; without one, and for bytes not sent, nothing stays. */
async function strip(tx: DatabaseTx, owner: string): Promise<void> {
  for (const name of RECORD_STORES) {
    const store = tx.objectStore(name);
    const range = recordsOf(owner);
    for (let cursor = await store.openCursor(range); cursor; cursor = await cursor.continue()) {
      const record: StoredRecord = cursor.value;
      if (!record.isDirty) continue;
      if (record.type === BYTES || !record.base || record.lost) await cursor.delete();
      else await cursor.update(rebuildRecord(record, record.base, []));
    }
  }
}

/** What the queue holds, so that nothing saved while the file was closed is thrown away unread. */
async function queued(tx: DatabaseTx<Mode>, owner: string): Promise<string> {
  const entries = await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner));
  const conflicts = await tx.objectStore('conflicts').getAll(ownerRange(owner));
  const open = conflicts.filter(({ resolved }) => !resolved);
  return JSON.stringify([entries.map(({ seq, mid, data }) => [seq, mid, data]), open.map(({ cid }) => cid)]);
}

async function keyFor({ dataKeys }: SealContext, owner: string, words: string | null) {
  const held = await dataKeys.held(owner);
  if (held) return held;
  if (words === null) return null;
  const key = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return { key, sealed: await closeWithPassword(key, words) };
}

/** @returns false when something was saved meanwhile: nothing was changed */
async function swap(db: LocalDatabase, owner: string, kept: SealedOutbox, before: string): Promise<boolean> {
  const tx = await db.transaction([...ALL_STORES], 'readwrite', 'strict');
  const isSame = (await queued(tx, owner)) === before;
  if (isSame) {
    await tx.objectStore('meta').put({ owner, name: SEALED_OUTBOX, value: kept });
    await strip(tx, owner);
    const queue = tx.objectStore('sync_queue');
    for (const key of await queue.index('order').getAllKeys(ownerRange(owner))) await queue.delete(key);
    for (const { cid, resolved } of await tx.objectStore('conflicts').getAll(ownerRange(owner)))
      if (!resolved) await tx.objectStore('conflicts').delete([owner, cid]);
  }
  await tx.done;
  return isSame;
}

/**
 * Closes what is unsent of somebody who signs out, in place of what lay open. Their engine must have stopped.
 *
 * @param words opens it in place of a password, where this device was never given one
 * @returns whether it is closed now; without a password or words it stays as it was
 */
export async function sealOutbox(place: SealContext, person: Person, words: string | null): Promise<boolean> {
  const { db, device, now } = place;
  if (await isOutboxEmpty(await db.transaction(['sync_queue', 'conflicts'], 'readonly'), person.id)) return false;
  // What an earlier time left behind and nobody could open yet is not written over.
  const earlier = await sealedOutboxOf(db, person.id);
  const closing = earlier ? null : await keyFor(place, person.id, words);
  if (!closing) return false;
  for (;;) {
    const look = await db.transaction(['sync_queue', 'conflicts'], 'readonly');
    const before = await queued(look, person.id);
    const file = await sealSnapshot(db, { owner: person, device, now, withPrivate: true }, wordsOf(closing.key));
    if (await swap(db, person.id, { file, sealed: closing.sealed }, before)) return true;
  }
}

type RescueTarget = Parameters<typeof takeSnapshot>[0];

async function bringBack(into: RescueTarget, { file }: SealedOutbox, key: Uint8Array): Promise<SnapshotImport> {
  const { db, owner } = into;
  const taken = await takeSnapshot(into, await unsealSnapshot(file, wordsOf(key), wholeContentsFrom));
  const tx = await db.transaction(['meta'], 'readwrite', 'strict');
  await tx.objectStore('meta').delete([owner, SEALED_OUTBOX]);
  await tx.done;
  return taken;
}

/**
 * Puts what was kept back into the outbox of whoever has come back, before their engine starts.
 * @returns what came back; null when nothing was kept, it was closed with another password, or a newer Cairn closed it
 */
export async function restoreSealedOutbox(
  { db, dataKeys }: SealContext,
  owner: string,
): Promise<SnapshotImport | null> {
  const kept = await sealedOutboxOf(db, owner);
  const held = kept && (await dataKeys.held(owner));
  if (!kept || !held) return null;
  try {
    return await bringBack({ db, owner }, kept, held.key);
  } catch (error) {
    // Closed with another password, or not all of it can be taken here: it stays as it is.
    if (error instanceof RescueRefused) return null;
    throw error;
  }
}

/**
 * Opens what was kept with the password it was closed with.
 * @throws {SealFailure} `decrypt` when it is another
 */
export async function unlockSealedOutbox(into: RescueTarget, password: string): Promise<SnapshotImport | null> {
  const kept = await sealedOutboxOf(into.db, into.owner);
  return kept ? bringBack(into, kept, await openWithPassword(kept.sealed, password)) : null;
}
