import { useCallback } from 'react';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { Failure } from '@cairn/base/failure.ts';
import { errorSentence, reportError } from '../../shared/errors/report-error.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server/server-calls.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';

/** Something only the server knows, kept for some minutes. */
export function useServerQuery<A>(key: readonly string[], read: (calls: ServerCalls) => Promise<A>): UseQueryResult<A> {
  const calls = useServerCalls();
  return useQuery({ queryKey: ['spaces', ...key], queryFn: () => read(calls) });
}

/** An area's own words for a refusal: what was wrong with what was sent; null where it has none. */
export type RefusalText = (refusal: ServerRefusal) => string | null;

type ActionOptions = {
  /** What was asked for, in the words of its button. */
  operation: string;
  /** What is read anew once it is done. */
  changes: readonly string[];
  words?: RefusalText;
};

/**
 * Does something on the server, then reads anew what it changed. What goes wrong comes back as `problem`: in the area's own words, or in those of
 * every error; then it is told as "<operation> Failed" too (R8.01), and kept for the diagnostics.
 */
export function useServerAction<Args extends unknown[]>(
  act: (calls: ServerCalls, ...args: Args) => Promise<unknown>,
  { operation, changes, words }: ActionOptions,
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
      return known ?? errorSentence(reportError(operation, error).code);
    },
    [operation, words],
  );
}
