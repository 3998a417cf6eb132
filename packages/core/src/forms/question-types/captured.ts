import type { Json } from '@cairn/schema';
import type { QuestionTypeDef } from './question-type.ts';

/** none: the answer's media_ids; likewise audio, video and file */
export const photo = {
  answer: 'files',
  literalDefault: null,
  xlsform: { written: 'image', names: ['image', 'photo', 'picture'], isNeverWorkedOut: true },
  xform: { media: 'image/' },
} as const satisfies QuestionTypeDef;

export const audio = {
  answer: 'files',
  literalDefault: null,
  xlsform: { written: 'audio', names: ['audio'], isNeverWorkedOut: true },
  xform: { media: 'audio/' },
} as const satisfies QuestionTypeDef;

export const video = {
  answer: 'files',
  literalDefault: null,
  xlsform: { written: 'video', names: ['video'], isNeverWorkedOut: true },
  xform: { media: 'video/' },
} as const satisfies QuestionTypeDef;

export const file = {
  answer: 'files',
  literalDefault: null,
  xlsform: { written: 'file', names: ['file'], isNeverWorkedOut: true },
  // An upload of any kind that nothing else takes.
  xform: { media: '' },
} as const satisfies QuestionTypeDef;

/** Signature */
export const signature = {
  answer: 'drawing',
  fits: isSignature,
  literalDefault: null,
  xlsform: { written: 'signature', names: ['signature'], isNeverWorkedOut: true },
  // An upload of an image with the appearance `signature`.
  xform: {},
} as const satisfies QuestionTypeDef;

function isSignature(value: Json): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { strokes } = value;
  return Array.isArray(strokes) && strokes.some(stroke => Array.isArray(stroke) && stroke.length > 0);
}
