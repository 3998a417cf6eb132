import { ALL_STORES, RECORD_STORES } from '../store/database-schema.ts';
import type { LocalDatabase } from '../store/database.ts';
import type { Platform } from '../transport/platform.ts';
import { forgetBlocks } from '../store/bulk-block.ts';
import { ownerRange } from '../store/read-tx.ts';
import { recordsOf } from '../store/record-key.ts';
import type { DataLossCanary } from '../store/data-loss-canary.ts';
import { dropBackup } from '../transport/backup-files.ts';
import { leadLock } from '../store/lead-lock.ts';

/** Removes every record, file, queued edit, conflict and cursor of one person from this device, in one transaction. */
export async function forgetPerson(db: LocalDatabase, owner: string): Promise<void> {
  const tx = await db.transaction([...ALL_STORES], 'readwrite', 'strict');
  const gone = [
    ...RECORD_STORES.map(name => tx.objectStore(name).delete(recordsOf(owner))),
    tx.objectStore('conflicts').delete(ownerRange(owner)),
    tx.objectStore('meta').delete(ownerRange(owner)),
  ];
  const queue = tx.objectStore('sync_queue');
  const waiting = await queue.index('order').getAllKeys(ownerRange(owner));
  await Promise.all([...gone, ...waiting.map(key => queue.delete(key))]);
  await tx.done;
  forgetBlocks(owner);
}

/** ms a tab is given that still leads for the person: it was told to stop, and one that sleeps cannot hear it. */
const PATIENCE = 5000;

type DeviceScope = { db: LocalDatabase; owner: string; platform: Platform; canary: DataLossCanary };

/**
 * The same, with what lies outside the database: the copy of their outbox, and the note of how much is unsent. While it happens no tab
 * leads for them, which would write the copy anew; one that sleeps over it is fenced off, for its epoch is gone.
 */
export async function forgetAll({ db, owner, platform, canary }: DeviceScope): Promise<void> {
  const forget = async () => {
    await forgetPerson(db, owner);
    await dropBackup({ platform, owner });
    canary.note(owner, 0);
    canary.seen(canary.losses().filter(loss => loss.owner === owner));
  };
  const waiting = new AbortController();
  const stopTimer = platform.clock.after(PATIENCE, () => waiting.abort());
  let isDone = false;
  await platform.locks.hold(leadLock(db.name, owner), waiting.signal, async () => {
    stopTimer();
    await forget();
    isDone = true;
  });
  if (!isDone) await forget();
}
