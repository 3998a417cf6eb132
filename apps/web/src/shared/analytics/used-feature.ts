import type { Feature } from '@cairn/core/analytics-events/analytics-event.ts';

/** One step of something that is begun and done, for the rate of what gets done. */
export type FeatureStep = 'used' | 'begun' | 'done';
type Listener = (feature: Feature, step: FeatureStep) => void;

const listeners = new Set<Listener>();

/** Says that a feature was used, begun or done. Costs nothing where nobody counts. */
export function usedFeature(feature: Feature, step: FeatureStep = 'used'): void {
  for (const listener of listeners) listener(feature, step);
}

/** Calls back with every use; returns what stops it. */
export function onFeatureUse(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
