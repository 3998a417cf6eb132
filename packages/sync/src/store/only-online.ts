import type { Fetch } from '../transport/ask.ts';

/**
 * Sync asks for nothing while the device says that it has no network: what began with one may ask again after it is gone, and the
 * browser would write each such try into its console. Anything else is tried, for a person waits for its answer.
 *
 * @throws {TypeError} as `fetch` does, for calls of sync with no network
 */
export const onlyOnline =
  (ask: Fetch, isOnline: () => boolean): Fetch =>
  (input, init) =>
    isSync(input) && !isOnline() ? Promise.reject(new TypeError('no network')) : ask(input, init);

const addressOf = (input: RequestInfo | URL): string =>
  typeof input === 'string' ? input : 'url' in input ? input.url : input.href;

const isSync = (input: RequestInfo | URL): boolean => addressOf(input).includes('/rest/v1/rpc/sync_');
