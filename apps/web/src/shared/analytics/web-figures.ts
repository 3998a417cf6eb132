import { onCLS, onFCP, onINP, onLCP, onTTFB, type MetricType } from 'web-vitals';
import type { MetricName } from '@cairn/core/analytics-events/analytics-event.ts';
import type { FigureSource, Figures } from './performance-summary.ts';

const NAMES: Record<MetricType['name'], MetricName> = {
  TTFB: 'first_byte_ms',
  FCP: 'first_paint_ms',
  LCP: 'largest_paint_ms',
  INP: 'slowest_interaction_ms',
  CLS: 'layout_shift_score',
};

/** Decimals kept: whole milliseconds, and three of the layout shift score, which is about 0.1. */
const rounded = (name: MetricName, value: number): number =>
  name === 'layout_shift_score' ? Math.round(value * 1000) / 1000 : Math.round(value);

/** Web vitals and long tasks of this page. */
export function webFigures(): FigureSource {
  let fresh: Figures = {};
  const keep = ({ name, value }: MetricType) => {
    fresh[NAMES[name]] = rounded(NAMES[name], value);
  };
  for (const watch of [onCLS, onFCP, onINP, onLCP, onTTFB]) watch(keep, { reportAllChanges: true });
  const long = { count: 0, ms: 0 };
  const observer = watchLongTasks(ms => {
    long.count += 1;
    long.ms += ms;
    fresh['long_tasks_count'] = long.count;
    fresh['long_tasks_ms'] = Math.round(long.ms);
  });
  return {
    sinceLoad: () => performance.now(),
    take() {
      const taken = fresh;
      fresh = {};
      return taken;
    },
    stop: () => observer?.disconnect(),
  };
}

function watchLongTasks(told: (ms: number) => void): PerformanceObserver | null {
  if (!PerformanceObserver.supportedEntryTypes.includes('longtask')) return null;
  const observer = new PerformanceObserver(list => {
    for (const entry of list.getEntries()) told(entry.duration);
  });
  observer.observe({ type: 'longtask', buffered: true });
  return observer;
}
