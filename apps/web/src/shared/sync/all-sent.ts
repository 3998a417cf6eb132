import type { SyncEngine } from '@cairn/sync/engine/engine.ts';

/** What is not received yet would be missing from what the server decides on. */
export class PendingError extends Error {}

/** ms; on a slow line it takes a moment, and whoever pressed sees that it is under way. */
const PATIENCE = 15_000;

/**
 * Sends what waits on this device, but for the bytes of files. What was written just now is in the queue before the figures
 * know of it: where they say that nothing waits, it is counted once more. @throws {PendingError} when it cannot be sent now, or takes too long
 */
export function allSent(engine: Pick<SyncEngine, 'syncNow' | 'watchStatus' | 'pending'>): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const end = (done: () => void) => {
      clearTimeout(timer);
      // The first word may come before there is anything to stop.
      queueMicrotask(() => stop());
      done();
    };
    const timer = setTimeout(() => end(() => reject(new PendingError())), PATIENCE);
    const countAnew = async () => {
      try {
        if ((await engine.pending()).records === 0) end(resolve);
      } catch (error) {
        end(() => reject(error));
      }
    };
    let isAsked = false;
    stop = engine.watchStatus(({ pendingItems, failed, online }) => {
      if (pendingItems === 0) return void countAnew();
      if (!online || failed > 0) return end(() => reject(new PendingError()));
      if (!isAsked) engine.syncNow();
      isAsked = true;
    });
  });
}
