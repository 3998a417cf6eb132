import type { Clock } from '@cairn/base/clock.ts';
import { BackendError } from './backend.ts';

/** Longest a request may take, ms. */
export const REQUEST_DEADLINE = 30_000;
/** Slowest line (bytes per ms) a file is still given time for. */
const SLOWEST = 8;

/** How long (ms) a request that carries a file of `bytes` may take. */
export const patienceFor = (bytes: number): number => REQUEST_DEADLINE + bytes / SLOWEST;

/**
 * Runs one request with a deadline, also when it ignores its signal.
 *
 * @param ms longest wait
 * @throws {BackendError} `network` when the deadline passed
 */
export async function withDeadline<A>(
  clock: Clock,
  outer: AbortSignal,
  ms: number,
  request: (signal: AbortSignal) => Promise<A>,
): Promise<A> {
  outer.throwIfAborted();
  const controller = new AbortController();
  let cancel = () => {};
  const ended = new Promise<never>((_resolve, reject) => {
    const end = (error: unknown) => {
      controller.abort(error);
      reject(error);
    };
    const onOuter = () => end(outer.reason);
    outer.addEventListener('abort', onOuter);
    const stopTimer = clock.after(ms, () => end(new BackendError('network', `no answer within ${ms} ms`, 'timeout')));
    cancel = () => {
      stopTimer();
      outer.removeEventListener('abort', onOuter);
    };
  });
  try {
    return await Promise.race([request(controller.signal), ended]);
  } finally {
    cancel();
  }
}

/**
 * Runs one request that may take as long as it moves: each sign of life gives it the whole time again.
 *
 * @param ms longest silence
 * @throws {BackendError} `network` when nothing moved for that long
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
  let stopTimer = () => {};
  const moved = () => {
    stopTimer();
    stopTimer = clock.after(ms, () => end(new BackendError('network', `nothing moved for ${ms} ms`, 'timeout')));
  };
  moved();
  try {
    return await Promise.race([request(controller.signal, moved), ended]);
  } finally {
    stopTimer();
    outer.removeEventListener('abort', onOuter);
  }
}
