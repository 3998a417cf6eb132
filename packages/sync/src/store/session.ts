import { abandon, finish } from '../transport/abandon.ts';
import type { Backend } from '../transport/backend.ts';
import type { Changes } from './changes.ts';
import type { AnyStore } from './database-schema.ts';
import type { DatabaseTx, Durability, LocalDatabase, Mode } from './database.ts';
import type { Fault } from '../transport/fault.ts';
import type { Platform } from '../transport/platform.ts';

/** One leadership of one tab over one person's queue; ends when another tab leads. */
export type Session = {
  db: LocalDatabase;
  owner: string;
  device: string;
  backend: Backend;
  platform: Platform;
  changes: Changes;
  /** Hears of what should not have happened. */
  report: (fault: Fault) => void;
  epoch: number;
};

/** Another tab leads now: this one must not touch the queue any more. */
export class FencedError extends Error {
  override name = 'FencedError';
}

const EPOCH = 'leader_epoch';

/** Reads one value of `meta`. */
export async function metaOf<A>(tx: DatabaseTx<Mode>, owner: string, name: string): Promise<A | undefined> {
  return (await tx.objectStore('meta').get([owner, name]))?.value as A | undefined;
}

/** Takes the lead: every session with a lower epoch is fenced off from its next transaction on. */
export async function raiseEpoch(db: LocalDatabase, owner: string): Promise<number> {
  const tx = await db.transaction(['meta'], 'readwrite', 'strict');
  const epoch = ((await metaOf<number>(tx, owner, EPOCH)) ?? 0) + 1;
  await tx.objectStore('meta').put({ owner, name: EPOCH, value: epoch });
  await tx.done;
  return epoch;
}

/**
 * One engine transaction over `stores` and `meta`, all or nothing.
 *
 * @param work asks before it writes, or awaits what it writes: a session that was overtaken hears so with the first answer
 * @throws {FencedError} when another session leads by now; nothing was changed
 */
export async function fenced<A>(
  { db, owner, epoch }: Pick<Session, 'db' | 'owner' | 'epoch'>,
  { stores, durability = 'relaxed' }: { stores: Iterable<AnyStore>; durability?: Durability },
  work: (tx: DatabaseTx) => Promise<A>,
): Promise<A> {
  const begun = db.transaction([...new Set([...stores, 'meta' as const])], 'readwrite', durability);
  const tx = begun instanceof Promise ? await begun : begun;
  try {
    // In one trip with the first question of the work: a save of the person at this device waits for each of them.
    const leads = metaOf<number>(tx, owner, EPOCH).then(present => {
      if (present !== epoch) throw new FencedError(`epoch ${epoch} is over`);
    });
    const [answer] = await Promise.all([work(tx), leads]);
    finish(tx);
    await tx.done;
    return answer;
  } catch (error) {
    await abandon(tx);
    throw error;
  }
}
