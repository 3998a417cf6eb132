import { useCallback } from 'react';
import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useServerCalls, type ServerCalls, type ServerRefusal } from '../../shared/server-calls.ts';
import { useProblemText } from '../../shared/use-problem-text.ts';
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
  const { run, ...rest } = useServerAct(act, useProblemText(useRefusalWords(words)));
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

function useRefusalWords(words: RefusalText | undefined): (refusal: ServerRefusal) => string {
  const { t } = useTranslation('spaces');
  return useCallback(
    (refusal: ServerRefusal) => {
      const known = words?.(refusal) ?? null;
      if (known !== null) return known;
      if (refusal.code === '42501') return t('refused.notAllowed');
      if (refusal.code === '23505') return t('refused.exists');
      return t('refused.other');
    },
    [t, words],
  );
}
