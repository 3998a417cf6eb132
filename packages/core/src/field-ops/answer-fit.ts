import type { Json } from '@cairn/schema';
import { daysSince1970 } from './expression-values.ts';
import type { GeoPoint, Question, QuestionType } from './form-definition.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?$/;

const isText = (value: Json): boolean => typeof value === 'string';
const isDay = (value: Json): boolean => typeof value === 'string' && daysSince1970(value) !== null;
const isTime = (value: Json): boolean => typeof value === 'string' && TIME.test(value);

function isMoment(value: Json): boolean {
  const [, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  return day !== undefined && isDay(day);
}

/** A place with its degrees in bounds. */
export function isGeoPoint(value: Json): value is GeoPoint {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const within = (degrees: Json | undefined, most: number) => typeof degrees === 'number' && Math.abs(degrees) <= most;
  return within(value['lat'], 90) && within(value['lon'], 180);
}

const hasPoints = (value: Json, least: number): boolean =>
  Array.isArray(value) && value.length >= least && value.every(isGeoPoint);

function isSignature(value: Json): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { strokes } = value;
  return Array.isArray(strokes) && strokes.some(stroke => Array.isArray(stroke) && stroke.length > 0);
}

const FITS: Partial<Record<QuestionType, { fits(value: Json): boolean; message: string }>> = {
  text: { fits: isText, message: 'This must be a text.' },
  barcode: { fits: isText, message: 'This must be what a code says.' },
  integer: { fits: value => Number.isSafeInteger(value), message: 'This must be a whole number.' },
  decimal: { fits: value => Number.isFinite(value), message: 'This must be a number.' },
  date: { fits: isDay, message: 'This must be a date.' },
  time: { fits: isTime, message: 'This must be a time.' },
  datetime: { fits: isMoment, message: 'This must be a date and a time.' },
  acknowledge: { fits: value => value === true, message: 'This must be confirmed.' },
  signature: { fits: isSignature, message: 'This must be a signature.' },
  geopoint: { fits: isGeoPoint, message: 'This must be a place.' },
  geotrace: { fits: value => hasPoints(value, 2), message: 'This must be a way with two places or more.' },
  geoshape: { fits: value => hasPoints(value, 3), message: 'This must be an area with three corners or more.' },
};

/**
 * Whether an answer is of its question's kind; choices are looked at elsewhere.
 *
 * @returns why not, or null
 */
export function misfit({ type, range, allow_na: allowNa }: Question, value: Json): string | null {
  const check = FITS[type];
  if (check) return check.fits(value) ? null : check.message;
  if (type === 'range' && range) return rangeMisfit(range, value);
  if (type !== 'pass_fail') return null;
  const allowed = ['pass', 'fail', ...(allowNa === false ? [] : ['na'])];
  return typeof value === 'string' && allowed.includes(value) ? null : 'Choose one of the answers.';
}

function rangeMisfit({ start, end, step }: NonNullable<Question['range']>, value: Json): string | null {
  if (typeof value !== 'number' || value < start || value > end)
    return `This must be a number from ${start} to ${end}.`;
  const steps = (value - start) / step;
  // Steps such as 0.1 do not add up exactly in binary.
  return Math.abs(steps - Math.round(steps)) < 1e-6 || value === end ? null : `This must be in steps of ${step}.`;
}
