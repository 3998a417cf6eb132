import type { Json } from '@cairn/schema';
import type { Value } from '../expression/expression-values.ts';
import { questionTypeDef, type QuestionType } from '../question-types/question-types.ts';
import { isRunning } from '../question-types/timer-value.ts';

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

/** What a worked-out value is as an answer to a question of this type; null where it is none. */
export function asAnswer(type: QuestionType, value: Value): Json {
  if (value === '' || (typeof value === 'number' && Number.isNaN(value))) return null;
  return questionTypeDef(type).fromValue?.(value) ?? null;
}
