import type { QuestionTypeDef } from './question-type.ts';

const isText = (value: unknown): boolean => typeof value === 'string';

/** string */
export const text = {
  answer: 'value',
  kin: 'text',
  fits: isText,
  fromValue: String,
  literalDefault: 'text',
  xlsform: { written: 'text', names: ['text', 'string'], looks: { url: 'url', 'phone number': 'numbers' } },
  xform: { inputs: ['', 'string', 'select1', 'select'] },
} as const satisfies QuestionTypeDef;

/** string: what the code says */
export const barcode = {
  answer: 'value',
  kin: 'text',
  fits: isText,
  fromValue: String,
  literalDefault: 'text',
  xlsform: { written: 'barcode', names: ['barcode'] },
  xform: { inputs: ['barcode'] },
} as const satisfies QuestionTypeDef;
