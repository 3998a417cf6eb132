import { useCallback, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';
import { AuthRefused, type AuthRefusal } from './auth-flows.ts';

/** What a person is told of an error; null for a bug. */
function refusalOf(error: unknown): AuthRefusal | null {
  if (error instanceof AuthRefused) return error.refusal;
  return error instanceof Failure && error.code === 'offline' ? { kind: 'network' } : null;
}

/**
 * Runs one step at a time with the authentication service. A refusal comes back to be shown; a bug goes to the boundary.
 * `tried` tells as well how it went: true when it is done, false when it was refused or there was no network.
 */
export function useAuthCall() {
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<AuthRefusal | null>(null);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;

  const tried = useCallback(async (step: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setRefusal(null);
    try {
      await step();
      return true;
    } catch (error) {
      const refused = refusalOf(error);
      if (refused) setRefusal(refused);
      else setBug({ error });
      return false;
    } finally {
      setBusy(false);
    }
  }, []);
  const run = useCallback((step: () => Promise<unknown>): void => void tried(step), [tried]);
  return { run, tried, busy, refusal, refuse: setRefusal };
}
