import { Failure } from '@cairn/base/failure.ts';
import { isDomError } from '../transport/abandon.ts';
import type { DatabaseTx, LocalDatabase } from '../store/database.ts';
import { freeSpace } from '../store/file-cache.ts';
import { LAST } from '../store/read-tx.ts';

/** Work that is being made and is no record yet, with its pieces in order. */
export type UnfinishedItem = { subject: string; parts: unknown[] };

/**
 * What a person is making piece by piece (a recording, a drawing): it outlives a dead battery although it is no record yet.
 * It is not sent anywhere and goes with the person's copy.
 */
export interface UnfinishedWork {
  /** Everything whose subject begins so, by subject. */
  list(beginning: string): Promise<UnfinishedItem[]>;
  /**
   * Keeps piece `number` (0 and up) of a subject, in place of an earlier piece of that number; committed once it resolves.
   *
   * @throws {Failure} `storage_full`
   */
  keep(subject: string, number: number, part: unknown): Promise<void>;
  /** Lets all pieces of a subject go; none is no error. */
  forget(subject: string): Promise<void>;
}

const PREFIX = 'unfinished/';
/** Digits of a piece's number, so that names sort as numbers do. */
const DIGITS = 6;
/** Bytes freed for a piece when the device is full. */
const RESERVED_BYTES = 8 * 1024 * 1024;

const nameOf = (subject: string, number: number): string =>
  `${PREFIX}${subject}/${String(number).padStart(DIGITS, '0')}`;

const subjectOf = (name: string): string => name.slice(PREFIX.length, -DIGITS - 1);

const named = (owner: string, beginning: string): IDBKeyRange =>
  IDBKeyRange.bound([owner, PREFIX + beginning], [owner, PREFIX + beginning + LAST]);

async function put(db: LocalDatabase, entry: { owner: string; name: string; value: unknown }): Promise<void> {
  const tx = await db.transaction(['meta'], 'readwrite', 'strict');
  // The put's own error is the transaction's too; awaiting both leaves none unhandled.
  await Promise.all([tx.objectStore('meta').put(entry), tx.done]);
}

/** Pieces that belong to a record under one of these ids belong to it under its new one. */
export async function renameUnfinished(tx: DatabaseTx, owner: string, ids: ReadonlyMap<string, string>): Promise<void> {
  const meta = tx.objectStore('meta');
  for (const entry of await meta.getAll(named(owner, ''))) {
    let { name } = entry;
    for (const [old, next] of ids) name = name.replaceAll(old, next);
    if (name === entry.name) continue;
    await meta.delete([owner, entry.name]);
    await meta.put({ ...entry, name });
  }
}

export function unfinishedWork(db: LocalDatabase, owner: string): UnfinishedWork {
  return {
    async list(beginning) {
      const tx = await db.transaction(['meta'], 'readonly');
      const entries = await tx.objectStore('meta').getAll(named(owner, beginning));
      const bySubject = Map.groupBy(entries, ({ name }) => subjectOf(name));
      return [...bySubject].map(([subject, parts]) => ({ subject, parts: parts.map(({ value }) => value) }));
    },
    async keep(subject, number, value) {
      const entry = { owner, name: nameOf(subject, number), value };
      try {
        await put(db, entry);
      } catch (error) {
        if (!isDomError(error, 'QuotaExceededError')) throw error;
        await freeSpace(db, RESERVED_BYTES);
        await put(db, entry).catch((cause: unknown) => {
          throw isDomError(cause, 'QuotaExceededError')
            ? new Failure('storage_full', `keep: no room for piece ${number}`, { cause })
            : cause;
        });
      }
    },
    async forget(subject) {
      const tx = await db.transaction(['meta'], 'readwrite', 'strict');
      await tx.objectStore('meta').delete(named(owner, `${subject}/`));
      await tx.done;
    },
  };
}
