import { useCallback } from 'react';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Failure } from '@cairn/base/failure.ts';
import { reportError } from '../../shared/report-error.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server-calls.ts';
import { useServerAct } from '../../shared/use-server-act.ts';

/** Something only the server knows, kept for some minutes. */
export function useServerQuery<A>(key: readonly string[], read: (calls: ServerCalls) => Promise<A>): UseQueryResult<A> {
  const calls = useServerCalls();
  return useQuery({ queryKey: ['spaces', ...key], queryFn: () => read(calls) });
}

/** An area's own words for a refusal: what was wrong with what was sent; null where it has none. */
export type RefusalText = (refusal: ServerRefusal) => string | null;

type Acting = {
  /** What was asked for, in the words of its button. */
  operation: string;
  /** What is read anew once it is done. */
  changes: readonly string[];
  words?: RefusalText;
};

/**
 * Does something on the server, then reads anew what it changed. A refusal that the area has words for comes back as `problem`; any other is
 * told as "<operation> Failed" with its reason (R8.01), and kept for the diagnostics.
 */
export function useServerAction<Args extends unknown[]>(
  act: (calls: ServerCalls, ...args: Args) => Promise<unknown>,
  { operation, changes, words }: Acting,
) {
  const queries = useQueryClient();
  const { run, ...rest } = useServerAct(act, useProblem(operation, words));
  const runAndRead = useCallback(
    async (...args: Args): Promise<boolean> => {
      const done = await run(...args);
      if (done) await Promise.all(changes.map(key => queries.invalidateQueries({ queryKey: ['spaces', key] })));
      return done !== null;
    },
    [changes, queries, run],
  );
  return { run: runAndRead, ...rest };
}

function useProblem(operation: string, words: RefusalText | undefined): (error: unknown) => string | null {
  return useCallback(
    (error: unknown) => {
      if (!(error instanceof Failure) && !(error instanceof ServerRefusal)) throw error;
      const known = error instanceof ServerRefusal ? (words?.(error) ?? null) : null;
      if (known === null) reportError(operation, error);
      return known;
    },
    [operation, words],
  );
}
