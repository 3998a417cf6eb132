import type { Row } from '@cairn/schema';
import { finish } from '../transport/abandon.ts';
import type { LocalDatabase } from '../store/database.ts';
import { SENT_FILES_GRACE_MS } from '../store/file-cache.ts';
import type { Platform } from '../transport/platform.ts';
import { ownerRange } from '../store/read-tx.ts';
import { storeOf } from '../store/record.ts';
import { keyAt, keyOf, typeRange, type RecordKey } from '../store/record-key.ts';
import { metaOf, type Session } from '../store/session.ts';
import { BYTES, type QueuedEntry } from '../store/stored.ts';

type DeviceScope = { db: LocalDatabase; owner: string };
type Wishes = Partial<Pick<Row<'user_preferences'>, 'files_on_mobile_data' | 'storage_limit_mb'>>;

/** What the person's own preferences say of files; empty while none were saved. */
async function wishesOf({ db, owner }: DeviceScope): Promise<Wishes> {
  const store = storeOf('user_preferences');
  const tx = await db.transaction([store], 'readonly');
  return (await tx.objectStore(store).get(keyAt(owner, 'user_preferences', owner)))?.data ?? {};
}

/** Whether files may be sent on the present network. Records always go: they are small, and somebody waits for them. */
export async function filesMayGo(session: Pick<Session, 'db' | 'owner' | 'platform'>): Promise<boolean> {
  if (session.platform.network.isMobile?.() !== true) return true;
  return (await wishesOf(session)).files_on_mobile_data !== false;
}

/** Media that were sent on mobile data by hand, though the person wants none sent so. */
const ANYWAY = 'files_anyway';

/** Of all files that wait: every one, or those of these ids. */
export type FileSelection = 'all' | ReadonlySet<string>;

/** Which files may be sent on the present network. */
export async function filesThatMayGo(session: Pick<Session, 'db' | 'owner' | 'platform'>): Promise<FileSelection> {
  if (await filesMayGo(session)) return 'all';
  const tx = await session.db.transaction(['meta'], 'readonly');
  const asked = metaOf<string[]>(tx, session.owner, ANYWAY);
  finish(tx);
  return new Set(await asked);
}

export const mayGo = (which: FileSelection, mediaId: string): boolean => which === 'all' || which.has(mediaId);

/** The files that wait at this moment may go on any network. It outlives a restart: they may be many, and the line slow. */
export async function letFilesGo({ db, owner }: DeviceScope): Promise<void> {
  const tx = await db.transaction(['sync_queue', 'meta'], 'readwrite');
  const entries = (await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner))) as QueuedEntry[];
  const ids = entries.filter(({ operation }) => operation === 'upload').map(({ dataId }) => dataId);
  await tx.objectStore('meta').put({ owner, name: ANYWAY, value: ids });
  await tx.done;
}

/** Bytes of received files the person wants on this device at most; null without a limit. */
export async function storageLimit(place: DeviceScope): Promise<number | null> {
  const limit = (await wishesOf(place)).storage_limit_mb ?? null;
  return limit === null ? null : limit * 1_000_000;
}

type CachedFile = { key: RecordKey; at: number; bytes: number; isFree: boolean };

/**
 * Frees this person's received files, the longest received first, until they fit the limit they chose; those made available
 * offline, and what went from here within the last day, count and stay.
 */
export async function keepWithinLimit(place: DeviceScope & { platform: Pick<Platform, 'clock'> }): Promise<void> {
  const limit = await storageLimit(place);
  if (limit === null) return;
  const spared = place.platform.clock.now() - SENT_FILES_GRACE_MS;
  const tx = await place.db.transaction(['media'], 'readwrite');
  const kept: CachedFile[] = [];
  const range = typeRange(place.owner, BYTES);
  for (let cursor = await tx.objectStore('media').openCursor(range); cursor; cursor = await cursor.continue()) {
    const { data, isDirty, lastSync } = cursor.value;
    const bytes = data['bytes'];
    // What waits to be sent is never freed and does not count: the limit is for what can be fetched again.
    if (isDirty || lastSync === null || !(bytes instanceof ArrayBuffer)) continue;
    const isFree = data['kept'] !== true && !(data['sent'] === true && lastSync > spared);
    kept.push({ key: keyOf(cursor.value), at: lastSync, bytes: bytes.byteLength, isFree });
  }
  let over = kept.reduce((sum, file) => sum + file.bytes, 0) - limit;
  for (const file of kept.filter(({ isFree }) => isFree).toSorted((a, b) => a.at - b.at)) {
    if (over <= 0) break;
    await tx.objectStore('media').delete(file.key);
    over -= file.bytes;
  }
  await tx.done;
}
