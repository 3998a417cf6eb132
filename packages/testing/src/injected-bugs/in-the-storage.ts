import 'fake-indexeddb/auto';
import { openDatabase } from '@cairn/sync/store/database.ts';
import { BULK_PREFIX } from '@cairn/sync/store/bulk-block.ts';
import type { QueuedEntry, QueueEntry } from '@cairn/sync/store/stored.ts';
import { seams } from '../seams.ts';

const storeMethods = { ...real(IDBObjectStore.prototype, ['put', 'add', 'delete']) };

function real<T, K extends keyof T>(prototype: T, names: readonly K[]): Pick<T, K> {
  return Object.fromEntries(names.map(name => [name, prototype[name]])) as Pick<T, K>;
}

type StoreWrite = { store: IDBObjectStore; value: unknown; key: IDBValidKey | undefined };

/** Every value that is written goes through `change`; null: it is not written. */
function onWrite(change: (written: StoreWrite) => unknown): void {
  for (const name of ['put', 'add'] as const) {
    IDBObjectStore.prototype[name] = function (this: IDBObjectStore, value: unknown, key?: IDBValidKey) {
      const next = change({ store: this, value, key });
      // A request that changes nothing stands in for one that is left out.
      if (next === null) return this.count() as unknown as IDBRequest<IDBValidKey>;
      return key === undefined ? storeMethods[name].call(this, next) : storeMethods[name].call(this, next, key);
    };
  }
}

/** Entries of the outbox on their way into the storage. */
const onQueued = (change: (entry: QueueEntry, store: IDBObjectStore) => QueueEntry | null) => () =>
  onWrite(({ store, value }) => (store.name === 'sync_queue' ? change(value as QueueEntry, store) : value));

/** What the queue answers when it is read in its order. */
function onQueueRead(
  change: (index: IDBIndex, range: unknown) => { range: unknown; keep: (entry: QueuedEntry) => boolean },
) {
  return () => {
    const { getAll } = IDBIndex.prototype;
    IDBIndex.prototype.getAll = function (this: IDBIndex, range, count) {
      if (this.name !== 'order' || this.objectStore.name !== 'sync_queue') return getAll.call(this, range, count);
      const { range: asked, keep } = change(this, range);
      const request = getAll.call(this, asked as IDBKeyRange | null, asked === range ? count : undefined);
      const own = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(request) as object, 'result');
      Object.defineProperty(request, 'result', {
        get: () => (own?.get?.call(request) as QueuedEntry[] | undefined)?.filter(keep),
        set(value) {
          own?.set?.call(request, value);
        },
      });
      return request;
    };
  };
}

/** Files are read by a range of their own; they stay with their person. */
const readEverybodys = onQueueRead((_index, range) => {
  const isEntireQueue = range instanceof IDBKeyRange && Array.isArray(range.lower) && range.lower.length === 1;
  return isEntireQueue ? { range: undefined, keep: () => true } : { range, keep: () => true };
});

const failedThrice = (entry: QueueEntry, store: IDBObjectStore): QueueEntry | null => {
  if (entry.retryCount < 3 || entry.seq === undefined) return entry;
  storeMethods.delete.call(store, entry.seq);
  return null;
};

/** Deletes what else is queued for the records of the entries that go. */
function takeAllOfTheRecord(): void {
  // What it asks for when the first answers come belongs to the transaction too: it must end by itself.
  IDBTransaction.prototype.commit = () => undefined;
  IDBObjectStore.prototype.delete = function (this: IDBObjectStore, key) {
    if (this.name !== 'sync_queue') return storeMethods.delete.call(this, key);
    this.getAll(key).addEventListener('success', ({ target }) => {
      for (const { record } of (target as IDBRequest<QueuedEntry[]>).result)
        this.index('record')
          .getAllKeys(record as BufferSource)
          .addEventListener('success', event => {
            for (const each of (event.target as IDBRequest<IDBValidKey[]>).result) storeMethods.delete.call(this, each);
          });
    });
    return storeMethods.delete.call(this, key);
  };
}

const BULK_PREFIX_BYTES = BULK_PREFIX.split('').map(char => char.charCodeAt(0));

const isBlock = (key: unknown): boolean =>
  key instanceof Uint8Array && key.some((_, from) => BULK_PREFIX_BYTES.every((byte, at) => key[from + at] === byte));

/** A save holds the outbox, the laying down of all that landed does not. */
function leaveBlocks(): void {
  IDBObjectStore.prototype.delete = function (this: IDBObjectStore, key) {
    const isSaving = this.transaction.objectStoreNames.contains('sync_queue');
    if (isSaving && isBlock(key)) return this.count() as unknown as IDBRequest<undefined>;
    return storeMethods.delete.call(this, key);
  };
}

async function emptyQueueOfOthers(name: string, owner: string): Promise<void> {
  const db = await openDatabase(name);
  const tx = await db.transaction(['sync_queue'], 'readwrite');
  for (const entry of (await tx.objectStore('sync_queue').getAll()) as QueuedEntry[])
    if (entry.owner !== owner) await tx.objectStore('sync_queue').delete(entry.seq);
  await tx.done;
  db.close();
}

const isEpoch = (value: unknown): value is { owner: string; name: string; value: number } =>
  typeof value === 'object' && value !== null && 'name' in value && value.name === 'leader_epoch';

function emptyOnLead(): void {
  onWrite(({ store, value }) => {
    if (isEpoch(value)) void emptyQueueOfOthers(store.transaction.db.name, value.owner);
    return value;
  });
}

function forgetTheLast(): void {
  seams.afterDeath = async name => {
    const db = await openDatabase(name);
    const tx = await db.transaction(['sync_queue'], 'readwrite');
    const entries = (await tx.objectStore('sync_queue').getAll()) as QueuedEntry[];
    const last = entries.findLast(({ attempt }) => attempt === 0);
    if (last) await tx.objectStore('sync_queue').delete(last.seq);
    await tx.done;
    db.close();
  };
}

function keepNothingOutside(): void {
  seams.platform = platform => ({ ...platform, keyValue: { ...platform.keyValue, setItem: () => undefined } });
}

/** Behind each database stands another of the same stores; what comes to a closed connection goes there. */
function writeIntoTheVoid(): void {
  const { open } = IDBFactory.prototype;
  const { transaction } = IDBDatabase.prototype;
  const { addEventListener } = IDBDatabase.prototype;
  const voids = new Map<string, IDBDatabase>();
  // Nor is the app told that its connection has gone.
  IDBDatabase.prototype.addEventListener = function (this: IDBDatabase, ...given: Parameters<typeof addEventListener>) {
    if (given[0] !== 'close') addEventListener.apply(this, given);
  };
  IDBFactory.prototype.open = function (this: IDBFactory, name, version) {
    const request = open.call(this, name, version);
    request.addEventListener('success', () => {
      if (voids.has(name) || name.endsWith('.void')) return;
      void openDatabase(`${name}.void`).then(db => {
        db.close();
        const opening = open.call(this, `${name}.void`);
        opening.addEventListener('success', () => voids.set(name, opening.result));
      });
    });
    return request;
  };
  IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...given) {
    try {
      return transaction.apply(this, given);
    } catch (error) {
      const nowhere = voids.get(this.name);
      if (!nowhere) throw error;
      return nowhere.transaction(...given);
    }
  };
}

export const inTheStorage: Record<string, () => void> = {
  '5': onQueueRead((_index, range) => ({ range, keep: ({ state }) => state !== 'sending' })),
  '6c': emptyOnLead,
  '7a': onQueued(failedThrice),
  '8': takeAllOfTheRecord,
  '10a': forgetTheLast,
  '10b': readEverybodys,
  '12a': onQueued(entry => (entry.state === 'sending' ? { ...entry, attempt: 0 } : entry)),
  '16': keepNothingOutside,
  '17': writeIntoTheVoid,
  I1: leaveBlocks,
  I8: onQueued(entry => ({ ...entry, crashes: 0 })),
  I10: () => onWrite(({ value }) => (isEpoch(value) ? { ...value, value: 1 } : value)),
  I11: () =>
    onWrite(({ store, value }) => {
      const isUpgrade = store.transaction.mode === 'versionchange' && store.name === 'sync_queue';
      return isUpgrade && (value as QueueEntry).operation === 'delete' ? null : value;
    }),
};
