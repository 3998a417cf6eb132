import type { QuestionTypeDef } from './question-type.ts';

/** none: only shows its label */
export const note = {
  answer: 'shown',
  literalDefault: null,
  xlsform: { written: 'note', names: ['note'], isNeverWorkedOut: true },
  // A text that cannot be changed, and is not worked out.
  xform: {},
} as const satisfies QuestionTypeDef;

/** never shown: worked out from `calculation` */
export const calculate = {
  answer: 'worked_out',
  needs: 'calculation',
  literalDefault: 'text',
  xlsform: { written: 'calculate', names: ['calculate'] },
  // A bind with a calculation and no control.
  xform: {},
} as const satisfies QuestionTypeDef;
