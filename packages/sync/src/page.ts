import type { TableName } from '@cairn/schema';
import { unwrap } from 'idb';
import type { PullAnswer } from './backend.ts';
import type { DatabaseTx } from './database.ts';
import { LAST } from './read-tx.ts';
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

type Place = {
  tx: DatabaseTx;
  owner: string;
  now: number;
  /** The device has never had everything: nearly all rows that come are new to it. */
  isFirstPull: boolean;
};
type Incoming = Data & { id: string; version: number; _s: number[] };

/** The records of these ids that are on the device, by id. */
async function present({ tx, owner }: Place, table: TableName, ids: string[]): Promise<Map<string, StoredRecord>> {
  const store = tx.objectStore(storeOf(table));
  const found = await Promise.all(ids.map(id => store.get([owner, table, id])));
  return new Map(found.flatMap(record => (record ? [[record.id, record]] : [])));
}

/** Those of many ids that are on the device. */
async function knownOf({ tx, owner }: Place, table: TableName, ids: string[]): Promise<string[]> {
  const range = IDBKeyRange.bound([owner, table, ''], [owner, table, LAST]);
  const known = new Set((await tx.objectStore(storeOf(table)).getAllKeys(range)).map(([, , id]) => id));
  return ids.filter(id => known.has(id));
}

const entriesOf = async ({ tx, owner }: Place, record: StoredRecord): Promise<QueuedEntry[]> =>
  recordEntries(
    (await tx.objectStore('sync_queue').index('record').getAll([owner, record.type, record.id])) as QueuedEntry[],
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

type Arrival = { row: Incoming; scopes: string[] };

/**
 * Adds the records that are new; asking first which these are would cost more than the adding.
 *
 * @returns those that are on the device already, untouched
 */
function addNew(place: Place, table: TableName, arrivals: Arrival[]): Promise<Arrival[]> {
  const store = unwrap(place.tx.objectStore(storeOf(table)));
  const held: Arrival[] = [];
  return new Promise((resolve, reject) => {
    // Requests of one transaction end in the order they were made: the last one's end is the end of all.
    const last = arrivals.at(-1);
    if (!last) resolve(held);
    for (const arrival of arrivals) {
      const request = store.add(arrived(place, table, { ...arrival.row }, arrival.scopes));
      if (arrival === last) request.onsuccess = () => resolve(held);
      request.onerror = event => {
        if (request.error?.name !== 'ConstraintError') return reject(request.error);
        // Not a failure of the transaction: the record is there, and is merged next.
        event.preventDefault();
        event.stopPropagation();
        held.push(arrival);
        if (arrival === last) resolve(held);
      };
    }
  });
}

/** Puts rows over what the device may hold of them. */
async function putOver(place: Place, table: TableName, arrivals: Arrival[], ids: string[]): Promise<void> {
  const known = await present(place, table, ids);
  const store = unwrap(place.tx.objectStore(storeOf(table)));
  for (const { row, scopes } of arrivals) {
    const record = known.get(row.id);
    store.put(record ? await merge(place, record, row, scopes) : arrived(place, table, row, scopes));
  }
}

/** Stores the whole rows of a page. Requests are not awaited one by one: a failed one aborts the transaction. */
export async function storeRows(place: Place, { rows, order }: PullAnswer): Promise<void> {
  for (const [name, incoming] of Object.entries(rows)) {
    const table = name as TableName;
    const arrivals = incoming.map(row => ({ row, scopes: row['_s'].flatMap(at => order[at] ?? []) }));
    const ids = incoming.map(({ id }) => id);
    if (ids.length < MANY) {
      await putOver(place, table, arrivals, ids);
    } else if (place.isFirstPull) {
      const held = await addNew(place, table, arrivals);
      await putOver(
        place,
        table,
        held,
        held.map(({ row }) => row.id),
      );
    } else {
      await putOver(place, table, arrivals, await knownOf(place, table, ids));
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
    const known = await present(
      place,
      table,
      incoming.map(([id]) => id),
    );
    const store = unwrap(place.tx.objectStore(storeOf(table)));
    for (const [id, version, named] of incoming) {
      const record = known.get(id);
      if (!record || (!record.isDirty && record.version < version)) throw new RowsNeeded(`${table} ${id}`);
      const { lost: _lost, ...held } = record;
      store.put({
        ...held,
        scopes: withScopes(
          record.scopes,
          named.flatMap(at => order[at] ?? []),
        ),
      });
    }
  }
}
