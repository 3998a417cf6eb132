import { Failure } from '@cairn/base/failure.ts';
import { openDB, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { abandon, isDomError } from '../transport/abandon.ts';
import { createStores, type AnyStore, type CairnMobile } from './database-schema.ts';
import { upgradeFromFirst } from './database-upgrade.ts';
import { beginFreshLog } from './new-log.ts';

export const DATABASE_NAME = 'cairn_mobile';
/** Stays 2 for good: a new area brings key prefixes, never a store or an index. */
export const DATABASE_VERSION = 2;

export type Mode = 'readonly' | 'readwrite';
export type DatabaseTx<M extends Mode = 'readwrite'> = IDBPTransaction<CairnMobile, AnyStore[], M>;
export type Durability = 'strict' | 'relaxed';

/** The open device database. It reopens itself when the browser closed it; an unfinished write then fails visibly. */
export interface LocalDatabase {
  readonly name: string;
  /** Begun already where the connection is there: what is asked of it before the next `await` is on its way at once. */
  transaction<M extends Mode>(
    stores: readonly AnyStore[],
    mode: M,
    durability?: Durability,
  ): DatabaseTx<M> | Promise<DatabaseTx<M>>;
  close(): void;
}

type OpenDatabase = {
  db: IDBPDatabase<CairnMobile>;
  /** Nothing is written before it has ended; reading does not wait. */
  freshLog: Promise<void>;
};

async function openNative(name: string, onLost: () => void): Promise<OpenDatabase> {
  try {
    const db = await openDB<CairnMobile>(name, DATABASE_VERSION, {
      upgrade(db, oldVersion, _newVersion, tx) {
        if (oldVersion === 0) createStores(db);
        // A failure aborts the versionchange transaction, and with it the opening.
        else upgradeFromFirst(db, tx).catch(() => abandon(tx));
      },
      // Another tab runs newer code: step aside, or its upgrade waits for ever.
      blocking: (_current, _blocked, event) => {
        (event.target as IDBDatabase).close();
        onLost();
      },
      terminated: onLost,
    });
    const freshLog = beginFreshLog(name);
    // Whoever writes hears of it.
    freshLog.catch(() => undefined);
    return { db, freshLog };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'VersionError') {
      throw new Failure('stale_version', `database ${name} was opened by a newer Cairn`, { cause: error });
    }
    throw error;
  }
}

/** The connection, made anew where the browser closed it. */
class Connection {
  private readonly name: string;
  private opened: Promise<OpenDatabase> | null = null;
  /** Open, with a fresh log. */
  private ready: IDBPDatabase<CairnMobile> | null = null;
  closed = false;

  constructor(name: string) {
    this.name = name;
  }

  open(): Promise<OpenDatabase> {
    if (this.closed) throw new Error(`database ${this.name} is closed`);
    this.opened ??= openNative(this.name, () => this.lose()).catch((error: unknown) => {
      this.lose();
      throw error;
    });
    return this.opened;
  }

  lose(): void {
    this.opened = null;
    this.ready = null;
  }

  /** Begins at once where it can: what a person does is on its way before the screen is drawn again. Null where it cannot. */
  beginAtOnce<M extends Mode>(stores: readonly AnyStore[], mode: M, durability: Durability): DatabaseTx<M> | null {
    try {
      return this.ready && this.ready.transaction([...stores], mode, { durability });
    } catch (error) {
      this.mind(error);
      return null;
    }
  }

  async begin<M extends Mode>(stores: readonly AnyStore[], mode: M, durability: Durability): Promise<DatabaseTx<M>> {
    try {
      return await this.beginOpen(stores, mode, durability);
    } catch (error) {
      this.mind(error);
      return this.beginOpen(stores, mode, durability);
    }
  }

  /** Closed under us before anything was done: a new connection may be used in its place. Anything else is thrown on. */
  private mind(error: unknown): void {
    if (this.closed || !isDomError(error, 'InvalidStateError')) throw error;
    this.lose();
  }

  private async beginOpen<M extends Mode>(
    stores: readonly AnyStore[],
    mode: M,
    durability: Durability,
  ): Promise<DatabaseTx<M>> {
    const { db, freshLog } = await this.open();
    if (mode === 'readwrite') {
      await freshLog;
      if (this.opened) this.ready = db;
    }
    return db.transaction([...stores], mode, { durability });
  }

  close(): void {
    this.closed = true;
    void this.opened?.then(({ db }) => db.close());
    this.lose();
  }
}

/**
 * Opens (or makes, or upgrades) the device database.
 *
 * @throws {Failure} `stale_version` when a newer Cairn has already opened it on this device
 */
export async function openDatabase(name = DATABASE_NAME): Promise<LocalDatabase> {
  const connection = new Connection(name);
  await connection.open();
  return {
    name,
    transaction: (stores, mode, durability = 'relaxed') =>
      connection.beginAtOnce(stores, mode, durability) ?? connection.begin(stores, mode, durability),
    close: () => connection.close(),
  };
}
