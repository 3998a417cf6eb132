import { finish, unlessFull } from '../transport/abandon.ts';
import { releaseReserve, allocateReserve } from '../store/reserve-block.ts';
import { freeSpace } from '../store/file-cache.ts';
import { ownerRange } from '../store/read-tx.ts';
import type { Session } from '../store/session.ts';

/** Bytes. */
const SPACE_FOR_ROWS = 16 * 1024 * 1024;
/** No room is laid aside above this share of the storage. */
const LOW_STORAGE_RATIO = 0.8;

type DeviceScope = Pick<Session, 'db' | 'owner' | 'platform'>;

/** Lays the ballast where the storage is not nearly full; it is no fault where it turns out to be. */
export async function ensureReserve({ db, platform }: DeviceScope): Promise<void> {
  if ((await platform.storageRatio()) > LOW_STORAGE_RATIO) return;
  await unlessFull(allocateReserve(db, platform.reserveBytes));
}

/** What was set aside waits for its person, and needs no room. */
async function isAnythingToSend({ db, owner }: DeviceScope): Promise<boolean> {
  const tx = await db.transaction(['sync_queue'], 'readonly');
  const asked = tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner));
  finish(tx);
  return (await asked).some(({ state }) => state !== 'failed');
}

/** Room for what the retry loops have to write on a full device: that something was sent, and what came. */
export class StorageReserve {
  private readonly place: DeviceScope;
  private isReleased = false;

  constructor(place: DeviceScope) {
    this.place = place;
  }

  /**
   * Files that can be fetched again go; where there are none, the ballast, for what is still to be sent: it is as much words as what
   * is written next. Rows that come get none of it, they would eat it.
   *
   * @returns whether there is more room now
   */
  async freeSpace(): Promise<boolean> {
    const { db } = this.place;
    if ((await freeSpace(db, SPACE_FOR_ROWS)) > 0) return true;
    if (!(await isAnythingToSend(this.place))) return false;
    const isFreed = await releaseReserve(db);
    this.isReleased ||= isFreed;
    return isFreed;
  }

  /** A round has ended well: the ballast lies again if it fits. Tried once; the daily comparison lays it after that. */
  async refill(): Promise<void> {
    if (!this.isReleased || (await isAnythingToSend(this.place))) return;
    this.isReleased = false;
    await ensureReserve(this.place);
  }
}
