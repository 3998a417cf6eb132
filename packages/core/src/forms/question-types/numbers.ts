import type { Json } from '@cairn/schema';
import type { Value } from '../expression/expression-values.ts';
import type { OwnParts, PartsMisfit, QuestionTypeDef } from './question-type.ts';
import { isTimerValue } from './timer-value.ts';

/** What is no number stays as it is said, so that it is refused in sight. */
const asNumber = (value: Value): Json => (Number.isFinite(Number(value)) ? Number(value) : String(value));

/** whole number */
export const integer = {
  answer: 'value',
  kin: 'number',
  fits: (value: Json) => Number.isSafeInteger(value),
  fromValue: asNumber,
  literalDefault: 'number',
  xlsform: { written: 'integer', names: ['integer', 'int', 'percentage'] },
  xform: { inputs: ['int', 'integer', 'long'] },
} as const satisfies QuestionTypeDef;

/** number */
export const decimal = {
  answer: 'value',
  kin: 'number',
  fits: (value: Json) => Number.isFinite(value),
  fromValue: asNumber,
  literalDefault: 'number',
  xlsform: { written: 'decimal', names: ['decimal'] },
  xform: { inputs: ['decimal', 'double'] },
} as const satisfies QuestionTypeDef;

/** number: one of the steps of `range` */
export const range = {
  answer: 'value',
  kin: 'number',
  needs: 'range',
  misfit: (value: Json, { range: steps }: OwnParts) => (steps ? rangeMisfit(steps, value) : null),
  fromValue: asNumber,
  begins: { range: { start: 0, end: 10, step: 1 } },
  ownParts: ({ range: steps }: OwnParts): OwnParts => ({ range: steps ?? { start: 0, end: 10, step: 1 } }),
  literalDefault: 'number',
  xlsform: { written: 'range', names: ['range'] },
  xform: { control: 'range' },
} as const satisfies QuestionTypeDef;

/** number: seconds, in tenths; a RunningTimer while it runs */
export const timer = {
  answer: 'value',
  kin: 'number',
  fits: isTimerValue,
  fromValue: asNumber,
  ownParts: ({ target_seconds: target }: OwnParts): OwnParts =>
    target === undefined ? {} : { target_seconds: target },
  reads: 'seconds',
  literalDefault: 'number',
  // Read by `readTypeAppearance`: files know no stopwatch.
  xlsform: { written: 'decimal', look: 'timer' },
  xform: {},
} as const satisfies QuestionTypeDef;

function rangeMisfit({ start, end, step }: NonNullable<OwnParts['range']>, value: Json): PartsMisfit | null {
  const [least, most] = [Math.min(start, end), Math.max(start, end)];
  if (typeof value !== 'number' || value < least || value > most) return { fault: 'between', numbers: { start, end } };
  const steps = Math.abs(value - start) / step;
  // Steps such as 0.1 do not add up exactly in binary.
  return Math.abs(steps - Math.round(steps)) < 1e-6 || value === end ? null : { fault: 'steps', numbers: { step } };
}
