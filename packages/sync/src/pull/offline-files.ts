import { Failure, type FailureCode } from '@cairn/base/failure.ts';
import { isDomError } from '../transport/abandon.ts';
import type { Backend } from '../transport/backend.ts';
import { FILES, watchRead, type Changes } from '../store/changes.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { patienceFor, withDeadline } from '../transport/deadline.ts';
import { downloadFailure } from '../transport/download-failure.ts';
import { filesMayGo, keepWithinLimit, storageLimit } from '../files/file-wishes.ts';
import type { LargeFile } from '../files/held-files.ts';
import type { Platform } from '../transport/platform.ts';
import { idIn, keyAt, keyOf, typeRange } from '../store/record-key.ts';
import { emptyRecord } from '../store/record.ts';
import { metaOf } from '../store/session.ts';
import { BYTES } from '../store/stored.ts';

/**
 * `wanted`: playbooks whose files belong on this device; `here`: files that are and stay; why the last one did not come;
 * what they wait for, where the person wants none fetched on the present network.
 */
export type OfflineState = {
  wanted: ReadonlySet<string>;
  here: ReadonlySet<string>;
  failure: FailureCode | null;
  waits: 'wifi' | null;
};

/** Files that were made available offline: fetched ahead, and freed by nothing but the end of that wish or of a right. */
export interface OfflineFiles {
  /** Calls back now and on each change. */
  watch(listener: (state: OfflineState) => void): () => void;
  /** @param playbook or whatever else the files are grouped by */
  want(playbook: string, on: boolean): Promise<void>;
  /**
   * Fetches a file unless it is here, and keeps it.
   *
   * @throws {Failure} `storage_full` also where the person's own limit is reached; `offline`, `not_found`, `signed_out`
   */
  keep(file: LargeFile, signal: AbortSignal): Promise<void>;
  /** These may be freed again like any other. */
  release(ids: readonly string[]): Promise<void>;
  /** Whether files may be fetched on the present network. */
  mayFetch(): Promise<boolean>;
}

const OFFLINE = '#offline';
const WANTED = 'offline_wanted';
const KEPT = 'offline_files';
/** Sizes in bytes by id. */
type FileSizes = Readonly<Record<string, number>>;

export type OfflinePlace = { db: LocalDatabase; owner: string; platform: Platform; backend: Backend; changes: Changes };

const put = (tx: DatabaseTx, owner: string, name: string, value: unknown) =>
  tx.objectStore('meta').put({ owner, name, value });

async function stateOf({ db, owner }: OfflinePlace): Promise<Pick<OfflineState, 'wanted' | 'here'>> {
  const tx = await db.transaction(['meta', 'media'], 'readonly');
  const [wanted, kept, keys] = await Promise.all([
    metaOf<string[]>(tx, owner, WANTED),
    metaOf<FileSizes>(tx, owner, KEPT),
    tx.objectStore('media').getAllKeys(typeRange(owner, BYTES)),
  ]);
  const bytes = new Set(keys.map(key => idIn(key as unknown as ArrayBuffer, owner, BYTES)));
  return { wanted: new Set(wanted), here: new Set(Object.keys(kept ?? {}).filter(id => bytes.has(id))) };
}

/** @throws {Failure} `storage_full` */
async function requireSpace(place: OfflinePlace, { id, size }: LargeFile): Promise<void> {
  const { db, owner, platform } = place;
  const kept = (await metaOf<FileSizes>(await db.transaction(['meta'], 'readonly'), owner, KEPT)) ?? {};
  // What went with its row takes no room any more.
  const { here } = await stateOf(place);
  const together = [...here].reduce((sum, other) => sum + (other === id ? 0 : (kept[other] ?? 0)), size);
  const limit = await storageLimit(place);
  // The end of the storage is for words; what can be fetched again takes none of it.
  const isShort = (await platform.storageLeft()) < size + 2 * platform.reserveBytes;
  if (isShort || (limit !== null && together > limit)) throw new Failure('storage_full', `keep: no room for ${id}`);
}

async function fetched(place: OfflinePlace, { id, organizationId, size }: LargeFile, signal: AbortSignal) {
  const bytes = await withDeadline(place.platform.clock, signal, patienceFor(size), inner =>
    place.backend.download(organizationId, id, inner),
  ).catch((error: unknown) => {
    signal.throwIfAborted();
    throw downloadFailure(error);
  });
  if (bytes.byteLength !== size) throw new Failure('offline', `keep: ${bytes.byteLength} of ${size} bytes of ${id}`);
  return bytes;
}

/** Keeps the bytes that are here, else those given. @returns false where neither are */
async function storeBytes({ db, owner, platform }: OfflinePlace, { id, size }: LargeFile, bytes: ArrayBuffer | null) {
  const tx = await db.transaction(['media', 'meta'], 'readwrite');
  const media = tx.objectStore('media');
  const row = await media.get(keyAt(owner, 'media', id));
  const held = await media.get(keyAt(owner, BYTES, id));
  const found = held?.data['bytes'] ?? bytes;
  // Rights may have gone while it came.
  if (!row || !found) return false;
  const fresh = { ...emptyRecord(owner, 'media', id), type: BYTES, lastSync: platform.clock.now() };
  const next = { ...(held ?? fresh), data: { ...held?.data, bytes: found, kept: true } };
  try {
    const kept = (await metaOf<FileSizes>(tx, owner, KEPT)) ?? {};
    await Promise.all([media.put(next, keyOf(next)), put(tx, owner, KEPT, { ...kept, [id]: size }), tx.done]);
  } catch (cause) {
    if (!isDomError(cause, 'QuotaExceededError')) throw cause;
    throw new Failure('storage_full', `keep: no room for ${id}`, { cause });
  }
  return true;
}

async function keep(place: OfflinePlace, file: LargeFile, signal: AbortSignal): Promise<void> {
  if (await storeBytes(place, file, null)) return;
  await requireSpace(place, file);
  const bytes = await fetched(place, file, signal);
  if (!(await storeBytes(place, file, bytes))) throw new Failure('not_found', `keep: ${file.id} is gone`);
  await keepWithinLimit(place);
}

async function release({ db, owner, platform }: OfflinePlace, ids: readonly string[]): Promise<void> {
  const tx = await db.transaction(['media', 'meta'], 'readwrite');
  const media = tx.objectStore('media');
  const left: Record<string, number> = { ...(await metaOf<FileSizes>(tx, owner, KEPT)) };
  for (const id of ids) {
    delete left[id];
    const held = await media.get(keyAt(owner, BYTES, id));
    if (!held?.data['kept']) continue;
    const { kept: _kept, ...data } = held.data;
    await media.put({ ...held, data }, keyOf(held));
  }
  await put(tx, owner, KEPT, left);
  await tx.done;
  await keepWithinLimit({ db, owner, platform });
}

async function want({ db, owner }: OfflinePlace, playbook: string, on: boolean): Promise<void> {
  const tx = await db.transaction(['meta'], 'readwrite');
  const wanted = new Set(await metaOf<string[]>(tx, owner, WANTED));
  if (on) wanted.add(playbook);
  else wanted.delete(playbook);
  await put(tx, owner, WANTED, [...wanted]);
  await tx.done;
}

/** @param place of one person on this device */
export function openOfflineFiles(place: OfflinePlace): OfflineFiles {
  const { changes } = place;
  let failure: FailureCode | null = null;
  const told = async (work: Promise<void>) => {
    try {
      await work;
      failure = null;
    } catch (error) {
      failure = error instanceof Failure ? error.code : null;
      throw error;
    } finally {
      changes.emit([OFFLINE]);
    }
  };
  return {
    watch: listener =>
      watchRead({
        changes,
        names: [OFFLINE, 'media', FILES, 'user_preferences'],
        read: async () => ({ ...(await stateOf(place)), waits: (await filesMayGo(place)) ? null : ('wifi' as const) }),
        onAnswer: state => listener({ ...state, failure }),
        onError: error => globalThis.reportError(error),
      }),
    want: (playbook, on) => told(want(place, playbook, on)),
    keep: (file, signal) => told(keep(place, file, signal)),
    release: ids => told(release(place, ids)),
    mayFetch: () => filesMayGo(place),
  };
}
