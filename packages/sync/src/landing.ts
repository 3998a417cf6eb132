import { newId } from '@cairn/base/id.ts';
import type { TableName } from '@cairn/schema';
import { unwrap } from 'idb';
import { finish } from './abandon.ts';
import type { RecordStore } from './database-schema.ts';
import type { DatabaseTx } from './database.ts';
import { blockOf, forgetBlocks, LANDED, LANDING_STORES, mayLand, putBlock, type Block } from './landed.ts';
import type { LandingSize } from './platform.ts';
import { idIn, keyOf, typeRange, typesRange } from './record-key.ts';
import { normalise, storeOf } from './record.ts';
import { fenced, type Session } from './session.ts';
import type { Data } from './stored.ts';

/** A row of a page: `_s` are places in the page's scopes. */
export type Incoming = Data & { id: string; version: number; _s: number[] };

/** Tables that were empty when this pull began, with the ids it has brought since; null: not empty. */
export type Fresh = Map<string, Set<string> | null>;

export type Place = { tx: DatabaseTx; owner: string; now: number; fresh: Fresh; landing: Landing | null };

/** As much of a session as it takes to lay rows down. */
type Lead = Pick<Session, 'db' | 'owner' | 'epoch'>;

/** What came now touches rows that landed and must be laid down one by one first; nothing was stored. */
export class LaidDownFirst extends Error {
  override name = 'LaidDownFirst';
}

/** Blocks laid down in one transaction: a save in between waits for it. */
const BLOCKS_AT_ONCE = 3;

/** The ids this pull has brought of a table that was empty before it; null where it was not. */
export async function broughtOf({ tx, owner, fresh }: Place, table: TableName): Promise<Set<string> | null> {
  if (!fresh.has(table)) {
    const count = await tx.objectStore(storeOf(table)).count(typeRange(owner, table));
    fresh.set(table, count === 0 ? new Set() : null);
  }
  return fresh.get(table) ?? null;
}

/** The rows of one pull that land: those of tables which had none before it. */
export class Landing {
  private readonly size: LandingSize;
  private readonly tables = new Set<TableName>();
  private landed = 0;
  private isOpen = true;

  constructor(size: LandingSize) {
    this.size = size;
  }

  /** Whether there is anything to be laid down. */
  get hasLanded(): boolean {
    return this.landed > 0;
  }

  /** Everything was laid down: from here on rows are stored one by one. */
  close(): void {
    this.isOpen = false;
    this.landed = 0;
    this.tables.clear();
  }

  /**
   * Lets rows land that are not on the device in any way.
   *
   * @returns what is to be stored one by one
   * @throws {LaidDownFirst} when one of them has landed before
   */
  async take(place: Place, table: TableName, rows: Incoming[], order: readonly string[]): Promise<Incoming[]> {
    const isMany = rows.length >= this.size.least || this.tables.has(table);
    if (!this.isOpen || !isMany || !mayLand(table)) return rows;
    const brought = await broughtOf(place, table);
    if (!brought) return rows;
    const here = await alone(place, table);
    const others = rows.filter(({ id }) => !here.has(id));
    if (this.landed + others.length > this.size.most || others.some(({ id }) => brought.has(id))) {
      if (this.hasLanded) throw new LaidDownFirst(table);
      return rows;
    }
    for (let at = 0; at < others.length; at += this.size.block) {
      const part = others.slice(at, at + this.size.block);
      putBlock(place.tx, place.owner, table, newId(), blockFrom(part, order, place.now));
    }
    for (const { id } of others) brought.add(id);
    this.landed += others.length;
    this.tables.add(table);
    return rows.filter(({ id }) => here.has(id));
  }
}

/** Ids of the records that lie by themselves. */
async function alone({ tx, owner }: Place, table: TableName): Promise<Set<string>> {
  const keys = await tx.objectStore(storeOf(table)).getAllKeys(typeRange(owner, table));
  return new Set(keys.map(key => idIn(key as unknown as ArrayBuffer, owner, table)));
}

function blockFrom(rows: readonly Incoming[], order: readonly string[], at: number): Block {
  const clean = rows.map(({ _s: _named, ...row }) => normalise(row) as Block['rows'][number]);
  return { rows: clean, named: rows.map(row => row['_s']), order, at };
}

async function withBlocks({ db, owner }: Lead): Promise<RecordStore[]> {
  const tx = await db.transaction(LANDING_STORES, 'readonly');
  const counts = LANDING_STORES.map(name => tx.objectStore(name).count(typesRange(owner, LANDED)));
  finish(tx);
  const found = await Promise.all(counts);
  return LANDING_STORES.filter((_, at) => (found[at] ?? 0) > 0);
}

/** @returns whether there was anything */
async function layDownSome(tx: DatabaseTx, owner: string, name: RecordStore): Promise<boolean> {
  const landed = await tx.objectStore(name).getAll(typesRange(owner, LANDED), BLOCKS_AT_ONCE);
  const store = unwrap(tx.objectStore(name));
  for (const value of landed) {
    for (const record of blockOf(value)?.records() ?? []) store.put(record, keyOf(record));
    store.delete(keyOf(value));
  }
  return landed.length > 0;
}

/**
 * Lays everything down that landed, each record by itself; what has not come so far lies where it was. The engine's own work on
 * records of the server expects that nothing lies in blocks.
 *
 * @param onBeat called as it goes on, for the watchdog
 * @throws {Fenced} when another session leads by now
 */
export async function layDownLanded(session: Lead, signal: AbortSignal, onBeat: () => void): Promise<void> {
  for (const name of await withBlocks(session)) {
    let isMore = true;
    while (isMore) {
      signal.throwIfAborted();
      onBeat();
      isMore = await fenced(session, { stores: [name] }, tx => layDownSome(tx, session.owner, name));
    }
  }
  forgetBlocks(session.owner);
}
