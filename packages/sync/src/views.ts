import type { Clock } from '@cairn/base/clock.ts';
import { CONFLICTS, FILES, HANDED, PHASE, QUEUE, RECEIPTS, watchRead, type Changes } from './changes.ts';
import type { LocalDatabase } from './database.ts';
import type { SyncEngine, SyncStatus } from './engine.ts';
import { watchRenamed } from './fresh-ids.ts';
import { handedHere } from './handed.ts';
import { healthOf } from './health.ts';
import { whyFilesWait, withFileFacts } from './held-back.ts';
import { conflictsOf, outboxOf, statusOf } from './overview.ts';
import type { Platform } from './platform.ts';
import { receiptsOf } from './receipts.ts';

/** A burst of changes re-counts the badge once. */
const RECOUNT_AFTER = 300;

type Place = { db: LocalDatabase; owner: string; platform: Platform; clock: Clock; changes: Changes };
type LiveFacts = Pick<SyncStatus, 'online' | 'offlineByChoice' | 'phase'>;
/** What only the running loops know: their part of the status, and bytes on their way by media id. */
type Live = { now(): LiveFacts; sent: ReadonlyMap<string, number> };

function watch<A>(place: Place, names: string[], read: () => Promise<A>, onAnswer: (answer: A) => void) {
  return watchRead({
    changes: place.changes,
    names,
    read,
    onAnswer,
    onError: error => globalThis.reportError?.(error),
    later: run => void place.clock.after(RECOUNT_AFTER, run),
  });
}

type Facts = Omit<SyncStatus, keyof LiveFacts>;

/** The badge's figures, read once for all who listen: each read walks the whole queue, and a save waits behind it. */
export function watchFacts(place: Place) {
  const listeners = new Set<(facts: Facts) => void>();
  let last: Facts | null = null;
  watch(
    place,
    [QUEUE, CONFLICTS, PHASE, FILES, 'user_preferences'],
    async () => {
      const counted = await statusOf(place);
      return { ...counted, ...(await whyFilesWait(place, counted.pendingFiles)) };
    },
    facts => {
      last = facts;
      for (const listener of listeners) listener(facts);
    },
  );
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

export function viewsOf(
  place: Place,
  live: Live,
  facts: ReturnType<typeof watchFacts>,
): Pick<
  SyncEngine,
  'watchStatus' | 'watchHealth' | 'watchOutbox' | 'watchConflicts' | 'watchReceipts' | 'watchHanded' | 'watchRenamed'
> {
  return {
    watchStatus: listener => facts.listen(known => listener({ ...known, ...live.now() })),
    watchHealth: listener => watch(place, [QUEUE, CONFLICTS, PHASE], () => healthOf(place), listener),
    watchOutbox: listener => watch(place, [QUEUE, FILES, 'user_preferences'], () => outbox(place, live), listener),
    watchConflicts: listener => watch(place, [CONFLICTS], () => conflictsOf(place), listener),
    watchReceipts: listener => watch(place, [RECEIPTS], () => receiptsOf(place.db, place.owner), listener),
    watchHanded: listener => watch(place, [HANDED], () => handedHere(place), listener),
    watchRenamed: listener => watchRenamed(place.changes, listener),
  };
}

const outbox = async (place: Place, { sent }: Live) => withFileFacts(place, await outboxOf(place, sent));
