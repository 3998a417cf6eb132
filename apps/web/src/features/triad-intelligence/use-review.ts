import { useCallback, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { reviewOf, type Review } from '@cairn/core/triad-intelligence/brief-line.ts';
import { loggedRead } from '../../shared/server/logged-read.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';

type State = { status: 'closed' | 'loading' | 'offline' | 'refused' } | { status: 'ready'; review: Review };

async function readReview(calls: ServerCalls, relationshipId: string): Promise<State> {
  try {
    // Asked without a network, the browser would complain.
    if (!navigator.onLine) return { status: 'offline' };
    const review = reviewOf(await loggedRead(calls, 'brief_for_review', { p_relationship: relationshipId }));
    return review ? { status: 'ready', review } : { status: 'refused' };
  } catch (error) {
    if (error instanceof ServerRefusal) return { status: 'refused' };
    if (error instanceof Failure) return { status: 'offline' };
    throw error;
  }
}

/** What the operator may look through of somebody. Nothing is read before `read`: each reading is written down. */
export function useReview(relationshipId: string): State & { read: () => void } {
  const calls = useServerCalls();
  const { engine } = useSignedIn();
  const [state, setState] = useState<State>({ status: 'closed' });
  const read = useCallback(() => {
    // What is on the screen stays while it is read anew, and with it what was typed.
    setState(before => (before.status === 'ready' ? before : { status: 'loading' }));
    readReview(calls, relationshipId).then(next => {
      setState(next);
      engine.syncNow();
    }, reportError);
  }, [calls, engine, relationshipId]);
  return { ...state, read };
}
