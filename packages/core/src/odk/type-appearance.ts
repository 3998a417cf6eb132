import type { Question } from '../forms/definition/form-definition.ts';
import { questionTypeDef, questionTypes, type QuestionType } from '../forms/question-types/question-types.ts';

/** Types that files know by another type and a word in its appearance. */
const LOOKS = questionTypes.flatMap(type => {
  const { written, look } = questionTypeDef(type).xlsform;
  return look === undefined ? [] : [{ type, written, word: new RegExp(`(?:^|\\s)${look}(?=\\s|$)`) }];
});

/**
 * XLSForm and XForms know no stopwatch: ours goes out as a decimal number of seconds whose appearance begins with `timer`,
 * which other programs ask for as a number, and comes back as one.
 */
export function readTypeAppearance(question: Question): void {
  const { appearance = '' } = question;
  const found = LOOKS.find(({ written, word }) => question.type === written && word.test(appearance));
  if (!found) return;
  question.type = found.type;
  const rest = appearance.replace(found.word, '').trim();
  if (rest === '') delete question.appearance;
  else question.appearance = rest;
}

/** The appearance a question goes out with. */
export function typeAppearance(type: QuestionType, appearance: string | undefined): string | undefined {
  const { look } = questionTypeDef(type).xlsform;
  return look === undefined ? appearance : `${look} ${appearance ?? ''}`.trim();
}
