import type { Fetch } from './ask.ts';
import { BackendError, type Backend } from './backend.ts';
import { retryAfterOf } from './error-class.ts';

/** How long the server last asked to be left alone. */
export interface ServerPause {
  /** ms still to wait; null when nothing was asked. */
  left(): number | null;
  /** A fetch that hears what is asked. */
  heard(ask: Fetch): Fetch;
}

/**
 * Remembers `Retry-After` of any answer: the client library hands out errors without their headers, and a busy server or
 * gateway means every call of this device, not only the one that heard it.
 *
 * @param now ms on a clock that is never set back: the rest would last as long as the clock was ahead
 */
export function openServerPause(now = () => performance.now()): ServerPause {
  let until = 0;
  return {
    left() {
      const wait = until - now();
      return wait > 0 ? wait : null;
    },
    heard: ask => async (input, init) => {
      const response = await ask(input, init);
      const wait = response.ok ? null : retryAfterOf(response.headers.get('retry-after'), Date.now());
      if (wait !== null) until = now() + wait;
      return response;
    },
  };
}

const delayed = (error: unknown, wait: number | null): unknown =>
  error instanceof BackendError && wait !== null && (error.kind === 'busy' || error.kind === 'network')
    ? new BackendError(error.kind, error.message, error.code, Math.max(wait, error.retryAfter ?? 0))
    : error;

/** The backend, whose failures say how long the server asked to be left alone, whichever call it was. */
export function honourPause(backend: Backend, pause: ServerPause): Backend {
  const honest =
    (call: (...given: unknown[]) => Promise<unknown>) =>
    async (...given: unknown[]) => {
      try {
        return await call(...given);
      } catch (error) {
        throw delayed(error, pause.left());
      }
    };
  const { onNudge, ...calls } = backend;
  const honoured = Object.entries(calls).map(([name, call]) => [name, honest(call as Parameters<typeof honest>[0])]);
  // Every method but `onNudge` answers with a promise.
  return { ...(Object.fromEntries(honoured) as typeof calls), onNudge };
}
