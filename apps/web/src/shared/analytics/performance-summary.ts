import type { Clock } from '@cairn/base/clock.ts';
import type { MetricName } from '@cairn/core/analytics-events/analytics-event.ts';

/** ms; specified in R9.19. */
const FIRST_AFTER_LOAD_MS = 2_000;
const EVERY_MS = 30_000;

export type Figures = Partial<Record<MetricName, number>>;

/** What happened since the page was opened, as far as the browser tells. */
export type FigureSource = {
  /** ms since the page was opened. */
  sinceLoad(): number;
  /** The newest figures; those that did not change since the last call are left out. */
  take(): Figures;
  stop(): void;
};

/**
 * Calls back with the figures 2 s after load, or at once where that is over, and every 30 s from then on, when there are any
 * (R9.19).
 */
export function summarisePerformance(clock: Clock, source: FigureSource, tell: (figures: Figures) => void): () => void {
  let cancel = clock.after(Math.max(0, FIRST_AFTER_LOAD_MS - source.sinceLoad()), function summary(): void {
    const figures = source.take();
    if (Object.keys(figures).length > 0) tell(figures);
    cancel = clock.after(EVERY_MS, summary);
  });
  return () => {
    cancel();
    source.stop();
  };
}
