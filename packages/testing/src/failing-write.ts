import { Failure, type FailureCode } from '@cairn/base/failure.ts';
import type { Store } from '@cairn/sync/store.ts';

/** A store that refuses every write as a device may, and reads on. */
export function failingWrite(store: Store, code: FailureCode): Store {
  return {
    owner: store.owner,
    read: query => store.read(query),
    watch: (...asked) => store.watch(...asked),
    write: name => Promise.reject(new Failure(code, `write ${name}`)),
  };
}
