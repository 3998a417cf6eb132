import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { syncedTables } from '@cairn/schema/synced-tables.ts';
import { unwrap } from 'idb';
import { finish, isDomError } from '../transport/abandon.ts';
import type { RecordStore } from './database-schema.ts';
import type { DatabaseTx } from './database.ts';
import type { PackedTable, SomeRows, WireRow } from '../transport/backend.ts';
import { DIGEST_ASKED, DIGEST_DUE } from './health.ts';
import { blockOf, forgetBlocks, BULK_PREFIX, BULK_STORES, isBulkTable, asBytes, putBlock } from './bulk-block.ts';
import type { BulkLoadSize } from '../transport/platform.ts';
import { idsHere } from './ids-here.ts';
import { keyOf, typeRange, typesRange } from './record-key.ts';
import { countOf, headsOf, idsOf, packedOf, rowsOf, sliceOf, without } from '../transport/packed-rows.ts';
import { storeOf } from './record.ts';
import { FencedError, fenced, type Session } from './session.ts';

/** Which version of a row came, and through which scopes: places in an answer's `order`. */
type PulledRow = { version: number; named: readonly number[]; order: readonly string[] };

/** Tables that were empty when this pull began, with what it has brought since, by id; null: not empty. */
export type PulledByTable = Map<string, Map<string, PulledRow> | null>;

/** What one transaction brings of a table; it is `ArrivalsByTable` once that has ended well. */
type NotedRows = { table: TableName; rows: SomeRows; order: readonly string[] };

export type PageContext = {
  tx: DatabaseTx;
  owner: string;
  now: number;
  emptyTables: PulledByTable;
  noted: NotedRows[];
  bulkLoad: BulkLoad | null;
};

/** As much of a session as it takes to lay rows down. */
type LeaderSession = Pick<Session, 'db' | 'owner' | 'epoch'>;

/** What came now touches rows that landed and must be laid down one by one first; nothing was stored. */
export class UnpackRequired extends Error {
  override name = 'UnpackRequired';
}

/** Bytes of rows: values of 64 kB, with the names of their scopes and all, go to files of their own in Chromium. */
const BLOCK_WEIGHT = 50_000;
/** Of the rows that would fit by their mean weight, for some weigh more: a block that is too heavy was written in vain. */
const NEARLY = 0.9;
/** Bytes that may have landed at a time, as of rows (`LandingSize`). */
const MAX_BULK_BYTES = 16_000_000;
/** Blocks laid down in one transaction: a save in between waits for it. */
const BLOCKS_AT_ONCE = 3;

/** What this pull has brought of a table that was empty before it; null where it was not. */
export async function pulledBefore(
  { tx, owner, emptyTables }: PageContext,
  table: TableName,
): Promise<Map<string, PulledRow> | null> {
  if (!emptyTables.has(table)) {
    const count = await tx.objectStore(storeOf(table)).count(typeRange(owner, table));
    emptyTables.set(table, count === 0 ? new Map() : null);
  }
  return emptyTables.get(table) ?? null;
}

/** Remembers what a transaction has brought: only now does it lie there. Nothing where the table was not empty before the pull. */
export function remember(emptyTables: PulledByTable, noted: readonly NotedRows[]): void {
  for (const { table, rows, order } of noted) {
    const pulled = emptyTables.get(table);
    if (!pulled) continue;
    for (const { id, version, named } of headsOf(rows)) pulled.set(id, { version, named, order });
  }
}

const isSame = (before: PulledRow, { version, named, order }: PulledRow): boolean => {
  if (before.version !== version || before.named.length !== named.length) return false;
  const scopes = before.named.map(place => before.order[place]);
  return named.every(place => scopes.includes(order[place]));
};

/** Without the rows this pull has brought before, as they are: a ready page holds them again, whoever reads it. */
export function withoutPulled<R extends SomeRows>(
  { emptyTables }: Pick<PageContext, 'emptyTables'>,
  table: TableName,
  rows: R,
  order: readonly string[],
): R {
  const pulled = emptyTables.get(table);
  if (!pulled || pulled.size === 0) return rows;
  const again = headsOf(rows).filter(({ id, version, named }) => {
    const before = pulled.get(id);
    return before && isSame(before, { version, named, order });
  });
  return without(rows, new Set(again.map(({ id }) => id)));
}

/** The rows of one pull that land: those of tables which had none before it. */
export class BulkLoad {
  private readonly size: BulkLoadSize;
  private readonly tables = new Set<TableName>();
  private rowCount = 0;
  private weight = 0;
  private isOpen = true;

  constructor(size: BulkLoadSize) {
    this.size = size;
  }

  /** Whether there is anything to be laid down. */
  get hasBlocks(): boolean {
    return this.rowCount > 0;
  }

  /** Everything was laid down: from here on rows are stored one by one. */
  close(): void {
    this.isOpen = false;
    this.rowCount = 0;
    this.weight = 0;
    this.tables.clear();
  }

  /**
   * Lets rows land that are not on the device in any way.
   *
   * @returns what is to be stored one by one
   * @throws {UnpackRequired} when one of them has landed before
   */
  async take(
    place: PageContext,
    table: TableName,
    rows: SomeRows,
    order: readonly string[],
  ): Promise<readonly WireRow[]> {
    const isMany = countOf(rows) >= this.size.least || this.tables.has(table);
    if (!this.isOpen || !isMany || !isBulkTable(table)) return rowsOf(rows);
    const pulled = await pulledBefore(place, table);
    if (!pulled) return rowsOf(rows);
    const here = await aloneOrQueued(place, table);
    const others = without(rows, here);
    const ids = idsOf(others);
    const parts = inParts(packedOf(others), this.size.block);
    const weight = parts.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const isTooMuch = this.rowCount + ids.length > this.size.most || this.weight + weight > MAX_BULK_BYTES;
    if (isTooMuch || ids.some(id => pulled.has(id)) || new Set(ids).size < ids.length) {
      if (this.hasBlocks) throw new UnpackRequired(table);
      return rowsOf(rows);
    }
    const { tx, owner, now: at } = place;
    for (const { columns, bytes } of parts) putBlock(tx, [owner, table, newId()], { columns, order, at }, bytes);
    this.weight += weight;
    place.noted.push({ table, rows: others, order });
    this.rowCount += ids.length;
    this.tables.add(table);
    return others === rows ? [] : rowsOf(rows).filter(({ id }) => here.has(id));
  }
}

/** Ids of the records that lie by themselves, or will: something of theirs waits to be sent. */
async function aloneOrQueued({ tx, owner }: PageContext, table: TableName): Promise<Set<string>> {
  const [alone, entries] = await Promise.all([
    idsHere(tx, storeOf(table), owner, table),
    tx.objectStore('sync_queue').index('record').getAll(typeRange(owner, table)),
  ]);
  return new Set([...alone, ...entries.map(({ dataId }) => dataId)]);
}

type Part = { columns: PackedTable; bytes: Uint8Array };

/** At most so many rows each, and not heavier than a block should be; a heavy row is one by itself. */
function inParts(rows: PackedTable, most: number): Part[] {
  const parts: Part[] = [];
  const count = countOf(rows);
  let each = most;
  for (let at = 0; at < count;) {
    const columns = sliceOf(rows, at, at + each);
    const [some, bytes] = [countOf(columns), asBytes(columns)];
    const share = BLOCK_WEIGHT / bytes.length;
    if (share < 1 && some > 1) {
      each = Math.max(1, Math.min(some - 1, Math.floor(some * share * NEARLY)));
      continue;
    }
    parts.push({ columns, bytes });
    at += some;
    if (share > 2) each = Math.min(most, each * 2);
  }
  return parts;
}

async function storesWithBlocks({ db, owner }: LeaderSession): Promise<RecordStore[]> {
  const tx = await db.transaction(BULK_STORES, 'readonly');
  const counts = BULK_STORES.map(name => tx.objectStore(name).count(typesRange(owner, BULK_PREFIX)));
  finish(tx);
  const found = await Promise.all(counts);
  return BULK_STORES.filter((_, at) => (found[at] ?? 0) > 0);
}

/** Of the tables this build knows: what a newer one let land waits for it. */
async function tablesWithBlocks({ db, owner }: LeaderSession, name: RecordStore): Promise<TableName[]> {
  const tables = (Object.keys(syncedTables) as TableName[]).filter(table => storeOf(table) === name);
  const store = (await db.transaction([name], 'readonly')).objectStore(name);
  const counts = tables.map(table => store.count(typeRange(owner, BULK_PREFIX + table)));
  const found = await Promise.all(counts);
  return tables.filter((_, at) => (found[at] ?? 0) > 0);
}

/** What lies by itself is later than what landed. */
function unlessThere(event: Event): void {
  if ((event.target as IDBRequest).error?.name !== 'ConstraintError') return;
  event.preventDefault();
  event.stopPropagation();
}

/** @returns whether there may be more */
async function unpackSome(tx: DatabaseTx, owner: string, table: TableName): Promise<boolean> {
  const records = tx.objectStore(storeOf(table));
  const blocks = await records.getAll(typeRange(owner, BULK_PREFIX + table), BLOCKS_AT_ONCE);
  const store = unwrap(records);
  for (const value of blocks) {
    const block = blockOf(value);
    for (const record of block?.bareRecords() ?? []) store.add(record, keyOf(record)).onerror = unlessThere;
    store.delete(keyOf(value));
    // The server has all that landed: what cannot be read here comes again with the comparison.
    if (!block) await tx.objectStore('meta').put({ owner, name: DIGEST_DUE, value: DIGEST_ASKED });
  }
  return blocks.length === BLOCKS_AT_ONCE;
}

/**
 * Lays everything down that landed, each record by itself; what has not come so far lies where it was. The engine's own work on
 * records of the server expects that nothing lies in blocks.
 *
 * @param onHeartbeat called as it goes on, for the watchdog
 * @throws {FencedError} when another session leads by now
 */
export async function unpackBlocks(
  session: LeaderSession,
  signal: AbortSignal,
  onHeartbeat: () => void,
): Promise<void> {
  const { owner } = session;
  for (const name of await storesWithBlocks(session)) {
    for (const table of await tablesWithBlocks(session, name)) {
      for (let isMore = true; isMore;) {
        signal.throwIfAborted();
        onHeartbeat();
        isMore = await fenced(session, { stores: [name] }, tx => unpackSome(tx, owner, table));
      }
    }
  }
  forgetBlocks(owner);
}

/**
 * As `unpackBlocks`, where nothing may hang on it: whatever it fails of, all stays where it landed, and what waits to be sent
 * goes all the same.
 *
 * @throws {FencedError} when another session leads by now
 */
export async function unpackIfPossible(session: LeaderSession): Promise<void> {
  await unpackBlocks(session, new AbortController().signal, () => undefined).catch((error: unknown) => {
    if (error instanceof FencedError) throw error;
    if (!isDomError(error, 'QuotaExceededError')) globalThis.reportError?.(error);
  });
}
