import type { TableName } from '@cairn/schema';
import { unwrap } from 'idb';
import type { PullAnswer } from './backend.ts';
import type { DatabaseTx } from './database.ts';
import { ownerRange } from './read-tx.ts';
import { idIn, keyAt, keyOf, typeRange } from './record-key.ts';
import { recordEntries } from './queue-edit.ts';
import { freshRecord, keysOf, normalise, settleRecord, storeOf } from './record.ts';
import { isStale, withScopes } from './scopes.ts';
import type { Data, QueuedEntry, StoredRecord } from './stored.ts';

/** The server named a row by its version only, and this device does not hold that version: ask again for whole rows. */
export class RowsNeeded extends Error {
  override name = 'RowsNeeded';
}

/** From here on one read of all keys is cheaper than asking for each record. */
const MANY = 64;

/** Tables that were empty when this pull began, with the ids it has brought since; null: not empty. */
export type Fresh = Map<string, Set<string> | null>;

type Place = { tx: DatabaseTx; owner: string; now: number; fresh: Fresh };
type Incoming = Data & { id: string; version: number; _s: number[] };

/** Which of many ids are on the device. In a first pull that is known without reading every key again per page. */
async function held({ tx, owner, fresh }: Place, table: TableName, ids: string[]): Promise<string[]> {
  const store = tx.objectStore(storeOf(table));
  const all = typeRange(owner, table);
  if (!fresh.has(table)) fresh.set(table, (await store.count(all)) === 0 ? new Set() : null);
  const brought = fresh.get(table);
  // What the person made here meanwhile would be in the queue.
  const queued = brought && (await tx.objectStore('sync_queue').index('order').count(ownerRange(owner)));
  if (brought && queued === 0) return ids.filter(id => brought.has(id));
  const known = new Set((await store.getAllKeys(all)).map(key => idIn(key as unknown as ArrayBuffer, owner, table)));
  return ids.filter(id => known.has(id));
}

/** The records of these ids that are on the device, by id. */
async function present(place: Place, table: TableName, ids: string[]): Promise<Map<string, StoredRecord>> {
  return recordsOf(place, table, ids.length < MANY ? ids : await held(place, table, ids));
}

async function recordsOf({ tx, owner }: Place, table: TableName, wanted: string[]): Promise<Map<string, StoredRecord>> {
  const store = tx.objectStore(storeOf(table));
  const found = await Promise.all(wanted.map(id => store.get(keyAt(owner, table, id))));
  return new Map(found.flatMap(record => (record ? [[record.id, record]] : [])));
}

const entriesOf = async ({ tx, owner }: Place, record: StoredRecord): Promise<QueuedEntry[]> =>
  recordEntries(
    (await tx
      .objectStore('sync_queue')
      .index('record')
      .getAll(keyAt(owner, record.type, record.id))) as QueuedEntry[],
  );

/** A row over what the device holds: older is ignored, unsent edits stay on top, their pinned base untouched. */
async function merge(place: Place, record: StoredRecord, row: Incoming, named: string[]): Promise<StoredRecord> {
  const scopes = withScopes(record.scopes, named);
  const { lost: _lost, ...held } = record;
  if (row.version < record.version && !isStale(record)) return { ...held, scopes };
  const next = { ...held, scopes, version: row.version, lastSync: place.now };
  const { _s: _named, ...data } = row;
  return settleRecord(next, normalise(data), record.isDirty ? await entriesOf(place, record) : []);
}

/** A record the device does not hold yet; the hot path of a first pull. */
function arrived({ owner, now }: Place, table: TableName, row: Incoming, scopes: string[]): StoredRecord {
  const { _s: _named, ...rest } = row;
  const data = normalise(rest);
  return {
    ...freshRecord(owner, table, row.id),
    data,
    lastSync: now,
    version: row.version,
    scopes,
    keys: keysOf(owner, table, data),
  };
}

/** Stores the whole rows of a page. Requests are not awaited one by one: a failed one aborts the transaction. */
export async function storeRows(place: Place, { rows, order }: Pick<PullAnswer, 'rows' | 'order'>): Promise<void> {
  for (const [name, incoming] of Object.entries(rows)) {
    const table = name as TableName;
    const known = await present(
      place,
      table,
      incoming.map(row => row.id),
    );
    const store = unwrap(place.tx.objectStore(storeOf(table)));
    for (const row of incoming) {
      const scopes = row['_s'].flatMap(at => order[at] ?? []);
      const record = known.get(row.id);
      const next = record ? await merge(place, record, row, scopes) : arrived(place, table, row, scopes);
      store.put(next, keyOf(next));
      place.fresh.get(table)?.add(row.id);
    }
  }
}

/**
 * Stores what this device itself wrote last: the content is here already, only scopes are news.
 *
 * @throws {RowsNeeded} when it is not
 */
export async function storeStubs(place: Place, { stubs, order }: PullAnswer): Promise<void> {
  for (const [name, incoming] of Object.entries(stubs)) {
    const table = name as TableName;
    const known = await recordsOf(
      place,
      table,
      incoming.map(([id]) => id),
    );
    const store = unwrap(place.tx.objectStore(storeOf(table)));
    for (const [id, version, named] of incoming) {
      const record = known.get(id);
      if (!record || (!record.isDirty && record.version < version)) throw new RowsNeeded(`${table} ${id}`);
      const { lost: _lost, ...held } = record;
      const scopes = withScopes(
        record.scopes,
        named.flatMap(at => order[at] ?? []),
      );
      const isNews =
        record.lost || scopes.length !== record.scopes.length || scopes.some(it => !record.scopes.includes(it));
      // An edit that left the record where it stood has nothing to store.
      if (isNews) store.put({ ...held, scopes }, keyOf(record));
    }
  }
}
