import { metresBetween, type LatLon } from '@cairn/base/globe.ts';
import type { Asset } from './queries.ts';

/** An asset and how far it is, m. */
export type NearAsset = { asset: Asset; metres: number };

/** Where an asset stands; null where nobody has measured it. */
export const positionOf = ({ latitude, longitude }: Asset): LatLon | null =>
  latitude === null || longitude === null ? null : { lat: latitude, lon: longitude };

/**
 * Assets with a position around a place, the nearest first.
 *
 * @param within m; what is farther is left out
 * @param most how many at most
 */
export function nearest(
  assets: readonly Asset[],
  here: LatLon,
  { within, most }: { within: number; most: number },
): NearAsset[] {
  return assets
    .flatMap(asset => {
      const position = positionOf(asset);
      return position ? [{ asset, metres: metresBetween(here, position) }] : [];
    })
    .filter(({ metres }) => metres <= within)
    .toSorted((a, b) => a.metres - b.metres)
    .slice(0, most);
}
