import { useEffect, useState } from 'react';
import type { Receipt } from '@cairn/sync/transport/backend.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { Conflict, OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import type { Health } from '@cairn/sync/store/health.ts';
import { useSignedIn } from '../../../shared/session/session.ts';

type Watch<A> = (engine: SyncEngine, listener: (answer: A) => void, onError: (error: unknown) => void) => () => void;

export type WatchedAnswer<A> = {
  /** Null in the moment before the first word, and where it could not be read. */
  told: A | null;
  failed: boolean;
  again: () => void;
};

const BEFORE = { told: null, failed: false };

/** What the engine tells, now and on each change. */
function useWatched<A>(watch: Watch<A>): WatchedAnswer<A> {
  const [seen, setSeen] = useState<Pick<WatchedAnswer<A>, 'told' | 'failed'>>(BEFORE);
  const [round, setRound] = useState(0);
  const { engine } = useSignedIn();
  useEffect(
    () =>
      watch(
        engine,
        told => setSeen({ told, failed: false }),
        () => setSeen({ told: null, failed: true }),
      ),
    [engine, watch, round],
  );
  const again = () => {
    setSeen(BEFORE);
    setRound(round + 1);
  };
  return { ...seen, again };
}

const watchOutbox: Watch<OutboxItem[]> = (engine, listener, onError) => engine.watchOutbox(listener, onError);
const watchConflicts: Watch<Conflict[]> = (engine, listener, onError) => engine.watchConflicts(listener, onError);
const watchReceipts: Watch<Receipt[]> = (engine, listener, onError) => engine.watchReceipts(listener, onError);

const watchHealth: Watch<Health> = (engine, listener) => engine.watchHealth(listener);

/** How sync is, in facts: when both sides were last compared, and how that ended. */
export const useHealth = (): Health | null => useWatched(watchHealth).told;
export const useOutbox = (): WatchedAnswer<OutboxItem[]> => useWatched(watchOutbox);
export const useReceipts = (): WatchedAnswer<Receipt[]> => useWatched(watchReceipts);

/** Every conflict of this device, settled ones too. */
export const useConflicts = (): WatchedAnswer<Conflict[]> => useWatched(watchConflicts);
