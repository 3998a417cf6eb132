import type { Clock } from '@cairn/base/clock.ts';
import { BackendError } from './backend.ts';

/** Longest a request may take, ms. */
export const REQUEST_DEADLINE = 30_000;
/** Slowest line (bytes per ms) a file is still given time for. */
const MIN_BYTES_PER_MS = 8;

/** How long (ms) a request that carries a file of `bytes` may take. */
export const patienceFor = (bytes: number): number => REQUEST_DEADLINE + bytes / MIN_BYTES_PER_MS;

/**
 * Runs one request that may take as long as it moves: each sign of life gives it the whole time again.
 *
 * @param ms longest silence
 * @throws {BackendError} `network` when there was no sign for that long
 */
export async function whileMoving<A>(
  clock: Clock,
  outer: AbortSignal,
  ms: number,
  request: (signal: AbortSignal, moved: () => void) => Promise<A>,
): Promise<A> {
  outer.throwIfAborted();
  const controller = new AbortController();
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const end = (error: unknown) => {
    controller.abort(error);
    reject(error);
  };
  const onOuter = () => end(outer.reason);
  outer.addEventListener('abort', onOuter);
  let isOver = false;
  let stopTimer = () => {};
  const moved = () => {
    if (isOver) return;
    stopTimer();
    stopTimer = clock.after(ms, () => end(new BackendError('network', `no sign of an answer for ${ms} ms`, 'timeout')));
  };
  moved();
  try {
    return await Promise.race([request(controller.signal, moved), ended]);
  } finally {
    isOver = true;
    stopTimer();
    outer.removeEventListener('abort', onOuter);
  }
}

/**
 * Runs one request with a deadline, also when it ignores its signal.
 *
 * @param ms longest wait
 * @throws {BackendError} `network` when the deadline passed
 */
export const withDeadline = <A>(
  clock: Clock,
  outer: AbortSignal,
  ms: number,
  request: (signal: AbortSignal) => Promise<A>,
): Promise<A> => whileMoving(clock, outer, ms, signal => request(signal));
