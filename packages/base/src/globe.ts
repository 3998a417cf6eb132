/** A place on Earth in degrees, WGS 84. */
export type LatLon = { lat: number; lon: number };

/** Mean radius of the Earth in m, the one ODK reckons with. */
const RADIUS_M = 6_378_100;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Length of a way in m along great circles (haversine). NaN for fewer than two points. */
export function lengthOf(points: readonly LatLon[]): number {
  if (points.length < 2) return Number.NaN;
  return points.slice(1).reduce((total, point, index) => total + metresBetween(points[index] ?? point, point), 0);
}

/** m between two places along the great circle (haversine). */
export function metresBetween(a: LatLon, b: LatLon): number {
  const across = Math.sin(radians(b.lat - a.lat) / 2) ** 2;
  const along = Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lon - a.lon) / 2) ** 2;
  return 2 * RADIUS_M * Math.asin(Math.min(1, Math.sqrt(across + along)));
}

/**
 * Area inside the corners in m², as on a sphere; the last corner is joined with the first. NaN for fewer than three.
 *
 * Source: R. G. Chamberlain and W. H. Duquette, "Some Algorithms for Polygons on a Sphere" (JPL, 2007).
 */
export function areaOf(corners: readonly LatLon[]): number {
  if (corners.length < 3) return Number.NaN;
  const twice = corners.reduce((total, corner, index) => {
    const next = corners[(index + 1) % corners.length] ?? corner;
    const turned = radians(next.lon - corner.lon);
    return total + turned * (2 + Math.sin(radians(corner.lat)) + Math.sin(radians(next.lat)));
  }, 0);
  return Math.abs((twice * RADIUS_M * RADIUS_M) / 2);
}
