import type { TFunction } from 'i18next';
import type { AnswerProblem } from '@cairn/core/forms/answers/answer-problem.ts';
import { isFittedType } from '@cairn/core/forms/question-types/question-types.ts';
import { formatNumber } from '../../../shared/format/format.ts';

/** Why an answer does not do yet: the form author's own words, else ours in the person's language. */
export function answerProblemText(
  { message, fault, numbers = {} }: AnswerProblem,
  t: TFunction<'capture'>,
  tf: TFunction<'field'>,
): string {
  if (message !== null) return message;
  if (isFittedType(fault)) return tf(`types.${fault}.misfit`);
  const figure = (name: string): string => formatNumber(numbers[name] ?? 0, 6);
  return t(`fault.${fault}`, { start: figure('start'), end: figure('end'), step: figure('step') });
}
