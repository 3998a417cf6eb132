import type { TableName } from '@cairn/schema';
import { unwrap } from 'idb';
import type { Page, SomeRows, WireRow } from '../transport/backend.ts';
import { idsHere } from '../store/ids-here.ts';
import { resendFiles } from '../push/journal.ts';
import { bulkBlocksIn } from '../store/bulk-block.ts';
import { pulledBefore, UnpackRequired, withoutPulled, type PageContext } from '../store/bulk-load.ts';
import { rowsOf } from '../transport/packed-rows.ts';
import { ownerRange } from '../store/read-tx.ts';
import { keyAt, keyOf } from '../store/record-key.ts';
import { recordEntries } from '../store/queue-edit.ts';
import { cleanRecord, normalise, rebuildRecord, storeOf } from '../store/record.ts';
import { isStale, withScopes } from '../access/scopes.ts';
import type { QueuedEntry, StoredRecord } from '../store/stored.ts';

/** The server named a row by its version only, and this device does not hold that version: ask again for whole rows. */
export class MissingRowsError extends Error {
  override name = 'MissingRowsError';
}

/** Up to here each record is asked for. */
const FEW = 8;
/** From here on one read of all keys is cheaper than asking for each record. */
const MANY = 512;

/** Those of these ids that may be on the device. In a first pull that is known without asking for any. */
async function held(place: PageContext, table: TableName, ids: string[]): Promise<string[]> {
  if (ids.length <= FEW) return ids;
  const { tx, owner } = place;
  const pulled = await pulledBefore(place, table);
  // What the person made here meanwhile would be in the queue.
  const queued = pulled && (await tx.objectStore('sync_queue').index('order').count(ownerRange(owner)));
  if (pulled && queued === 0) return ids.filter(id => pulled.has(id));
  if (ids.length < MANY) return ids;
  const known = new Set(await idsHere(tx, storeOf(table), owner, table));
  return ids.filter(id => known.has(id));
}

/** The records of these ids that are on the device, by id. */
async function present(place: PageContext, table: TableName, ids: string[]): Promise<Map<string, StoredRecord>> {
  return recordsOf(place, table, await held(place, table, ids));
}

async function recordsOf(
  { tx, owner }: PageContext,
  table: TableName,
  wanted: string[],
): Promise<Map<string, StoredRecord>> {
  const store = tx.objectStore(storeOf(table));
  const found = await Promise.all(wanted.map(id => store.get(keyAt(owner, table, id))));
  return new Map(found.flatMap(record => (record ? [[record.id, record]] : [])));
}

const entriesOf = async ({ tx, owner }: PageContext, record: StoredRecord): Promise<QueuedEntry[]> =>
  recordEntries(
    (await tx
      .objectStore('sync_queue')
      .index('record')
      .getAll(keyAt(owner, record.type, record.id))) as QueuedEntry[],
  );

/** A row over what the device holds: older is ignored, unsent edits stay on top, their pinned base untouched. */
async function merge(place: PageContext, record: StoredRecord, row: WireRow, named: string[]): Promise<StoredRecord> {
  const scopes = withScopes(record.scopes, named);
  const { lost: _lost, isSubmitted: _isSubmitted, ...held } = record;
  if (row.version < record.version && !isStale(record)) return { ...held, scopes };
  const next = { ...held, scopes, version: row.version, lastSync: place.now };
  const { _s: _named, ...data } = row;
  return rebuildRecord(next, normalise(data), record.isDirty ? await entriesOf(place, record) : []);
}

/** A record the device does not hold yet. */
function arrived({ owner, now }: PageContext, table: TableName, row: WireRow, scopes: string[]): StoredRecord {
  const { _s: _named, ...data } = row;
  return cleanRecord(owner, table, normalise(data) as typeof data, { scopes, at: now });
}

type TableRows = Pick<Page, 'order'> & { table: TableName; all: SomeRows };

/** Requests are not awaited one by one: a failed one aborts the transaction. */
async function storeTable(place: PageContext, { table, all, order }: TableRows): Promise<void> {
  const news = withoutPulled(place, table, all, order);
  const incoming = place.bulkLoad ? await place.bulkLoad.take(place, table, news, order) : rowsOf(news);
  const known = await present(
    place,
    table,
    incoming.map(row => row.id),
  );
  const store = unwrap(place.tx.objectStore(storeOf(table)));
  const stored: StoredRecord[] = [];
  for (const row of incoming) {
    const scopes = row['_s'].flatMap(at => order[at] ?? []);
    const record = known.get(row.id);
    const next = record ? await merge(place, record, row, scopes) : arrived(place, table, row, scopes);
    store.put(next, keyOf(next));
    stored.push(next);
  }
  // A file whose bytes lie here as sent, though the server has none: it was restored to a time before they came.
  if (table === 'media') await resendFiles(place.tx, place.owner, place.now, stored);
  place.noted.push({ table, rows: incoming, order });
}

/**
 * Stores the whole rows of a page. No table waits for another: a first page brings a dozen of a few rows each, and one after the
 * other they take as long as thousands.
 */
export async function storeRows(place: PageContext, { rows, order }: Pick<Page, 'rows' | 'order'>): Promise<void> {
  const tables = Object.entries(rows).map(([name, all]) => ({ table: name as TableName, all, order }));
  await Promise.all(tables.map(each => storeTable(place, each)));
}

/** What a stub may speak of, by id: what landed, which is in memory, and what lies by itself. */
async function named(place: PageContext, table: TableName, ids: string[]) {
  const blocks = place.bulkLoad?.hasBlocks ? await bulkBlocksIn(place.tx, place.owner, table) : [];
  const wanted = new Set(ids);
  const bulkRecords = new Map(blocks.flatMap(block => block.pick(wanted).map(record => [record.id, record])));
  const alone = await recordsOf(
    place,
    table,
    ids.filter(id => !bulkRecords.has(id)),
  );
  return { alone, bulkRecords };
}

/** The record with the scopes of a stub; null where they are no news: an edit that left the record where it stood. */
function throughScopes(record: StoredRecord, through: string[]): StoredRecord | null {
  const { lost, isSubmitted, ...held } = record;
  const scopes = withScopes(record.scopes, through);
  const isNews =
    lost || isSubmitted || scopes.length !== record.scopes.length || scopes.some(it => !record.scopes.includes(it));
  // Nothing of what was handed over is queued but bytes: the row is the server's again.
  return isNews ? { ...held, scopes, ...(isSubmitted && { isDirty: false, base: null }) } : null;
}

/**
 * Stores what this device holds by another way already (it wrote it last, or another scope brought it): the content is here,
 * only scopes are news.
 *
 * @throws {MissingRowsError} when it is not here
 * @throws {UnpackRequired} when it has landed, and something is news
 */
export async function storeStubs(place: PageContext, { stubs, order }: Page): Promise<void> {
  for (const [name, incoming] of Object.entries(stubs)) {
    const table = name as TableName;
    const ids = incoming.map(([id]) => id);
    const { alone, bulkRecords } = await named(place, table, ids);
    const store = unwrap(place.tx.objectStore(storeOf(table)));
    for (const [id, version, places] of incoming) {
      const record = alone.get(id) ?? bulkRecords.get(id);
      // Unsent edits on it say nothing: one device may be two people's, and to the server what either wrote is its own. Nor does the
      // version of a record that waits to be seen again: a restored server counts from an earlier one.
      if (!record || record.version < version || isStale(record)) throw new MissingRowsError(`${table} ${id}`);
      const next = throughScopes(
        record,
        places.flatMap(at => order[at] ?? []),
      );
      if (next && bulkRecords.has(id)) throw new UnpackRequired(`${table} ${id}`);
      if (next) store.put(next, keyOf(next));
    }
  }
}
