import type { Json } from '@cairn/schema';
import type { QuestionTypeDef } from './question-type.ts';

/** A place as a device measured it: WGS 84 degrees, metres above sea, metres of accuracy. */
export type GeoPoint = { lat: number; lon: number; altitude: number | null; accuracy: number | null };

/** A place with its degrees in bounds. */
export function isGeoPoint(value: Json): value is GeoPoint {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const within = (degrees: Json | undefined, most: number) => typeof degrees === 'number' && Math.abs(degrees) <= most;
  return within(value['lat'], 90) && within(value['lon'], 180);
}

const hasPoints = (value: Json, least: number): boolean =>
  Array.isArray(value) && value.length >= least && value.every(isGeoPoint);

/** GeoPoint */
export const geopoint = {
  answer: 'value',
  fits: (value: Json): boolean => isGeoPoint(value),
  places: 'spot',
  literalDefault: null,
  xlsform: { written: 'geopoint', names: ['geopoint', 'location', 'gps'] },
  xform: { inputs: ['geopoint'] },
} as const satisfies QuestionTypeDef;

/** GeoPoint[]: a way, two or more */
export const geotrace = {
  answer: 'value',
  fits: (value: Json) => hasPoints(value, 2),
  places: 'way',
  literalDefault: null,
  xlsform: { written: 'geotrace', names: ['geotrace'] },
  xform: { inputs: ['geotrace'] },
} as const satisfies QuestionTypeDef;

/** GeoPoint[]: an area's corners, three or more, the first not repeated */
export const geoshape = {
  answer: 'value',
  fits: (value: Json) => hasPoints(value, 3),
  places: 'area',
  literalDefault: null,
  xlsform: { written: 'geoshape', names: ['geoshape'] },
  xform: { inputs: ['geoshape'] },
} as const satisfies QuestionTypeDef;
