import { asksNothing } from '../question-types/question-types.ts';
import type { CompiledForm } from './compiled-form.ts';

/** How many questions of a form a person can be asked: without notes, and without what is worked out. */
export const askedQuestions = ({ questions }: Pick<CompiledForm, 'questions'>): number =>
  questions.filter(({ question }) => !asksNothing(question.type)).length;
