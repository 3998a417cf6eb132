import type { Json } from '@cairn/schema';
import type { PartsMisfit } from '../question-types/question-type.ts';
import { type FittedType, isFittedType, questionTypeDef } from '../question-types/question-types.ts';
import type { Question } from './form-definition.ts';

/** What kind of answer was asked for: the type itself, or a part of the question; `numbers` are the bounds and steps it speaks of. */
export type Misfit = { fault: FittedType } | PartsMisfit;

/**
 * Whether an answer is of its question's kind; choices are looked at elsewhere.
 *
 * @returns why not, or null
 */
export function misfit(question: Question, value: Json): Misfit | null {
  const { type } = question;
  const { fits, misfit: misfitOf } = questionTypeDef(type);
  if (fits && isFittedType(type)) return fits(value) ? null : { fault: type };
  return misfitOf?.(value, question) ?? null;
}
