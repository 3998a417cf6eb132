import { type Clock, systemClock } from '@cairn/base/clock.ts';
import { Failure } from '@cairn/base/failure.ts';

/** How long an import may make no progress, in ms. */
export const MAX_SILENCE_MS = 10_000;

/**
 * Runs what reads a file, and ends it where nothing goes on any more: a person is told, rather than left with "Reading".
 *
 * @param work calls `progress` whenever a step is done
 * @param end stops what is still running; called once, when it stalled
 * @throws {Failure} `stalled` after `MAX_SILENCE` without a step
 */
export function unlessStalled<T>(
  work: (progress: () => void) => Promise<T>,
  { end = () => {}, clock = systemClock }: { end?: () => void; clock?: Clock } = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let cancel = () => {};
    let isOver = false;
    const stall = () => {
      isOver = true;
      end();
      reject(new Failure('stalled', `an import made no progress for ${MAX_SILENCE_MS} ms`));
    };
    const progress = () => {
      if (isOver) return;
      cancel();
      cancel = clock.after(MAX_SILENCE_MS, stall);
    };
    progress();
    // What came is never ended: the clock stops before anybody hears of it.
    work(progress)
      .finally(() => cancel())
      .then(resolve, reject);
  });
}

/** The bytes of a file that was chosen: one that lies on another machine may never come. */
export const bytesOf = (file: File): Promise<ArrayBuffer> => unlessStalled(() => file.arrayBuffer());

/** Its text, likewise. */
export const textOfFile = (file: File): Promise<string> => unlessStalled(() => file.text());
