import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { unwrap } from 'idb';
import type { PackedTable, WireRow } from '../transport/backend.ts';
import type { RecordStore } from './database-schema.ts';
import type { DatabaseTx, Mode } from './database.ts';
import { idsHere } from './ids-here.ts';
import { idsOf, packedOf, rowAt, without } from '../transport/packed-rows.ts';
import { keyAt, keyOf } from './record-key.ts';
import { cleanRecord, emptyRecord, normalise, storeOf, type VersionedRow } from './record.ts';
import type { Data, StoredRecord } from './stored.ts';

/**
 * Rows of a first pull as they came, many to a value: IndexedDB takes as long for a hundred rows together as for a few alone.
 * The engine lays them down one by one as soon as it has them all (landing.ts); until then whoever reads or changes a record
 * finds it here. A record lies in its store or in one block, never in both (decision 09).
 */
export const BULK_PREFIX = 'bulk/';

/** Stores whose rows may land. The others hold few, or what is read past `readTx`. */
export const BULK_STORES: readonly RecordStore[] = [
  'tasks',
  'policies',
  'forms',
  'inspections',
  'training',
  'scans',
  'issue_reports',
];

export const isBulkTable = (table: TableName): boolean => BULK_STORES.includes(storeOf(table));

/** Rows column by column, as they came; `at` in ms since 1970. Never changed, only replaced. */
export type Block = { columns: PackedTable; order: readonly string[]; at: number };

/**
 * A block as it lies: its columns as JSON in UTF-8, which the browser copies in one piece where it walks through a hundred
 * objects. Not as text: one dash in it would double all of it.
 */
export type StoredBlock = Omit<Block, 'columns'> & { packed: Uint8Array };

/**
 * How earlier builds laid rows: column by column, with a value for each row; one by one, those before as they are, with the
 * scopes each came through, as places in `order`.
 */
export type EarlierBlock = { order: readonly string[]; at: number } & (
  | { columns: Uint8Array }
  | { rows: Uint8Array | readonly (Data & VersionedRow)[]; named: readonly number[][] }
);

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();

/** A JSON value as the bytes it lies in. */
export const asBytes = (value: unknown): Uint8Array => ENCODER.encode(JSON.stringify(value));

const parsed = (bytes: Uint8Array): unknown => JSON.parse(DECODER.decode(bytes));

function columnsOf(stored: StoredBlock | EarlierBlock): PackedTable {
  if ('packed' in stored) return parsed(stored.packed) as PackedTable;
  if ('columns' in stored) return parsed(stored.columns) as PackedTable;
  const rows = ArrayBuffer.isView(stored.rows) ? (parsed(stored.rows) as (Data & VersionedRow)[]) : stored.rows;
  return packedOf(rows.map((row, place): WireRow => ({ ...row, _s: stored.named[place] ?? [] })));
}

/** One of its strings in the index, and where the row stands. */
export type BulkKey = { key: string; block: BulkBlock; place: number };

/** A block as it was read. */
export class BulkBlock {
  readonly id: string;
  readonly content: Block;
  private readonly owner: string;
  private readonly table: TableName;
  private readonly ids: readonly string[];
  private places: ReadonlyMap<string, number> | null = null;
  private inIndex: readonly BulkKey[] | null = null;

  constructor(owner: string, table: TableName, id: string, content: Block) {
    this.owner = owner;
    this.table = table;
    this.id = id;
    this.content = content;
    this.ids = idsOf(content.columns);
  }

  get count(): number {
    return this.ids.length;
  }

  /** Where a row stands; undefined when it is not in here. */
  find(id: string): number | undefined {
    this.places ??= new Map(this.ids.map((each, place) => [each, place]));
    return this.places.get(id);
  }

  idAt(place: number): string {
    return this.ids[place] ?? '';
  }

  /** For whoever asked: what they do with it stays with them, as it would with a record from the store. */
  record(place: number): StoredRecord {
    return structuredClone(this.bare(place));
  }

  records(): StoredRecord[] {
    return this.ids.map((_, place) => this.record(place));
  }

  /** All of them, sharing what they hold with the block: only to be stored or looked at. */
  bareRecords(): StoredRecord[] {
    return this.ids.map((_, place) => this.bare(place));
  }

  /** Only to be looked at. */
  pick(ids: ReadonlySet<string>): StoredRecord[] {
    return this.ids.flatMap((id, place) => (ids.has(id) ? this.bare(place) : []));
  }

  /** What the index of the store would hold of it. */
  keys(): readonly BulkKey[] {
    this.inIndex ??= this.ids.flatMap((_, place) =>
      [...new Set(this.bare(place).keys)].map(key => ({ key, block: this, place })),
    );
    return this.inIndex;
  }

  /** Shares what the row holds with the block: only to be stored or looked at. */
  private bare(place: number): StoredRecord {
    const { columns, order, at } = this.content;
    const { _s: named, ...row } = rowAt(columns, place);
    const scopes = (named ?? []).flatMap(name => order[name] ?? []);
    return cleanRecord(this.owner, this.table, normalise(row) as typeof row, { scopes, at });
  }
}

/** Blocks this tab has read, by owner and table, then by id: what lies under an id never changes. */
const read = new Map<string, Map<string, BulkBlock>>();

/** What transactions have asked for: rows that are asked for together must not read each block once each. */
const asked = new WeakMap<IDBTransaction, Map<string, Promise<BulkBlock[]>>>();

function askOnce(tx: IDBTransaction, id: string, ask: () => Promise<BulkBlock[]>): Promise<BulkBlock[]> {
  const all = asked.get(tx) ?? new Map<string, Promise<BulkBlock[]>>();
  asked.set(tx, all);
  const one = all.get(id) ?? ask();
  all.set(id, one);
  return one;
}

/** What lies there of one table and has not been laid down yet. One request where there is nothing. */
export async function bulkBlocksIn(tx: DatabaseTx<Mode>, owner: string, table: TableName): Promise<BulkBlock[]> {
  if (!isBulkTable(table)) return [];
  const type = BULK_PREFIX + table;
  const store = tx.objectStore(storeOf(table));
  const ids = await idsHere(tx, storeOf(table), owner, type);
  const name = `${owner}/${table}`;
  if (ids.length === 0) {
    read.delete(name);
    return [];
  }
  const before = read.get(name);
  const found = ids.map(async id => {
    const held = before?.get(id);
    const ask = async () => blocksOf(await store.get(keyAt(owner, type, id)));
    return held ? [held] : askOnce(unwrap(store).transaction, id, ask);
  });
  const blocks = (await Promise.all(found)).flat();
  read.set(name, new Map(blocks.map(block => [block.id, block])));
  return blocks;
}

/** What lay in blocks lies by itself now: it need not be kept in memory for a read that may never come. */
export function forgetBlocks(owner: string): void {
  for (const name of read.keys()) if (name.startsWith(`${owner}/`)) read.delete(name);
}

const blocksOf = (record: StoredRecord | undefined): BulkBlock[] => {
  const block = record && blockOf(record);
  return block ? [block] : [];
};

/**
 * The block in a value of a record store; null where it is anything else, and where it cannot be read: another build laid it
 * down in a way of its own, or its bytes are damaged.
 */
export function blockOf({ id, owner, type, data }: StoredRecord): BulkBlock | null {
  if (!type.startsWith(BULK_PREFIX)) return null;
  const stored = data as unknown as StoredBlock | EarlierBlock;
  try {
    const content = { columns: columnsOf(stored), order: stored.order, at: stored.at };
    return new BulkBlock(owner, type.slice(BULK_PREFIX.length) as TableName, id, content);
  } catch (error) {
    if (error instanceof TypeError || error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Lays a block down under its id, which no other block may have had. Not awaited: a failed request aborts the transaction.
 *
 * @param bytes its columns as bytes, where they were made already
 */
export function putBlock(
  tx: DatabaseTx,
  [owner, table, id]: readonly [owner: string, table: TableName, id: string],
  content: Block,
  bytes = asBytes(content.columns),
): void {
  const type = BULK_PREFIX + table;
  const { order, at } = content;
  const stored: StoredBlock = { packed: bytes, order, at };
  const value: StoredRecord = { ...emptyRecord(owner, table, id), type, data: stored };
  unwrap(tx.objectStore(storeOf(table))).put(value, keyAt(owner, type, id));
  const name = `${owner}/${table}`;
  const known = read.get(name) ?? new Map<string, BulkBlock>();
  read.set(name, known.set(id, new BulkBlock(owner, table, id, content)));
}

/** A record of this device, wherever it lies. */
export async function recordAt(
  tx: DatabaseTx<Mode>,
  owner: string,
  table: TableName,
  id: string,
): Promise<{ record: StoredRecord | undefined; block: BulkBlock | null }> {
  const [record, blocks] = await Promise.all([
    tx.objectStore(storeOf(table)).get(keyAt(owner, table, id)),
    bulkBlocksIn(tx, owner, table),
  ]);
  if (record) return { record, block: null };
  for (const block of blocks) {
    const place = block.find(id);
    if (place !== undefined) return { record: block.record(place), block };
  }
  return { record: undefined, block: null };
}

/**
 * Lays one record down by itself, because it is about to change. One after the other within a transaction: what is taken out of a
 * block twice at once would stay in one of the two blocks that follow.
 *
 * @returns the record, wherever it lay; undefined when it is not on the device
 */
export async function unpackRecord(
  tx: DatabaseTx,
  owner: string,
  table: TableName,
  id: string,
): Promise<StoredRecord | undefined> {
  const { record, block } = await recordAt(tx, owner, table, id);
  if (!record || !block) return record;
  const left = without(block.content.columns, new Set([id]));
  const store = unwrap(tx.objectStore(storeOf(table)));
  store.delete(keyAt(owner, BULK_PREFIX + table, block.id));
  if (block.count > 1) putBlock(tx, [owner, table, newId()], { ...block.content, columns: left });
  store.put(record, keyOf(record));
  return record;
}
