import type { Json } from '@cairn/schema';
import type { Value } from '../expression/expression-values.ts';
import type { QuestionType } from './form-definition.ts';
import { isRunning } from './timer.ts';

/** Questions whose answer is files: the answer's media_ids. */
const MEDIA = new Set<QuestionType>(['photo', 'audio', 'video', 'file']);
export const isMedia = (type: QuestionType): boolean => MEDIA.has(type);

/**
 * An answer as expressions see it, in ODK's way: several choices as their names with spaces between, a place as
 * `lat lon altitude accuracy`, a way as places with `;` between, an acknowledgement as OK, a signature as a text, a stopwatch that
 * runs as the seconds measured before it was last started.
 */
export function plainValue(value: Json): Value {
  if (value === null) return '';
  if (value === true) return 'OK';
  if (Array.isArray(value)) {
    const points = value.map(pointText).filter(text => text !== null);
    return points.length > 0 ? points.join('; ') : value.filter(entry => typeof entry === 'string').join(' ');
  }
  if (isRunning(value)) return value.seconds;
  return typeof value === 'object' ? (pointText(value) ?? 'signed') : value;
}

function pointText(value: Json): string | null {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return null;
  const { lat, lon, altitude = null, accuracy = null } = value;
  if (typeof lat !== 'number' || typeof lon !== 'number') return null;
  return `${lat} ${lon} ${Number(altitude ?? 0)} ${Number(accuracy ?? 0)}`;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T/;

/** What a worked-out value is as an answer to a question of this type; null where it is none. */
export function asAnswer(type: QuestionType, value: Value): Json {
  if (value === '' || (typeof value === 'number' && Number.isNaN(value))) return null;
  switch (type) {
    case 'integer':
    case 'decimal':
    case 'range':
    case 'timer':
      return Number.isFinite(Number(value)) ? Number(value) : String(value);
    case 'select_multiple':
    case 'rank':
      return String(value).trim().split(/\s+/);
    case 'acknowledge':
      return value === true || value === 'OK' ? true : null;
    case 'date':
      return MOMENT.test(String(value)) ? String(value).slice(0, 10) : String(value);
    case 'datetime':
      return DAY.test(String(value)) ? `${value}T00:00` : String(value);
    case 'time':
      // Of a moment the clock: `2026-11-21T17:30:05.000+01:00` is 17:30:05.000.
      return MOMENT.test(String(value))
        ? String(value)
            .slice(11)
            .replace(/(Z|[+-]\d{2}:?\d{2})$/, '')
        : String(value);
    case 'text':
    case 'barcode':
    case 'select_one':
    case 'pass_fail':
      return String(value);
    default:
      return null;
  }
}
