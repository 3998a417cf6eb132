import { useEffect, useState } from 'react';
import type { Query } from './store.ts';
import { useStore } from './store-context.ts';
import { lastSeen, watchTogether, type LiveAnswer, type ReadResult } from './use-live.ts';

/** What became of a read; after `failed` it is not tried again by itself. */
export type LiveOutcome<A> = LiveAnswer<A> | { status: 'failed'; error: unknown };

type KeyedOutcome<A> = { key: string | null; outcome: LiveOutcome<A> };

const told = <A>(key: string | null, seen: ReadResult<A> | null): KeyedOutcome<A> | null =>
  seen &&
  ('error' in seen
    ? { key, outcome: { status: 'failed', error: seen.error } }
    : { key, outcome: { status: 'ready', answer: seen.answer } });

/**
 * Like `useLive`, for a screen that goes on without the answer: what went wrong comes back instead of reaching the boundary.
 * @param query null reads nothing and stays `loading`
 */
export function useLiveOutcome<A>(query: Query<A> | null): LiveOutcome<A> {
  const store = useStore();
  const key = query?.key ?? null;
  const [seen, setSeen] = useState<KeyedOutcome<A> | null>(() => told(key, lastSeen<A>(store, key ?? '')));

  useEffect(
    // A query is identified by its key: two objects with one key are the same read.
    () => (query ? watchTogether(store, query, each => setSeen(told(query.key, each))) : undefined),
    [store, key],
  );

  return seen && seen.key === key ? seen.outcome : { status: 'loading' };
}
