import { useCallback, useEffect, useRef, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { editDraft, type DraftEdit } from '@cairn/core/policies/write-policy.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { TypingRest } from '../../../shared/input/typing-rest.ts';

/** ms without a key after which it is written; leaving writes at once. */
const TYPING_MS = 400;

export type DraftState = 'idle' | 'saving' | 'saved';

/** What is being written, kept on this device while it is typed. What is typed stays on the screen whatever happens. */
export function useDraft(version: PolicyVersion) {
  const store = useStore();
  const [typed, setTyped] = useState<DraftEdit>({});
  const [state, setState] = useState<DraftState>('idle');
  const [problem, setProblem] = useState<{ error: unknown } | null>(null);
  const waiting = useRef<DraftEdit>({});
  const [rest] = useState(() => new TypingRest(TYPING_MS));
  const { id } = version;

  const flush = useCallback(async () => {
    rest.stop();
    const edit = waiting.current;
    if (Object.keys(edit).length === 0) return;
    waiting.current = {};
    try {
      await store.write('policies.edit', tx => editDraft(tx, id, edit));
      setProblem(null);
      if (Object.keys(waiting.current).length === 0) setState('saved');
    } catch (error) {
      // Nothing typed is dropped: it is tried again with the next key, and when the screen goes.
      waiting.current = { ...edit, ...waiting.current };
      setProblem({ error });
    }
  }, [store, id, rest]);

  const edit = useCallback(
    (change: DraftEdit) => {
      setTyped(before => ({ ...before, ...change }));
      // An empty title cannot be kept; it waits for its first letter.
      const kept = { ...waiting.current, ...change };
      if (kept.title?.trim() === '') delete kept.title;
      waiting.current = kept;
      setState('saving');
      rest.typed(() => void flush());
    },
    [flush, rest],
  );

  useFlushOnLeaving(flush);
  if (problem && !(problem.error instanceof Failure)) throw problem.error;
  const failure = problem?.error instanceof Failure ? problem.error : null;
  return { draft: { ...version, ...typed }, edit, flush, state, failure };
}

function useFlushOnLeaving(flush: () => Promise<void>): void {
  useEffect(() => {
    const leave = () => void flush();
    const hide = () => document.visibilityState === 'hidden' && leave();
    window.addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, [flush]);
}
