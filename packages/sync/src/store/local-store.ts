import { Failure } from '@cairn/base/failure.ts';
import type { Clock } from '@cairn/base/clock.ts';
import type { TableName } from '@cairn/schema';
import { QUEUE, watchRead, type Changes } from './changes.ts';
import { RECORD_STORES, type AnyStore } from './database-schema.ts';
import { abandon, finish, isDomError, unlessFull } from '../transport/abandon.ts';
import { releaseReserve, allocateReserve } from './reserve-block.ts';
import type { DatabaseTx, LocalDatabase } from './database.ts';
import { freeSpace } from './file-cache.ts';
import { readTx } from './read-tx.ts';
import { storeOf } from './record.ts';
import type { Query, Store, Tx, WriteOptions, WriteTx } from '../store.ts';
import { QuotaUnknownError, writeTx, type Size } from './write-tx.ts';

type Options = {
  db: LocalDatabase;
  owner: string;
  /** Id of the device the database is of. */
  device: string;
  clock: Clock;
  changes: Changes;
  /** Bytes set aside (`allocateReserve`), and as many at the end of the storage that are for words. */
  reserveBytes?: number;
  /** Bytes the device may still take; files are refused before the last of them. */
  left?: () => Promise<number>;
};

/** Bytes freed for a save that carries no file. */
const SPACE_FOR_EDITS = 4 * 1024 * 1024;

/** ms: the browser gives deleted bytes back some seconds later. */
const FREED_AFTER_MS = [0, 250, 750, 2000, 4000];

const WRITABLE: readonly AnyStore[] = [...RECORD_STORES, 'sync_queue'];

/** Notes which stores a write reaches for, so that the next write of its name locks no more than these. */
function noted(tx: DatabaseTx, used: Set<AnyStore>): DatabaseTx {
  const objectStore = (name: AnyStore) => {
    used.add(name);
    return tx.objectStore(name);
  };
  return { objectStore } as unknown as DatabaseTx;
}

/** Rows that landed in another tab (bulk-load.ts) take a second trip: then only `read` can say. */
function unlessEnded(error: unknown): null {
  if (isDomError(error, 'TransactionInactiveError') || isDomError(error, 'InvalidStateError')) return null;
  throw error;
}

class LocalStore implements Store {
  private readonly options: Options;
  /** Which stores each named write has reached for. */
  private readonly learned = new Map<string, Set<AnyStore>>();
  /** Names of writes that have carried a file: what fits is asked before they begin. */
  private readonly withFiles = new Set<string>();

  constructor(options: Options) {
    this.options = options;
  }

  get owner(): string {
    return this.options.owner;
  }

  read<A>(query: Query<A>): Promise<A> {
    return this.reading(query.tables, tx => query.read(tx));
  }

  private async reading<A>(tables: Query<A>['tables'], work: (tx: Tx) => Promise<A>, isOneTrip = false): Promise<A> {
    // A query over no table (a list of records that happens to be empty) still needs a transaction over something.
    const stores = new Set<AnyStore>(tables.length > 0 ? tables.map(storeOf) : ['settings']);
    const tx = await this.options.db.transaction([...stores], 'readonly');
    const asked = work(readTx(tx, this.owner));
    // Said with the questions: a save that comes next does not wait until this page has looked at the answers.
    if (isOneTrip) finish(tx);
    const answer = await asked;
    await tx.done;
    return answer;
  }

  watch<A>(query: Query<A>, onAnswer: (answer: A) => void, onError: (error: unknown) => void): () => void {
    const { changes } = this.options;
    const { tables } = query;
    const renew = query.renew?.bind(query);
    return watchRead<A>({
      changes,
      names: tables,
      read: () => this.read(query),
      ...(renew && {
        renew: (before, changed) => this.reading(tables, tx => renew(before, changed, tx), true).catch(unlessEnded),
      }),
      onAnswer,
      onError,
    });
  }

  async write<A>(name: string, change: (tx: WriteTx) => Promise<A>, options?: WriteOptions): Promise<A> {
    const size: Size = { bytes: 0, left: null, editsOnly: false, isRefused: false };
    const job = () => ({ change, together: options?.together ?? false, used: new Set<AnyStore>(['sync_queue']), size });
    let full: unknown;
    for (const makeSpace of [null, ...this.spaces(size)]) {
      if (makeSpace && !(await makeSpace())) continue;
      for (const wait of makeSpace ? FREED_AFTER_MS : [0]) {
        if (wait > 0) await this.pause(wait);
        try {
          return await this.measured(name, job, size);
        } catch (error) {
          if (!isDomError(error, 'QuotaExceededError')) throw error;
          full = error;
        }
        if (size.isRefused) break;
      }
    }
    if (size.editsOnly) await this.refillReserve();
    throw new Failure('storage_full', `write ${name}: the device has no room`, { cause: full });
  }

  private async measured<A>(name: string, job: () => Job<A>, size: Size): Promise<A> {
    const ask = async () => Object.assign(size, { bytes: 0, left: await this.spaceForFiles() });
    if (this.withFiles.has(name)) await ask();
    else size.bytes = 0;
    try {
      return await this.inScope(name, job());
    } catch (error) {
      if (!(error instanceof QuotaUnknownError)) throw error;
      this.withFiles.add(name);
      await ask();
      return this.inScope(name, job());
    }
  }

  /** Bytes. A browser that does not say lets everything through; its refusal then comes with the write. */
  private async spaceForFiles(): Promise<number> {
    const { left, reserveBytes = 0 } = this.options;
    return left ? Math.max(0, (await left()) - reserveBytes) : Number.POSITIVE_INFINITY;
  }

  /**
   * What makes room, one after the other, each saying whether it made any: files that can be fetched again, few first, then
   * all; last the ballast, which is for words: one photo would eat it.
   */
  private spaces(size: Size): (() => Promise<boolean>)[] {
    const { db } = this.options;
    return [
      async () => (await freeSpace(db, Math.max(size.bytes, SPACE_FOR_EDITS) * 2)) > 0,
      async () => (await freeSpace(db, Number.MAX_SAFE_INTEGER)) > 0,
      async () => {
        if (size.bytes > 0 || !(await releaseReserve(db))) return false;
        size.editsOnly = true;
        return true;
      },
    ];
  }

  private pause(ms: number): Promise<void> {
    return new Promise(resolve => void this.options.clock.after(ms, resolve));
  }

  /** It was a file after all that asked for the room: nothing was saved on it, the next words may need it. */
  private async refillReserve(): Promise<void> {
    await unlessFull(allocateReserve(this.options.db, this.options.reserveBytes ?? 0));
  }

  /** Locks what this write has used before; when it reaches further, it is undone and run again over everything. */
  private async inScope<A>(name: string, job: Job<A>): Promise<A> {
    const known = this.learned.get(name);
    try {
      return await this.attempt(known ? [...known] : WRITABLE, job);
    } catch (error) {
      const outside = known && [...job.used].some(store => !known.has(store));
      if (!outside) throw error;
      return await this.attempt(WRITABLE, job);
    } finally {
      this.learned.set(name, new Set([...(known ?? []), ...job.used]));
    }
  }

  private async attempt<A>(stores: readonly AnyStore[], job: Job<A>): Promise<A> {
    const { db, owner, device, clock, changes } = this.options;
    const begun = db.transaction(stores, 'readwrite', 'strict');
    // What is asked for before the first `await` is on its way before the screen is drawn again: a person waits for it.
    const tx = begun instanceof Promise ? await begun : begun;
    const changed = new Map<TableName, Set<string>>();
    const write = writeTx({
      tx: noted(tx, job.used),
      owner,
      device,
      now: clock.now(),
      together: job.together,
      changed,
      size: job.size,
    });
    let answer: A;
    try {
      answer = await job.change(write);
      write.check();
      finish(tx);
    } catch (error) {
      await abandon(tx);
      throw error;
    }
    await tx.done;
    if (changed.size > 0) changes.emit([...changed.keys(), QUEUE], changed);
    return answer;
  }
}

/** One person's copy in the device database. A write is saved when it resolves: strict, after `complete`. */
export const openStore = (options: Options): Store => new LocalStore(options);

type Job<A> = {
  change: (tx: WriteTx) => Promise<A>;
  together: boolean;
  used: Set<AnyStore>;
  size: Size;
};
