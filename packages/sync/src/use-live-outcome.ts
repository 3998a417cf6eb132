import { useEffect, useState } from 'react';
import type { Query } from './store.ts';
import { useStore } from './store-context.ts';
import { type Live } from './use-live.ts';

/** What became of a read; after `failed` it is not tried again by itself. */
export type LiveOutcome<A> = Live<A> | { status: 'failed'; error: unknown };

/**
 * Like `useLive`, for a screen that goes on without the answer: what went wrong comes back instead of reaching the boundary.
 * @param query null reads nothing and stays `loading`
 */
export function useLiveOutcome<A>(query: Query<A> | null): LiveOutcome<A> {
  const store = useStore();
  const key = query?.key ?? null;
  const [seen, setSeen] = useState<{ key: string; outcome: LiveOutcome<A> } | null>(null);

  useEffect(() => {
    if (!query) return undefined;
    const see = (outcome: LiveOutcome<A>) => setSeen({ key: query.key, outcome });
    return store.watch(
      query,
      answer => see({ status: 'ready', answer }),
      error => see({ status: 'failed', error }),
    );
    // A query is identified by its key: two objects with one key are the same read.
  }, [store, key]);

  return seen && seen.key === key ? seen.outcome : { status: 'loading' };
}
