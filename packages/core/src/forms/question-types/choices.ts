import type { Json } from '@cairn/schema';
import type { Value } from '../expression/expression-values.ts';
import type { QuestionTypeDef } from './question-type.ts';

/** Expressions know several choices as their names with spaces between. */
const asNames = (value: Value): Json => String(value).trim().split(/\s+/);

/** name of the choice */
export const selectOne = {
  answer: 'value',
  chooses: 'one',
  fromValue: String,
  literalDefault: 'text',
  xlsform: {
    written: 'select_one',
    listed: /^(?:select_one|select one(?: from| using)?|select1|add select one prompt using)\s+(\S.*)$/i,
  },
  xform: { control: 'select1' },
} as const satisfies QuestionTypeDef;

/** names of the choices */
export const selectMultiple = {
  answer: 'value',
  chooses: 'several',
  fromValue: asNames,
  literalDefault: 'names',
  xlsform: {
    written: 'select_multiple',
    listed:
      /^(?:select_multiple|select multiple(?: from| using)?|select all that apply(?: from)?|add select multiple prompt using)\s+(\S.*)$/i,
  },
  xform: { control: 'select' },
} as const satisfies QuestionTypeDef;

/** names of all choices, the first first */
export const rank = {
  answer: 'value',
  chooses: 'order',
  fromValue: asNames,
  literalDefault: 'names',
  xlsform: { written: 'rank', listed: /^rank\s+(\S.*)$/i },
  xform: { control: 'rank' },
} as const satisfies QuestionTypeDef;
