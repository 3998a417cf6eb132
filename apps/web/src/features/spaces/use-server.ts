import { useCallback } from 'react';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { failureText } from '../../shared/failure-text.ts';
import { ServerRefusal, useServerCalls, type ServerCalls } from '../../shared/server-calls.ts';
import { useServerAct } from '../../shared/use-server-act.ts';

/** Something only the server knows, kept for some minutes. */
export function useServerQuery<A>(key: readonly string[], read: (calls: ServerCalls) => Promise<A>): UseQueryResult<A> {
  const calls = useServerCalls();
  return useQuery({ queryKey: ['spaces', ...key], queryFn: () => read(calls) });
}

/** The words for a refusal: what was wrong with what was sent, or who may do it. */
export type RefusalText = (refusal: ServerRefusal) => string | null;

/** Does something on the server, then reads anew what it changed. What goes wrong comes back in words. */
export function useServerAction<Args extends unknown[]>(
  act: (calls: ServerCalls, ...args: Args) => Promise<unknown>,
  { changes, words }: { changes: readonly string[]; words?: RefusalText },
) {
  const queries = useQueryClient();
  const { run, ...rest } = useServerAct(act, useProblemText(words));
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

/** What a person reads when a call did not do what they asked. A bug of ours is no sentence: it is thrown on. */
function useProblemText(words: RefusalText | undefined): (error: unknown) => string {
  const { t } = useTranslation('spaces');
  const { t: tFailure } = useTranslation('failure');
  return useCallback(
    (error: unknown) => {
      if (error instanceof Failure) return tFailure(failureText[error.code]);
      if (!(error instanceof ServerRefusal)) throw error;
      const known = words?.(error) ?? null;
      if (known !== null) return known;
      if (error.code === '42501') return t('refused.notAllowed');
      if (error.code === '23505') return t('refused.exists');
      return t('refused.other');
    },
    [t, tFailure, words],
  );
}
