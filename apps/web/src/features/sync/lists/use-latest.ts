import { useState } from 'react';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';

/**
 * The answer to a query whose key changes with what is on the screen: the last one stays until the next is here.
 *
 * @param none stands there before the first
 */
export function useLatest<A>(query: Query<A> | null, none: A): A {
  const live = useLive(query);
  const [last, setLast] = useState(none);
  if (live.status !== 'ready') return last;
  if (live.answer !== last) setLast(live.answer);
  return live.answer;
}
