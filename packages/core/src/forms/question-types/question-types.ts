import { audio, file, photo, signature, video } from './captured.ts';
import { acknowledge, passFail } from './checks.ts';
import { rank, selectMultiple, selectOne } from './choices.ts';
import { date, datetime, time } from './moments.ts';
import { decimal, integer, range, timer } from './numbers.ts';
import { geopoint, geoshape, geotrace } from './places.ts';
import type { QuestionTypeDef } from './question-type.ts';
import { barcode, text } from './texts.ts';
import { calculate, note } from './unasked.ts';

/** Every type of question there is, in the order in which it is offered. What an answer's `value` is stands with each. */
const questionTypeDefs = {
  text,
  integer,
  decimal,
  range,
  timer,
  select_one: selectOne,
  select_multiple: selectMultiple,
  rank,
  pass_fail: passFail,
  acknowledge,
  barcode,
  photo,
  audio,
  video,
  file,
  signature,
  date,
  time,
  datetime,
  geopoint,
  geotrace,
  geoshape,
  note,
  calculate,
} as const satisfies Record<string, QuestionTypeDef>;

type Defs = typeof questionTypeDefs;

/** What a person is asked. */
export type QuestionType = keyof Defs;

/** Types whose answers are told by their value alone: of each, a text says what it must be. */
export type FittedType = { [Type in QuestionType]: Defs[Type] extends { fits: unknown } ? Type : never }[QuestionType];

export const questionTypes = Object.keys(questionTypeDefs) as [QuestionType, ...QuestionType[]];

/** All that is pure about a type. */
export const questionTypeDef = (type: QuestionType): QuestionTypeDef => questionTypeDefs[type];

export const isFittedType = (name: string): name is FittedType =>
  Object.hasOwn(questionTypeDefs, name) && questionTypeDef(name as QuestionType).fits !== undefined;

/** Whether an answer is files: the answer's media_ids. */
export const isMedia = (type: QuestionType): boolean => questionTypeDef(type).answer === 'files';

/** Whether an answer is a drawing that stands for the answers given with it. */
export const isDrawn = (type: QuestionType): boolean => questionTypeDef(type).answer === 'drawing';

/** Types that ask for nothing: a text to read, and a value the form works out. */
export const asksNothing = (type: QuestionType): boolean => isShown(type) || isNeverShown(type);

/** Whether it is only read. */
export const isShown = (type: QuestionType): boolean => questionTypeDef(type).answer === 'shown';

/** Whether only the form sees it. */
export const isNeverShown = (type: QuestionType): boolean => questionTypeDef(type).answer === 'worked_out';

/** Types whose answer is taken from a list of choices. */
export const choosesFromList = (type: QuestionType): boolean => questionTypeDef(type).chooses !== undefined;

/** Types of which an answer is some choices of the list and not others, so that a choice can be what fails or is asked about. */
export const picksChoices = (type: QuestionType): boolean => choosesFromList(type) && !isOrder(type);

/** Whether an answer holds all choices, in an order. */
export const isOrder = (type: QuestionType): boolean => questionTypeDef(type).chooses === 'order';

/**
 * Types of which several choices are one answer. Expressions see it as their names with spaces between, so a name that holds one
 * would be read as two.
 */
export const takesSeveral = (type: QuestionType): boolean => choosesFromList(type) && !takesOne(type);

/** Whether an answer is one choice. */
export const takesOne = (type: QuestionType): boolean => questionTypeDef(type).chooses === 'one';

/** Whether a number is the answer. */
export const isNumber = (type: QuestionType): boolean => questionTypeDef(type).kin === 'number';

/** Whether the answer itself says pass, fail or N/A. */
export const judges = (type: QuestionType): boolean => questionTypeDef(type).judges === true;

/** Whether an answer or a default of the one type can be one of the other. */
export const areKin = (a: QuestionType, b: QuestionType): boolean => {
  const { kin } = questionTypeDef(a);
  return a === b || (kin !== undefined && kin === questionTypeDef(b).kin);
};
