import { createContext, useContext, useEffect, useState } from 'react';
import type { Query, Store } from './store.ts';

export const StoreContext = createContext<Store | null>(null);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('useStore outside <StoreContext>');
  return store;
}

export type Live<A> = { status: 'loading' } | { status: 'ready'; answer: A };

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

/** The current answer to a query over the local copy; works offline. Read errors go to the route's boundary. */
export function useLive<A>(query: Query<A>): Live<A> {
  const outcome = useLiveOutcome(query);
  if (outcome.status === 'failed') throw outcome.error;
  return outcome;
}
