import type { Json } from '@cairn/schema';
import type { Value } from '../expression/expression-values.ts';
import type { OwnParts, PartsMisfit, QuestionTypeDef } from './question-type.ts';

/** 'pass' | 'fail' | 'na' */
export const passFail = {
  answer: 'value',
  judges: true,
  misfit(value: Json, { allow_na: allowNa }: OwnParts): PartsMisfit | null {
    const allowed = ['pass', 'fail', ...(allowNa === false ? [] : ['na'])];
    return typeof value === 'string' && allowed.includes(value) ? null : { fault: 'one_of' };
  },
  fromValue: String,
  // What passes or fails must not be skipped unseen.
  begins: { required: true },
  ownParts: ({ allow_na: allowNa }: OwnParts): OwnParts => ({ allow_na: allowNa }),
  literalDefault: 'text',
  // Ours: Pass, Fail or N/A, scored.
  xlsform: { written: 'pass_fail', names: ['pass fail'] },
  xform: {},
} as const satisfies QuestionTypeDef;

/** true */
export const acknowledge = {
  answer: 'value',
  fits: (value: Json) => value === true,
  fromValue: (value: Value): Json => (value === true || value === 'OK' ? true : null),
  literalDefault: null,
  xlsform: { written: 'acknowledge', names: ['acknowledge', 'trigger'], isNeverWorkedOut: true },
  xform: { control: 'trigger' },
} as const satisfies QuestionTypeDef;
