import type { Json } from '@cairn/schema';
import { daysSince1970, type Value } from '../expression/expression-values.ts';
import type { QuestionTypeDef } from './question-type.ts';

const TIME = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?$/;

const DAY_ALONE = /^\d{4}-\d{2}-\d{2}$/;
const DAY_AND_CLOCK = /^\d{4}-\d{2}-\d{2}T/;

const isDay = (value: Json): boolean => typeof value === 'string' && daysSince1970(value) !== null;

/** YYYY-MM-DD */
export const date = {
  answer: 'value',
  fits: isDay,
  fromValue: (value: Value) => (DAY_AND_CLOCK.test(String(value)) ? String(value).slice(0, 10) : String(value)),
  literalDefault: 'day',
  xlsform: { written: 'date', names: ['date'] },
  xform: { inputs: ['date'] },
} as const satisfies QuestionTypeDef;

/** HH:MM */
export const time = {
  answer: 'value',
  fits: (value: Json) => typeof value === 'string' && TIME.test(value),
  // Of a moment the clock: `2026-11-21T17:30:05.000+01:00` is 17:30:05.000.
  fromValue: (value: Value) =>
    DAY_AND_CLOCK.test(String(value))
      ? String(value)
          .slice(11)
          .replace(/(Z|[+-]\d{2}:?\d{2})$/, '')
      : String(value),
  literalDefault: 'text',
  xlsform: { written: 'time', names: ['time'] },
  xform: { inputs: ['time'] },
} as const satisfies QuestionTypeDef;

/** YYYY-MM-DDTHH:MM+HH:MM: what the clocks showed there, and their offset */
export const datetime = {
  answer: 'value',
  fits: isMoment,
  fromValue: (value: Value) => (DAY_ALONE.test(String(value)) ? `${value}T00:00` : String(value)),
  reads: 'moment',
  literalDefault: 'text',
  xlsform: { written: 'dateTime', names: ['datetime', 'date time'] },
  xform: { inputs: ['dateTime'] },
} as const satisfies QuestionTypeDef;

function isMoment(value: Json): boolean {
  const [, day] = typeof value === 'string' ? (MOMENT.exec(value) ?? []) : [];
  return day !== undefined && isDay(day);
}
