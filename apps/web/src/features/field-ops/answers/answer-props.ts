import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import type { FormValues } from '@cairn/core/forms/answers/form-values.ts';
import type { Json } from '@cairn/schema';
import type { CommitTime } from './answer-drafts.ts';

/** What every control that answers a question is given. */
export type AnswerProps = {
  question: QuestionState;
  values: FormValues;
  /** The question's text: the heading above says it to the eye, the control to a screen reader. */
  label: string;
  onAnswer: (value: Json, when: CommitTime) => void;
  /** Leaving a text field writes it. */
  onLeave: () => void;
  language: string;
};
