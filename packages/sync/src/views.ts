import type { Clock } from '@cairn/base/clock.ts';
import { CONFLICTS, PHASE, QUEUE, RECEIPTS, watchRead, type Changes } from './changes.ts';
import type { LocalDatabase } from './database.ts';
import type { SyncEngine, SyncStatus } from './engine.ts';
import { watchRenamed } from './fresh-ids.ts';
import { healthOf } from './health.ts';
import { conflictsOf, outboxOf, statusOf } from './overview.ts';
import { receiptsOf } from './receipts.ts';

/** A burst of changes re-counts the badge once. */
const RECOUNT_AFTER = 300;

type Place = { db: LocalDatabase; owner: string; clock: Clock; changes: Changes };
type Live = {
  /** Bytes on their way, by media id. */
  sent: ReadonlyMap<string, number>;
  now(): Pick<SyncStatus, 'online' | 'offlineByChoice' | 'phase'>;
};
type Facts = Awaited<ReturnType<typeof statusOf>>;
type Hearer<A> = { names: string[]; onAnswer: (answer: A) => void; onError?: ((error: unknown) => void) | undefined };

/** The only place left to go: a broken invariant must reach the browser's error handling, not vanish. */
export function reportError(error: unknown): void {
  globalThis.reportError?.(error);
}

function watch<A>({ changes, clock }: Place, read: () => Promise<A>, { names, onAnswer, onError }: Hearer<A>) {
  return watchRead({
    changes,
    names,
    read,
    onAnswer,
    onError(error) {
      reportError(error);
      onError?.(error);
    },
    later: run => void clock.after(RECOUNT_AFTER, run),
  });
}

/** The badge's figures, read once for all who listen: each read walks the whole queue, and a save waits behind it. */
export function watchFacts(place: Place) {
  const listeners = new Set<(facts: Facts) => void>();
  let last: Facts | null = null;
  const onAnswer = (facts: Facts) => {
    last = facts;
    for (const listener of listeners) listener(facts);
  };
  watch(place, () => statusOf(place), { names: [QUEUE, CONFLICTS, PHASE], onAnswer });
  return {
    listen(listener: (facts: Facts) => void): () => void {
      listeners.add(listener);
      // Never before this has returned: a listener may end itself.
      queueMicrotask(() => {
        if (last && listeners.has(listener)) listener(last);
      });
      return () => void listeners.delete(listener);
    },
  };
}

type Views = Pick<
  SyncEngine,
  'watchStatus' | 'watchHealth' | 'watchOutbox' | 'watchConflicts' | 'watchReceipts' | 'watchRenamed'
>;

/** What screens are told, now and on each change. */
export function views(place: Place, live: Live, facts: ReturnType<typeof watchFacts>): Views {
  return {
    watchStatus: listener => facts.listen(known => listener({ ...known, ...live.now() })),
    watchHealth: onAnswer => watch(place, () => healthOf(place), { names: [QUEUE, CONFLICTS, PHASE], onAnswer }),
    watchOutbox: (onAnswer, onError) =>
      watch(place, () => outboxOf(place, live.sent), { names: [QUEUE], onAnswer, onError }),
    watchConflicts: (onAnswer, onError) =>
      watch(place, () => conflictsOf(place), { names: [CONFLICTS], onAnswer, onError }),
    watchReceipts: (onAnswer, onError) =>
      watch(place, () => receiptsOf(place.db, place.owner), { names: [RECEIPTS], onAnswer, onError }),
    watchRenamed: listener => watchRenamed(place.changes, listener),
  };
}
