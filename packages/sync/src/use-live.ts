import { systemClock } from '@cairn/base/clock.ts';
import { useLayoutEffect, useState } from 'react';
import { useStore } from './store-context.ts';
import type { Query, Store } from './store.ts';

export type LiveAnswer<A> = { status: 'loading' } | { status: 'ready'; answer: A };

/** What a read said last. */
export type ReadResult<A> = { key: string; answer: A } | { error: unknown };
type SharedRead = {
  last: ReadResult<unknown> | null;
  listeners: Set<(seen: ReadResult<unknown>) => void>;
  stop: () => void;
  /** Calls off the end of a read that lingers. */
  keepOn: () => void;
};

/** ms a read that lingers is kept fresh with nobody there to look. */
export const LINGER = 300_000;

/** The reads that are on the screen, by key: what ten places show is read once, and they change in one go. */
const underway = new WeakMap<Store, Map<string, SharedRead>>();

/** Watches a query, together with whoever watches it already; what was heard last is told at once. */
export function watchTogether<A>(store: Store, query: Query<A>, tell: (seen: ReadResult<A>) => void): () => void {
  const { key } = query;
  const reads = underway.get(store) ?? new Map<string, SharedRead>();
  underway.set(store, reads);
  const present = reads.get(key);
  const shared: SharedRead = present ?? { last: null, listeners: new Set(), stop: () => {}, keepOn: () => {} };
  shared.keepOn();
  const listener = tell as (seen: ReadResult<unknown>) => void;
  shared.listeners.add(listener);
  if (shared.last) listener(shared.last);
  if (!present) {
    reads.set(key, shared);
    const hear = (seen: ReadResult<unknown>) => {
      shared.last = seen;
      for (const each of shared.listeners) each(seen);
      // A failed read watches no more: whoever asks again begins a new one.
      if ('error' in seen && reads.get(key) === shared) reads.delete(key);
    };
    shared.stop = store.watch(
      query,
      answer => hear({ key, answer }),
      error => hear({ error }),
    );
  }
  return () => {
    shared.listeners.delete(listener);
    if (shared.listeners.size > 0) return;
    const end = () => {
      shared.stop();
      if (reads.get(key) === shared) reads.delete(key);
    };
    if (query.lingers) shared.keepOn = systemClock.after(LINGER, end);
    else end();
  };
}

/** What whoever watches this query already was told last. */
export const lastSeen = <A>(store: Store, key: string): ReadResult<A> | null =>
  (underway.get(store)?.get(key)?.last ?? null) as ReadResult<A> | null;

/**
 * Begins a read before the screen that shows it is there, and keeps its answer fresh: the screen has it when it is first drawn.
 * A failure is left to the screen, which asks again.
 *
 * @param hear told each answer
 * @returns what ends it; screens that watch the same go on
 */
export function readAhead<A>(store: Store, query: Query<A>, hear: (answer: A) => void = () => {}): () => void {
  return watchTogether(store, query, seen => {
    if (!('error' in seen)) hear(seen.answer);
  });
}

/**
 * The current answer to a query over the local copy; works offline. Read errors go to the route's boundary.
 * @param query null reads nothing and stays `loading`
 */
export function useLive<A>(query: Query<A> | null): LiveAnswer<A> {
  const store = useStore();
  const key = query?.key ?? null;
  const [seen, setSeen] = useState(() => lastSeen<A>(store, key ?? ''));

  // A query is identified by its key: two objects with one key are the same read. Begun before the waiting screen is painted, the
  // read is under way meanwhile.
  useLayoutEffect(() => (query ? watchTogether(store, query, setSeen) : undefined), [store, key]);

  if (seen && 'error' in seen) throw seen.error;
  return seen && seen.key === key ? { status: 'ready', answer: seen.answer } : { status: 'loading' };
}
