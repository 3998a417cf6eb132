import type { NetworkInfo } from '@cairn/core/analytics-events/analytics-event.ts';

/** ms between two network changes that are told (R9.17). */
export const NETWORK_CHANGE_EVERY_MS = 5_000;

/** What tells of network changes: the browser here, the wrapper's own plugin on a phone. */
export type NetworkSource = {
  now(): NetworkInfo;
  /** @returns what stops listening */
  onChange(listener: () => void): () => void;
};

/** `navigator.connection`, which only some browsers have. */
type Connection = EventTarget & { effectiveType?: NetworkInfo['effective_type'] };
const connection = (): Connection | undefined => (navigator as { connection?: Connection }).connection;

export const browserNetwork: NetworkSource = {
  now: () => ({ online: navigator.onLine, effective_type: connection()?.effectiveType ?? null }),
  onChange(listener) {
    const source = connection();
    addEventListener('online', listener);
    addEventListener('offline', listener);
    source?.addEventListener('change', listener);
    return () => {
      removeEventListener('online', listener);
      removeEventListener('offline', listener);
      source?.removeEventListener('change', listener);
    };
  },
};

/**
 * Calls back with the first change, then at most once in 5 s; a platform tells of one change several times.
 *
 * @param now ms since 1970
 */
export function onNetworkChange(
  source: NetworkSource,
  now: () => number,
  listener: (info: NetworkInfo) => void,
): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return source.onChange(() => {
    if (now() - last < NETWORK_CHANGE_EVERY_MS) return;
    last = now();
    listener(source.now());
  });
}
