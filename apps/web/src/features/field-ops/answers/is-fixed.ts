import { isWorkedOut } from '@cairn/core/forms/answers/worked-out.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';

/** What the form fixes or works out is shown, not typed. */
export const isFixed = ({ question }: QuestionState): boolean =>
  question.read_only === true || isWorkedOut({ question });
