import { useEffect, useState } from 'react';
import type { Receipt } from '@cairn/sync/backend.ts';
import type { Conflict, OutboxItem } from '@cairn/sync/engine.ts';
import { useSignedIn } from '../../shared/session.ts';

/** What the engine tells, now and on each change; null in the moment before the first word. */
function useWatched<A>(watch: (listener: (answer: A) => void) => () => void): A | null {
  const [answer, setAnswer] = useState<A | null>(null);
  const { engine } = useSignedIn();
  // `watch` is made anew on each render from this one engine.
  useEffect(() => watch(setAnswer), [engine]);
  return answer;
}

export function useOutbox(): OutboxItem[] | null {
  const { engine } = useSignedIn();
  return useWatched(listener => engine.watchOutbox(listener));
}

/** Conflicts that still wait for a choice. */
export function useOpenConflicts(): Conflict[] | null {
  const { engine } = useSignedIn();
  const all = useWatched<Conflict[]>(listener => engine.watchConflicts(listener));
  return all && all.filter(conflict => !conflict.resolved);
}

export function useReceipts(): Receipt[] | null {
  const { engine } = useSignedIn();
  return useWatched(listener => engine.watchReceipts(listener));
}
