import type { LatLon } from '@cairn/base/globe.ts';

/** Places drawn on paper with north up. */
export type PlacePlan = {
  /** In the unit of the paper, from its upper left corner. */
  spots: readonly { x: number; y: number }[];
  /** m a square of the grid is wide: 1, 2 or 5 times a power of ten. */
  gridMetres: number;
  /** The same in the unit of the paper. */
  grid: number;
};

/** m per degree of latitude, on the sphere `metresBetween` reckons with. */
const METRES_PER_DEGREE = (Math.PI * 6_378_100) / 180;

/** Share of the paper that stays free on each side. */
const MARGIN = 0.12;

/** Squares of the grid along the longer side, at least. */
const SQUARES = 4;

/** m; a single place, or places closer than a device measures, would otherwise fill the paper with noise. */
const MIN_EXTENT_M = 10;

/**
 * Lays places out on a paper of that size, as large as they fit and to scale. Flat reckoning: right for what a person walks,
 * a few kilometres, away from the poles.
 */
export function placePlan(places: readonly LatLon[], { width, height }: { width: number; height: number }): PlacePlan {
  const first = places[0];
  const metres = first ? places.map(place => metresFrom(first, place)) : [];
  const [west, east] = ends(metres.map(({ east }) => east));
  const [south, north] = ends(metres.map(({ north }) => north));
  const free = 1 - 2 * MARGIN;
  const perMetre = Math.min(
    (width * free) / Math.max(east - west, MIN_EXTENT_M),
    (height * free) / Math.max(north - south, MIN_EXTENT_M),
  );
  const spots = metres.map(({ east: x, north: y }) => ({
    x: width / 2 + (x - (west + east) / 2) * perMetre,
    y: height / 2 - (y - (south + north) / 2) * perMetre,
  }));
  const gridMetres = roundStep(Math.max(width, height) / perMetre / SQUARES);
  return { spots, gridMetres, grid: gridMetres * perMetre };
}

function metresFrom(origin: LatLon, { lat, lon }: LatLon): { east: number; north: number } {
  const turn = ((lon - origin.lon + 540) % 360) - 180;
  const shrink = Math.cos((origin.lat * Math.PI) / 180);
  return { east: turn * METRES_PER_DEGREE * shrink, north: (lat - origin.lat) * METRES_PER_DEGREE };
}

const ends = (values: readonly number[]): [number, number] => [Math.min(0, ...values), Math.max(0, ...values)];

/** The largest of 1, 2, 5 × 10ⁿ that is not above. */
function roundStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [5, 2, 1].find(each => each * power <= value) ?? 1;
  return step * power;
}
