import type { Clock } from '@cairn/base/clock.ts';
import { CONFLICTS, FILES, SUBMITTED, PHASE, QUEUE, RECEIPTS, watchRead, type Changes } from '../store/changes.ts';
import type { LocalDatabase } from '../store/database.ts';
import type { SyncEngine } from './engine.ts';
import type { SyncStatus } from '../outbox/outbox-item.ts';
import { watchRenamed } from '../outbox/id-remap.ts';
import { submittedEdits } from '../push/submitted-edits.ts';
import { healthOf } from '../store/health.ts';
import { whyFilesWait, withFileFacts } from '../outbox/held-back.ts';
import { conflictsOf, outboxOf, statusOf } from '../outbox/overview.ts';
import type { Platform } from '../transport/platform.ts';
import { receiptsOf } from '../push/receipts.ts';

/** ms; a burst of changes re-counts the badge once. */
export const RECOUNT_AFTER = 300;

type DeviceScope = { db: LocalDatabase; owner: string; platform: Platform; clock: Clock; changes: Changes };
type LiveFacts = Pick<SyncStatus, 'online' | 'offlineByChoice' | 'phase'>;
/** What only the running loops know: their part of the status, and bytes on their way by media id. */
type LoopState = { now(): LiveFacts; sent: ReadonlyMap<string, number> };
type Facts = Omit<SyncStatus, keyof LiveFacts>;
type WatchOptions<A> = {
  names: string[];
  onAnswer: (answer: A) => void;
  onError?: ((error: unknown) => void) | undefined;
};

/** The only place left to go: a broken invariant must reach the browser's error handling, not vanish. */
export function reportError(error: unknown): void {
  globalThis.reportError?.(error);
}

function watch<A>(
  { changes, clock }: DeviceScope,
  read: () => Promise<A>,
  { names, onAnswer, onError }: WatchOptions<A>,
) {
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

async function factsOf(place: DeviceScope): Promise<Facts> {
  const counted = await statusOf(place);
  return { ...counted, ...(await whyFilesWait(place, counted.pendingFiles)) };
}

/** The badge's figures, read once for all who listen: each read walks the whole queue, and a save waits behind it. */
export function watchFacts(place: DeviceScope) {
  const listeners = new Set<(facts: Facts) => void>();
  let last: Facts | null = null;
  const onAnswer = (facts: Facts) => {
    last = facts;
    for (const listener of listeners) listener(facts);
  };
  const names = [QUEUE, CONFLICTS, PHASE, FILES, 'user_preferences'];
  watch(place, () => factsOf(place), { names, onAnswer });
  return {
    /** What the running loops know has changed: said at once, for counting the queue anew takes its time. */
    tellAgain: () => last && onAnswer(last),
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
  'watchStatus' | 'watchHealth' | 'watchOutbox' | 'watchConflicts' | 'watchReceipts' | 'watchSubmitted' | 'watchRenamed'
>;

/** What screens are told, now and on each change. */
export function viewsOf(place: DeviceScope, live: LoopState, facts: ReturnType<typeof watchFacts>): Views {
  const outbox = async () => withFileFacts(place, await outboxOf(place, live.sent));
  return {
    watchStatus: listener => facts.listen(known => listener({ ...known, ...live.now() })),
    watchHealth: onAnswer => watch(place, () => healthOf(place), { names: [QUEUE, CONFLICTS, PHASE], onAnswer }),
    watchOutbox: (onAnswer, onError) =>
      watch(place, outbox, { names: [QUEUE, FILES, 'user_preferences'], onAnswer, onError }),
    watchConflicts: (onAnswer, onError) =>
      watch(place, () => conflictsOf(place), { names: [CONFLICTS], onAnswer, onError }),
    watchReceipts: (onAnswer, onError) =>
      watch(place, () => receiptsOf(place.db, place.owner), { names: [RECEIPTS], onAnswer, onError }),
    watchSubmitted: onAnswer => watch(place, () => submittedEdits(place), { names: [SUBMITTED], onAnswer }),
    watchRenamed: listener => watchRenamed(place.changes, listener),
  };
}
