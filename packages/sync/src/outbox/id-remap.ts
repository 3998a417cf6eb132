import { derivedId, newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { finish } from '../transport/abandon.ts';
import { CONFLICTS, QUEUE, RENAMED, type Changes } from '../store/changes.ts';
import { RECORD_STORES } from '../store/database-schema.ts';
import type { DatabaseTx } from '../store/database.ts';
import { asUncopied, newEntry, recordEntries } from '../store/queue-edit.ts';
import { ownerRange } from '../store/read-tx.ts';
import { unpackBlocks } from '../store/bulk-load.ts';
import { keyAt, keyOf, recordsOf } from '../store/record-key.ts';
import { isTable, sameJson, rebuildRecord } from '../store/record.ts';
import { fenced, type Session } from '../store/session.ts';
import type { Data, QueueEntry, QueuedEntry, StoredRecord } from '../store/stored.ts';
import { renameUnfinished } from '../files/unfinished-work.ts';

/** What the server says to a new record whose id stands for another record there. */
export const ID_COLLISION = 'id_collision';

type Ids = ReadonlyMap<string, string>;

const isCollision = ({ operation, state, lastError }: QueueEntry): boolean =>
  operation === 'insert' && state === 'failed' && lastError === ID_COLLISION;

/** The same JSON value with every old id in it, wherever it stands, exchanged for the new one. */
export function renamed<A>(value: A, ids: Ids): A {
  const before = JSON.stringify(value) ?? 'null';
  let text = before;
  for (const [old, remapped] of ids) text = text.replaceAll(old, remapped);
  return text === before ? value : (JSON.parse(text) as A);
}

type Derivation = { parent: string; name: string };

/** What the record's id follows from; null where it follows from nothing. */
function derivationOf(table: TableName, id: string, data: Data): Derivation | null {
  const rule = syncedTables[table].derived as ((row: Data) => [unknown, string]) | undefined;
  const [parent, name] = rule?.(data) ?? [null, ''];
  return typeof parent === 'string' && derivedId(parent, name) === id ? { parent, name } : null;
}

/** The id that follows from the record once its ids are the new ones; null where it keeps its own. */
export function derivedAnew(table: TableName, id: string, data: Data, ids: Ids): string | null {
  const from = derivationOf(table, id, data);
  const remapped = from && ids.get(from.parent);
  return remapped ? derivedId(remapped, from.name) : null;
}

/**
 * New ids for what was refused, and for what follows from it; what the server has already keeps its own. A group says only
 * the first of its ids that are taken: all it makes get new ones.
 */
function remappedIds(queue: readonly QueuedEntry[], records: readonly StoredRecord[]): Ids {
  const groups = new Set(queue.filter(isCollision).flatMap(({ group }) => group ?? []));
  const isDerived = ({ dataType, dataId, data }: QueuedEntry) =>
    derivationOf(dataType as TableName, dataId, data) !== null;
  const goes = (entry: QueuedEntry) =>
    isCollision(entry) ||
    (entry.operation === 'insert' && entry.group !== undefined && groups.has(entry.group) && !isDerived(entry));
  const ids = new Map(queue.filter(goes).map(({ dataId }) => [dataId, newId()]));
  for (const { type, id, data, version } of records) {
    const remapped = isTable(type) && version === 0 && !ids.has(id) ? derivedAnew(type, id, data, ids) : null;
    if (remapped) ids.set(id, remapped);
  }
  return ids;
}

/** An entry as it goes out anew; untouched where it neither names an old id nor was refused with one that does. */
function remappedEntry(entry: QueuedEntry, ids: Ids, groups: ReadonlySet<string>): QueuedEntry {
  const { record: _record, ...fields } = entry;
  const next = renamed(fields, ids);
  if (next !== fields)
    return {
      ...asUncopied(next as QueuedEntry),
      seq: entry.seq,
      record: keyAt(entry.owner, entry.dataType, next.dataId),
    };
  const isHeld = entry.group !== undefined && groups.has(entry.group) && entry.state === 'failed';
  return isHeld ? { ...entry, state: 'waiting', lastError: null, detail: null } : entry;
}

/** What the server has under an old name, as an edit of the record that has it; null where nothing names one. */
function correction(record: StoredRecord, base: Data | null, ids: Ids, now: number): QueueEntry | null {
  if (!base) return null;
  const next = renamed(base, ids);
  const changed = Object.keys(next).filter(field => field !== 'id' && !sameJson(next[field], base[field]));
  if (changed.length === 0) return null;
  const pick = (from: Data) => Object.fromEntries(changed.map(field => [field, from[field]]));
  return newEntry(record, { operation: 'update', patch: pick(next), seen: pick(base), now, group: null });
}

type IdRemapping = { tx: DatabaseTx; ids: Ids; now: number; entries: readonly QueuedEntry[] };

async function moveRecord(
  { tx, ids, now, entries }: IdRemapping,
  store: (typeof RECORD_STORES)[number],
  record: StoredRecord,
) {
  const id = ids.get(record.id) ?? record.id;
  const records = tx.objectStore(store);
  if (!isTable(record.type)) {
    if (id === record.id) return;
    await records.delete(keyOf(record));
    await records.put({ ...record, id }, keyAt(record.owner, record.type, id));
    return;
  }
  const base = record.isDirty ? (record.base ?? null) : record.data;
  const own = recordEntries(entries.filter(entry => entry.dataType === record.type && entry.dataId === id));
  const added = correction({ ...record, id }, base, ids, now);
  if (id === record.id && !added && renamed(record.data, ids) === record.data) return;
  if (added) await tx.objectStore('sync_queue').add(added);
  const next = rebuildRecord({ ...record, id }, base, added ? [...own, added] : own);
  if (id !== record.id) await records.delete(keyOf(record));
  await records.put(next, keyOf(next));
}

async function recordsHere(tx: DatabaseTx, owner: string) {
  const all = RECORD_STORES.map(async store => {
    const records = await tx.objectStore(store).getAll(recordsOf(owner));
    return records.map(record => ({ store, record }));
  });
  return (await Promise.all(all)).flat();
}

async function exchange(session: Session, tx: DatabaseTx): Promise<Ids> {
  const { owner, platform } = session;
  const queue = tx.objectStore('sync_queue');
  const before = (await queue.index('order').getAll(ownerRange(owner))) as QueuedEntry[];
  if (!before.some(isCollision)) return new Map();
  const here = await recordsHere(tx, owner);
  const ids = remappedIds(
    before,
    here.map(({ record }) => record),
  );
  const groups = new Set(before.filter(isCollision).flatMap(({ group }) => group ?? []));
  const entries = before.map(entry => remappedEntry(entry, ids, groups));
  for (const [at, entry] of entries.entries()) if (entry !== before[at]) await queue.put(entry);
  const move = { tx, ids, now: platform.clock.now(), entries };
  for (const { store, record } of here) await moveRecord(move, store, record);
  await renameUnfinished(tx, owner, ids);
  return ids;
}

/** Old ids and new ones that a change tells of. */
function renamedIn(names: ReadonlySet<string>): Ids {
  const told = [...names].filter(name => name.startsWith(`${RENAMED}:`)).map(name => name.split(':'));
  return new Map(told.map(([, old = '', remapped = '']) => [old, remapped]));
}

/** Calls back with each rename of this device, also from another tab: a screen may stand at an id that is none any more. */
export function watchRenamed(changes: Changes, listener: (ids: Ids) => void): () => void {
  return changes.on(names => {
    const ids = renamedIn(names);
    if (ids.size > 0) listener(ids);
  });
}

async function anyCollision({ db, owner }: Session): Promise<boolean> {
  const tx = await db.transaction(['sync_queue'], 'readonly');
  const asked = tx.objectStore('sync_queue').index('order').getAll(ownerRange(owner));
  finish(tx);
  return ((await asked) as QueuedEntry[]).some(isCollision);
}

/**
 * Gives new ids to records of this device whose ids turned out to be somebody else's: nobody who guesses or knows an id can
 * keep a record from arriving. Nothing elsewhere names them yet, so that all that does is changed with them, in one
 * transaction: what is queued, what is shown, files, pieces of unfinished work.
 *
 * @param onHeartbeat called as it goes on, for the watchdog
 * @returns whether there were any, which can be sent now
 */
export async function remapCollidingIds(
  session: Session,
  signal: AbortSignal,
  onHeartbeat: () => void,
): Promise<boolean> {
  if (!(await anyCollision(session))) return false;
  // Rows that landed may name such an id too.
  await unpackBlocks(session, signal, onHeartbeat);
  const stores = [...RECORD_STORES, 'sync_queue'] as const;
  const ids = await fenced(session, { stores, durability: 'strict' }, tx => exchange(session, tx));
  if (ids.size === 0) return false;
  // The new addresses first: who follows them is there before the old ones are read in vain.
  session.changes.emit([...ids].map(([old, remapped]) => `${RENAMED}:${old}:${remapped}`));
  session.changes.emit([QUEUE, CONFLICTS, ...(Object.keys(syncedTables) as TableName[])]);
  return true;
}
