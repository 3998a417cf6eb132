import { useEffect, useState } from 'react';
import type { Receipt } from '@cairn/sync/backend.ts';
import type { Conflict, OutboxItem, SyncEngine } from '@cairn/sync/engine.ts';
import type { Health } from '@cairn/sync/health.ts';
import { useSignedIn } from '../../shared/session.ts';

type Watch<A> = (engine: SyncEngine, listener: (answer: A) => void) => () => void;

/** What the engine tells, now and on each change; null in the moment before the first word. */
function useWatched<A>(watch: Watch<A>): A | null {
  const [answer, setAnswer] = useState<A | null>(null);
  const { engine } = useSignedIn();
  useEffect(() => watch(engine, setAnswer), [engine, watch]);
  return answer;
}

const watchOutbox: Watch<OutboxItem[]> = (engine, listener) => engine.watchOutbox(listener);
const watchConflicts: Watch<Conflict[]> = (engine, listener) => engine.watchConflicts(listener);
const watchReceipts: Watch<Receipt[]> = (engine, listener) => engine.watchReceipts(listener);

const watchHealth: Watch<Health> = (engine, listener) => engine.watchHealth(listener);

/** How sync is, in facts: when both sides were last compared, and how that ended. */
export const useHealth = (): Health | null => useWatched(watchHealth);
export const useOutbox = (): OutboxItem[] | null => useWatched(watchOutbox);
export const useReceipts = (): Receipt[] | null => useWatched(watchReceipts);

/** Every conflict of this device, settled ones too. */
export const useConflicts = (): Conflict[] | null => useWatched(watchConflicts);
