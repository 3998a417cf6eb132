import type { Feature } from '@cairn/core/analytics-events/analytics-event.ts';

/** One step of something that is begun and done, for the rate of what gets done. */
export type FeatureStep = 'used' | 'begun' | 'done';
export type FeatureUse = { feature: Feature; step: FeatureStep };

const listeners = new Set<(use: FeatureUse) => void>();

/** Says that a feature was used, begun or done. Costs nothing where nobody counts. */
export function usedFeature(feature: Feature, step: FeatureStep = 'used'): void {
  for (const listener of listeners) listener({ feature, step });
}

/** Calls back with every use; returns what stops it. */
export function onFeatureUse(listener: (use: FeatureUse) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
