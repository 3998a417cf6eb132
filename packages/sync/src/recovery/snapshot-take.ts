import type { TableName } from '@cairn/schema';
import { isDomError } from '../transport/abandon.ts';
import { UNPLACED } from '../push/acknowledge.ts';
import { CONFLICTS, QUEUE } from '../store/changes.ts';
import { freeSpace } from '../store/file-cache.ts';
import { RECORD_STORES } from '../store/database-schema.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { unpackRecord } from '../store/bulk-block.ts';
import { recordEntries } from '../store/queue-edit.ts';
import { ownerRange } from '../store/read-tx.ts';
import { keyAt, keyOf, typeRange } from '../store/record-key.ts';
import { emptyRecord, priorityOf, rebuildRecord, storeOf } from '../store/record.ts';
import type { CarriedEntry, CarriedRecord, SnapshotContents } from './snapshot-contents.ts';
import { RescueRefused } from './snapshot-refused.ts';
import { filesIn, type Snapshot } from './snapshot.ts';
import { metaOf } from '../store/session.ts';
import { BYTES, type Data, type QueuedEntry, type QueueEntry, type StoredRecord } from '../store/stored.ts';

/** What an import brought into the outbox; the rest of the file was there already. */
export type SnapshotImport = { entries: number; files: number; conflicts: number };
const NOTHING: SnapshotImport = { entries: 0, files: 0, conflicts: 0 };

type ImportTarget = {
  db: LocalDatabase;
  owner: string;
  emit?: (names: readonly string[]) => void;
  /** It is the spare copy, taken at each start until all of it has room; its words come once: some were sent or let go since. */
  isBackup?: true;
};

/** Entry of `meta`: of which device's spare copy the words were taken. */
const EDITS_RESTORED = 'edits_restored';

async function areEditsRestored({ db, owner, isBackup }: ImportTarget, { device }: SnapshotContents): Promise<boolean> {
  return (
    isBackup === true && (await metaOf(await db.transaction(['meta'], 'readonly'), owner, EDITS_RESTORED)) === device
  );
}

/** Sorts uploads after every record in the queue's order index, as `putBytes` does. */
const UPLOADS = Number.MAX_SAFE_INTEGER;

const isComplete = (record: StoredRecord | undefined): boolean => record?.data['state'] === 'complete';

function entryOf(owner: string, carried: CarriedEntry): QueueEntry {
  const { organizationId: _organization, ...given } = carried;
  const table = carried.dataType as TableName;
  const isUpload = carried.operation === 'upload';
  return {
    ...given,
    owner,
    record: keyAt(owner, table, carried.dataId),
    priority: isUpload ? UPLOADS : priorityOf(table),
    retryCount: 0,
    state: 'waiting',
    crashes: 0,
    notBefore: 0,
    lastError: null,
    detail: null,
    ...(!isUpload && { copied: true as const }),
  };
}

async function isKnown(tx: DatabaseTx, owner: string, carried: CarriedEntry): Promise<boolean> {
  const key = keyAt(owner, carried.dataType, carried.dataId);
  const queued = await tx.objectStore('sync_queue').index('record').getAll(key);
  if (carried.operation !== 'upload') return queued.some(({ mid }) => mid === carried.mid);
  if (queued.some(({ operation }) => operation === 'upload')) return true;
  // The server has it whole: nothing of it waits any more.
  return isComplete(await tx.objectStore('media').get(key));
}

type RecordBase = { record: StoredRecord; base: Data | null };

/** The record with the server's row below the unsent work: as this device has it, else as the file carries it. */
async function belowOf(tx: DatabaseTx, owner: string, { table, id, ...carried }: CarriedRecord): Promise<RecordBase> {
  const held = await unpackRecord(tx, owner, table, id);
  if (held) {
    const base = held.isDirty ? (held.base ?? null) : held.data;
    return { record: held, base: held.version > 0 ? base : null };
  }
  const { version, lost, isSubmitted } = carried;
  const record = { ...emptyRecord(owner, table, id), version, ...(lost && { lost }) };
  if (isSubmitted) return { record: { ...record, isSubmitted }, base: carried.base };
  if (carried.base !== null) await noteUnplaced(tx, owner, table, id);
  return { record, base: carried.base };
}

/** Whether the person may see it here no file says: what the next pull does not name is not theirs to see. */
const noteUnplaced = (tx: DatabaseTx, owner: string, table: TableName, id: string) =>
  tx.objectStore('meta').put({ owner, name: `${UNPLACED}taken/${id}`, value: [[table, id]] });

/** The row of a file whose work lies in a former organisation's review queue: nothing of it is queued but the bytes. */
async function keepSubmitted(tx: DatabaseTx, record: StoredRecord, { table, base }: CarriedRecord): Promise<void> {
  if (record.isDirty || base === null) return;
  const row = { ...record, data: base, base: null, isDirty: true, isSubmitted: true as const };
  await tx.objectStore(storeOf(table)).put(row, keyOf(row));
}

async function rebuildRestored(tx: DatabaseTx, owner: string, carried: CarriedRecord): Promise<void> {
  const { table, id } = carried;
  const key = keyAt(owner, table, id);
  const queued = recordEntries((await tx.objectStore('sync_queue').index('record').getAll(key)) as QueuedEntry[]);
  const { record, base } = await belowOf(tx, owner, carried);
  if (carried.isSubmitted && record.version === 0) return keepSubmitted(tx, record, carried);
  if (queued.length === 0 && base === null) return;
  const inOrder = queued.toSorted((a, b) => a.seq - b.seq);
  await tx.objectStore(storeOf(table)).put(rebuildRecord(record, base, inOrder), key);
}

/** All or nothing: entries behind what is queued already, their records with them on top, conflicts not known yet. */
async function storeContents(
  { db, owner, isBackup }: ImportTarget,
  contents: SnapshotContents,
): Promise<SnapshotImport> {
  const tx = await db.transaction([...RECORD_STORES, 'sync_queue', 'conflicts', 'meta'], 'readwrite', 'strict');
  const taken: SnapshotImport = { entries: 0, files: 0, conflicts: 0 };
  const touched = new Set<string>();
  for (const carried of contents.entries) {
    if (await isKnown(tx, owner, carried)) continue;
    await tx.objectStore('sync_queue').add(entryOf(owner, carried));
    touched.add(`${carried.dataType}/${carried.dataId}`);
    taken[carried.operation === 'upload' ? 'files' : 'entries'] += 1;
  }
  for (const record of contents.records)
    if (touched.delete(`${record.table}/${record.id}`)) await rebuildRestored(tx, owner, record);
  // What the file carries no record of may lie here among many: whatever waits to be sent lies by itself.
  for (const name of touched) {
    const [table = '', id = ''] = name.split('/');
    await unpackRecord(tx, owner, table as TableName, id);
  }
  for (const conflict of contents.conflicts) {
    if (await tx.objectStore('conflicts').get([owner, conflict.cid])) continue;
    await tx.objectStore('conflicts').put({ ...conflict, owner });
    taken.conflicts += 1;
  }
  if (isBackup) await tx.objectStore('meta').put({ owner, name: EDITS_RESTORED, value: contents.device });
  await tx.done;
  return taken;
}

async function keepBytes({ db, owner }: ImportTarget, id: string, bytes: ArrayBuffer): Promise<void> {
  const tx = await db.transaction(['media'], 'readwrite', 'strict');
  const media = tx.objectStore('media');
  const held = await media.get(keyAt(owner, BYTES, id));
  const isSent = isComplete(await media.get(keyAt(owner, 'media', id)));
  const kept = { ...emptyRecord(owner, 'media', id), type: BYTES, data: { bytes }, isDirty: true };
  if (!isSent && !(held?.data['bytes'] instanceof ArrayBuffer)) await media.put(kept, keyOf(kept));
  await tx.done;
}

/** Bytes no entry waits for, because they were sent while the file was read: the server has them. */
async function dropIdle({ db, owner }: ImportTarget, ids: readonly string[]): Promise<void> {
  const tx = await db.transaction(['media', 'sync_queue'], 'readwrite');
  const waiting = await tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner));
  const wanted = new Set(waiting.filter(({ operation }) => operation === 'upload').map(({ dataId }) => dataId));
  for (const id of ids) {
    const held = await tx.objectStore('media').get(keyAt(owner, BYTES, id));
    if (held?.isDirty && !wanted.has(id)) await tx.objectStore('media').delete(keyOf(held));
  }
  await tx.done;
}

/** Files the server has make room for one it has not. */
async function keepFreeingSpace(place: ImportTarget, id: string, bytes: ArrayBuffer): Promise<void> {
  try {
    await keepBytes(place, id, bytes);
  } catch (error) {
    if (!isDomError(error, 'QuotaExceededError') || (await freeSpace(place.db, bytes.byteLength * 2)) === 0)
      throw error;
    await keepBytes(place, id, bytes);
  }
}

/** Files whose bytes are all in there, with their section. */
async function wholeFiles(snapshot: Snapshot): Promise<Map<string, number>> {
  const whole = new Map<string, number>();
  let section = 0;
  for await (const { file, bytes } of filesIn(snapshot)) {
    section += 1;
    if (bytes.byteLength === file.bytes) whole.set(file.id, section);
  }
  return whole;
}

/** But for files whose words were taken before and whose row is gone since: it was let go of, or is not theirs to see. */
async function stillWanted(
  { db, owner }: ImportTarget,
  words: readonly CarriedEntry[],
  whole: ReadonlyMap<string, number>,
) {
  const media = (await db.transaction(['media'], 'readonly')).objectStore('media');
  const named = new Set(words.map(({ dataId }) => dataId));
  const here = new Set((await media.getAll(typeRange(owner, 'media'))).map(({ id }) => id));
  return new Map([...whole].filter(([id]) => !named.has(id) || here.has(id)));
}

/** @returns how many came into the outbox */
async function takeFiles(place: ImportTarget, { contents, parts }: Snapshot, whole: ReadonlyMap<string, number>) {
  try {
    for (const [id, section] of whole)
      await keepFreeingSpace(place, id, (await parts.section(section, contents.files[section - 1])).buffer);
    const uploads = contents.entries.filter(({ operation, dataId }) => operation === 'upload' && whole.has(dataId));
    return (await storeContents(place, { ...contents, entries: uploads, conflicts: [] })).files;
  } finally {
    await dropIdle(place, [...whole.keys()]);
  }
}

/**
 * Puts what a snapshot holds into this device's outbox, under the mutation ids it was saved with: what the server has
 * already, and what is queued here already, is not doubled. The whole of it is opened before anything is changed; words come
 * before files, so that a full device has them at least. Taken again, the rest comes; of a spare copy, files only.
 *
 * @throws {RescueRefused} `locked` when a part of it has changed; nothing was taken
 * @throws {DOMException} `QuotaExceededError` when not all files have room
 */
export async function takeSnapshot(place: ImportTarget, snapshot: Snapshot): Promise<SnapshotImport> {
  const { contents } = snapshot;
  if (contents.owner.id !== place.owner) throw new RescueRefused('foreign');
  const all = await wholeFiles(snapshot);
  const words = contents.entries.filter(({ operation }) => operation !== 'upload');
  const tables = new Set(contents.entries.map(({ dataType }) => dataType));
  try {
    const isAgain = await areEditsRestored(place, contents);
    const taken = isAgain ? NOTHING : await storeContents(place, { ...contents, entries: words });
    const whole = isAgain ? await stillWanted(place, words, all) : all;
    return { ...taken, files: await takeFiles(place, snapshot, whole) };
  } finally {
    place.emit?.([...tables, 'media', QUEUE, CONFLICTS]);
  }
}
