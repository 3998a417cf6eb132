import { isNeverShown } from '../question-types/question-types.ts';
import type { Question } from '../definition/form-definition.ts';

/** Whether a question's value is worked out and nobody enters it; what a trigger sets can be entered otherwise. */
export const isWorkedOut = ({ question }: { question: Question }): boolean =>
  question.calculation !== undefined && (question.trigger === undefined || isNeverShown(question.type));
