import type { Question } from '@cairn/core/forms/definition/form-definition.ts';
import type { BuildProblem } from '@cairn/core/forms/draft/form-problems.ts';
import { questionsIn } from './outline-names.ts';
import type { BuilderPart } from './use-builder.ts';

/** What each part of a question's editor is given. */
export type QuestionParts = BuilderPart & {
  nodeKey: string;
  question: Question;
  set: (change: Partial<Question>) => void;
  problemAt: (field: string) => BuildProblem | undefined;
};

/** The questions that a formula of this one may name. */
export const namesFor = (outline: BuilderPart['outline'], own: string) =>
  questionsIn(outline)
    .filter(({ name }) => name !== own)
    .map(({ name, label }) => ({ value: name, label, hint: name }));
