import type { PublicPlace, VisitorReportBody } from '@cairn/core/issue-reports/public-report.ts';

export type WaitingPhoto = {
  bytes: ArrayBuffer;
  mime: string;
  /** `refused`: the server said that it is no picture it takes. */
  state: 'waiting' | 'sent' | 'refused';
};

/** A visitor's report on this phone, from the moment it is made until its author lets go of it. */
export type WaitingReport = {
  /** The key of the submission. */
  key: string;
  token: string;
  place: PublicPlace | null;
  /** Null once everything was sent: then only what its author needs stays here. */
  body: VisitorReportBody | null;
  photos: WaitingPhoto[];
  /** The private look-up code. */
  code: string;
  /** Phone's time, ISO 8601. */
  madeAt: string;
  /** `closed`: the code took no report when it was sent; `refused`: the server did not understand it. */
  state: 'waiting' | 'closed' | 'refused' | 'sent';
  reference: string | null;
};

const NAME = 'cairn.visitor';
const STORE = 'reports';

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open(NAME, 1);
    asked.addEventListener('upgradeneeded', () => asked.result.createObjectStore(STORE, { keyPath: 'key' }));
    asked.addEventListener('success', () => resolve(asked.result));
    asked.addEventListener('error', () => reject(asked.error ?? new Error('no database')));
  });
}

/** One statement in a transaction of its own; resolves when it is on the disk. */
async function within<A>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<A>): Promise<A> {
  const database = await opened();
  try {
    return await new Promise<A>((resolve, reject) => {
      const tx = database.transaction(STORE, mode, { durability: 'strict' });
      const asked = act(tx.objectStore(STORE));
      tx.addEventListener('complete', () => resolve(asked.result));
      tx.addEventListener('abort', () => reject(tx.error ?? new Error('aborted')));
    });
  } finally {
    database.close();
  }
}

const heard = new EventTarget();
const CHANGED = 'changed';

async function changing(write: Promise<unknown>): Promise<void> {
  await write;
  heard.dispatchEvent(new Event(CHANGED));
}

/**
 * A store of its own beside the device's database: whoever reports by a public code is nobody here, and leaves nothing in
 * what belongs to the person who uses this phone.
 */
export const waitingReports = {
  keep: (report: WaitingReport): Promise<void> => changing(within('readwrite', store => store.put(report))),
  forget: (key: string): Promise<void> => changing(within('readwrite', store => store.delete(key))),
  /** The oldest first. */
  all: async (): Promise<WaitingReport[]> =>
    (await within<WaitingReport[]>('readonly', store => store.getAll())).toSorted((a, b) =>
      a.madeAt.localeCompare(b.madeAt),
    ),
  /** Tells of every change made in this tab; returns what ends it. */
  watch: (listener: () => void): (() => void) => {
    heard.addEventListener(CHANGED, listener);
    return () => heard.removeEventListener(CHANGED, listener);
  },
};
