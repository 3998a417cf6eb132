import { areaOf, type LatLon } from '@cairn/base/globe.ts';

const isWithin = (degrees: number | undefined, most: number): degrees is number =>
  degrees !== undefined && Math.abs(degrees) <= most;

/** Reads ODK's text of a point, way or area: `lat lon altitude accuracy; …`. None where any of it is no place on Earth. */
export function pointsIn(text: string): LatLon[] {
  const written = text
    .split(';')
    .map(point => point.trim())
    .filter(point => point !== '');
  const points = written
    .map(point => point.split(/\s+/).map(Number))
    .flatMap(([lat, lon]) => (isWithin(lat, 90) && isWithin(lon, 180) ? [{ lat, lon }] : []));
  return points.length === written.length ? points : [];
}

/** Area in m² of ODK's text of an area; 0 where its points enclose none, NaN for what is no point. */
export function enclosedArea(text: string): number {
  const points = pointsIn(text);
  if (points.length === 0) return Number.NaN;
  return points.length < 3 ? 0 : areaOf(points);
}

/** Whether a point lies in an area, as on a flat map of degrees: a way that is never crossed goes around it. Its edge is in. */
export function isInside(point: string, area: string): boolean {
  const [here] = pointsIn(point);
  const corners = pointsIn(area);
  if (!here || corners.length < 3) return false;
  let inside = false;
  for (const [index, a] of corners.entries()) {
    const b = corners[(index + 1) % corners.length] ?? a;
    if (isOnEdge(here, a, b)) return true;
    const crosses = a.lat > here.lat !== b.lat > here.lat;
    if (crosses && here.lon < ((b.lon - a.lon) * (here.lat - a.lat)) / (b.lat - a.lat) + a.lon) inside = !inside;
  }
  return inside;
}

/** A ten-millionth of a degree: a centimetre. */
const CLOSE = 1e-7;

function isOnEdge(point: LatLon, a: LatLon, b: LatLon): boolean {
  const [east, north] = [b.lon - a.lon, b.lat - a.lat];
  const length = Math.hypot(east, north);
  const [toEast, toNorth] = [point.lon - a.lon, point.lat - a.lat];
  if (length === 0) return Math.hypot(toEast, toNorth) < CLOSE;
  const along = (toEast * east + toNorth * north) / length;
  const beside = Math.abs(toEast * north - toNorth * east) / length;
  return beside < CLOSE && along >= -CLOSE && along <= length + CLOSE;
}
