import { useCallback, useState } from 'react';
import { useServerCalls, type ServerCalls } from './server-calls.ts';

/**
 * Does something on the server. `run` answers what the server answered, or null where it was not done; `say` makes of the
 * error what the screen shows, and throws what is a bug of ours. Both are to stay the same from one drawing to the next.
 */
export function useServerAct<Args extends unknown[], A, Problem>(
  act: (calls: ServerCalls, ...args: Args) => Promise<A>,
  say: (error: unknown) => Problem,
) {
  const calls = useServerCalls();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const run = useCallback(
    async (...args: Args): Promise<{ answer: A } | null> => {
      setBusy(true);
      setProblem(null);
      try {
        return { answer: await act(calls, ...args) };
      } catch (error) {
        setProblem(say(error));
        return null;
      } finally {
        setBusy(false);
      }
    },
    [act, calls, say],
  );
  return { run, busy, problem };
}
