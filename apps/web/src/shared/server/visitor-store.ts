function opened(name: string, store: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(name, 1);
    asked.addEventListener('upgradeneeded', () => asked.result.createObjectStore(store, { keyPath: 'key' }));
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(asked.error ?? new Error('no database')));
  });
}

type StoreLocation = { name: string; store: string };

/** One statement in a transaction of its own; resolves when it is on the disk. */
async function within<A>(
  { name, store }: StoreLocation,
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<A>,
): Promise<A> {
  const database = await opened(name, store);
  try {
    return await new Promise<A>((resolve, reject) => {
      const tx = database.transaction(store, mode, { durability: 'strict' });
      const asked = act(tx.objectStore(store));
      tx.addEventListener('complete', () => resolve(asked.result));
      tx.addEventListener('abort', () => reject(tx.error ?? new Error('aborted')));
    });
  } finally {
    database.close();
  }
}

const CHANGED = 'changed';

/** What is kept on this phone for somebody who is nobody here. `madeAt`: phone's time, ISO 8601. */
export type StoredEntry = { key: string; madeAt: string };

export type VisitorStore<A extends StoredEntry> = {
  keep(row: A): Promise<void>;
  forget(key: string): Promise<void>;
  /** The oldest first. */
  all(): Promise<A[]>;
  /** Tells of every change made in this tab; returns what ends it. */
  watch(listener: () => void): () => void;
};

/**
 * A store of its own beside the device's database: whoever comes by a code or a link has no account, and leaves nothing in what
 * belongs to the person who uses this phone.
 */
export function visitorStore<A extends StoredEntry>(name: string, store: string): VisitorStore<A> {
  const place = { name, store };
  const heard = new EventTarget();
  const changing = async (write: Promise<unknown>): Promise<void> => {
    await write;
    heard.dispatchEvent(new Event(CHANGED));
  };
  return {
    keep: row => changing(within(place, 'readwrite', rows => rows.put(row))),
    forget: key => changing(within(place, 'readwrite', rows => rows.delete(key))),
    all: async () =>
      (await within<A[]>(place, 'readonly', rows => rows.getAll())).toSorted((a, b) =>
        a.madeAt.localeCompare(b.madeAt),
      ),
    watch: listener => {
      heard.addEventListener(CHANGED, listener);
      return () => heard.removeEventListener(CHANGED, listener);
    },
  };
}
