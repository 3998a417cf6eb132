import type { LatLon } from '@cairn/base/globe.ts';

/** Reads ODK's text of a point, way or area: `lat lon altitude accuracy; …`. What is no point is left out. */
export function pointsIn(text: string): LatLon[] {
  return text
    .split(';')
    .map(point => point.trim().split(/\s+/).map(Number))
    .flatMap(([lat, lon]) =>
      lat !== undefined && lon !== undefined && Number.isFinite(lat) && Number.isFinite(lon) ? [{ lat, lon }] : [],
    );
}
