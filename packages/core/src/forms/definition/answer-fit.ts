import type { Json } from '@cairn/schema';
import { daysSince1970 } from '../expression/expression-values.ts';
import { isTimerValue } from './timer.ts';
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

/** What kind of answer was asked for; `numbers` are the bounds and steps it speaks of. */
export type Misfit = {
  fault:
    | 'text'
    | 'barcode'
    | 'integer'
    | 'decimal'
    | 'date'
    | 'time'
    | 'timer'
    | 'datetime'
    | 'acknowledge'
    | 'signature'
    | 'geopoint'
    | 'geotrace'
    | 'geoshape'
    | 'one_of'
    | 'between'
    | 'steps';
  numbers?: Readonly<Record<string, number>>;
};

const FITS = {
  text: isText,
  barcode: isText,
  integer: value => Number.isSafeInteger(value),
  decimal: value => Number.isFinite(value),
  date: isDay,
  time: isTime,
  timer: isTimerValue,
  datetime: isMoment,
  acknowledge: value => value === true,
  signature: isSignature,
  geopoint: isGeoPoint,
  geotrace: value => hasPoints(value, 2),
  geoshape: value => hasPoints(value, 3),
} as const satisfies Partial<Record<QuestionType, (value: Json) => boolean>>;

const isPlain = (type: QuestionType): type is keyof typeof FITS => Object.hasOwn(FITS, type);

/**
 * Whether an answer is of its question's kind; choices are looked at elsewhere.
 *
 * @returns why not, or null
 */
export function misfit({ type, range, allow_na: allowNa }: Question, value: Json): Misfit | null {
  if (isPlain(type)) return FITS[type](value) ? null : { fault: type };
  if (type === 'range' && range) return rangeMisfit(range, value);
  if (type !== 'pass_fail') return null;
  const allowed = ['pass', 'fail', ...(allowNa === false ? [] : ['na'])];
  return typeof value === 'string' && allowed.includes(value) ? null : { fault: 'one_of' };
}

function rangeMisfit({ start, end, step }: NonNullable<Question['range']>, value: Json): Misfit | null {
  const [least, most] = [Math.min(start, end), Math.max(start, end)];
  if (typeof value !== 'number' || value < least || value > most) return { fault: 'between', numbers: { start, end } };
  const steps = Math.abs(value - start) / step;
  // Steps such as 0.1 do not add up exactly in binary.
  return Math.abs(steps - Math.round(steps)) < 1e-6 || value === end ? null : { fault: 'steps', numbers: { step } };
}
