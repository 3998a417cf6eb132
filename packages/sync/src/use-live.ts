import { createContext, useContext, useEffect, useState } from 'react';
import type { Query, Store } from './store.ts';

export const StoreContext = createContext<Store | null>(null);

export function useStore(): Store {
  const store = useContext(StoreContext);
  if (!store) throw new Error('useStore outside <StoreContext>');
  return store;
}

export type Live<A> = { status: 'loading' } | { status: 'ready'; answer: A };

/** The current answer to a query over the local copy; works offline. Read errors go to the route's boundary. */
export function useLive<A>(query: Query<A>): Live<A> {
  const store = useStore();
  const [seen, setSeen] = useState<{ key: string; answer: A } | { error: unknown } | null>(null);

  useEffect(
    () =>
      store.watch(
        query,
        answer => setSeen({ key: query.key, answer }),
        error => setSeen({ error }),
      ),
    // A query is identified by its key: two objects with one key are the same read.
    [store, query.key],
  );

  if (seen && 'error' in seen) throw seen.error;
  return seen?.key === query.key ? { status: 'ready', answer: seen.answer } : { status: 'loading' };
}
