import { Failure } from '@cairn/base/failure.ts';
import { openDB, type IDBPDatabase, type IDBPTransaction } from 'idb';
import { abandon } from './abandon.ts';
import { createStores, type AnyStore, type CairnMobile } from './database-schema.ts';
import { upgradeFromFirst } from './database-upgrade.ts';

export const DATABASE_NAME = 'cairn_mobile';
/** Stays 2 for good: a new area brings key prefixes, never a store or an index. */
export const DATABASE_VERSION = 2;

export type Mode = 'readonly' | 'readwrite';
export type DatabaseTx<M extends Mode = 'readwrite'> = IDBPTransaction<CairnMobile, AnyStore[], M>;
export type Durability = 'strict' | 'relaxed';

/** The open device database. It reopens itself when the browser closed it; an unfinished write then fails visibly. */
export interface LocalDatabase {
  readonly name: string;
  transaction<M extends Mode>(stores: readonly AnyStore[], mode: M, durability?: Durability): Promise<DatabaseTx<M>>;
  close(): void;
}

async function openNative(name: string, onLost: () => void): Promise<IDBPDatabase<CairnMobile>> {
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
    return db;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'VersionError') {
      throw new Failure('stale_version', `database ${name} was opened by a newer Cairn`, { cause: error });
    }
    throw error;
  }
}

/**
 * Opens (or makes, or upgrades) the device database.
 *
 * @throws {Failure} `stale_version` when a newer Cairn has already opened it on this device
 */
export async function openDatabase(name = DATABASE_NAME): Promise<LocalDatabase> {
  let opened: Promise<IDBPDatabase<CairnMobile>> | null = null;
  let closed = false;
  const lose = () => (opened = null);
  const open = (): Promise<IDBPDatabase<CairnMobile>> => {
    if (closed) throw new Error(`database ${name} is closed`);
    opened ??= openNative(name, lose).catch((error: unknown) => {
      lose();
      throw error;
    });
    return opened;
  };
  const begin = async <M extends Mode>(stores: readonly AnyStore[], mode: M, durability: Durability) =>
    (await open()).transaction([...stores], mode, { durability });

  await open();
  return {
    name,
    async transaction(stores, mode, durability = 'relaxed') {
      try {
        return await begin(stores, mode, durability);
      } catch (error) {
        // Closed under us before anything was done: a new connection may be used in its place.
        if (closed || !(error instanceof DOMException) || error.name !== 'InvalidStateError') throw error;
        lose();
        return begin(stores, mode, durability);
      }
    },
    close() {
      closed = true;
      void opened?.then(db => db.close());
      lose();
    },
  };
}
