import { Failure, type FailureCode } from '@cairn/base/failure.ts';
import type { Query, Store } from '@cairn/sync/store.ts';

/** A store on which one query fails as a device may, and everything else goes on. */
export function failingRead<A>(store: Store, query: Query<A>, code: FailureCode): Store {
  const fails = () => Promise.reject(new Failure(code, `read ${query.key}`));
  return { ...store, read: asked => (asked.key === query.key ? fails() : store.read(asked)) };
}
