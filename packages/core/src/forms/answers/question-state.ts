import type { Json } from '@cairn/schema';
import type { AnswerProblem } from './answer-problem.ts';
import type { CompiledGroup, CompiledQuestion } from '../definition/compiled-form.ts';
import type { FollowUp } from './follow-up.ts';
import type { Question } from '../definition/form-definition.ts';
import type { ItemInstance } from '../definition/form-places.ts';
import type { AnswerScore } from './score.ts';

/** One visible question as the screen shows it. */
export type QuestionState = {
  /** What its answer is kept under. */
  path: string;
  question: Question;
  /** What is asked, in the person's language and with references filled in; empty where the form has no text. */
  label: string;
  hint: string;
  /** The section it stands in; null outside sections. */
  section: CompiledGroup | null;
  item: CompiledQuestion;
  /** For `offeredChoices`, and which entry of a repeat it stands in. */
  place: ItemInstance;
  /** The answer, or the default while there is none, or the calculated value. */
  value: Json;
  note: string | null;
  mediaIds: readonly string[];
  /** Voice notes beside the answer. */
  voiceIds: readonly string[];
  required: boolean;
  answered: boolean;
  /** What the answer asks for besides; null for nothing. */
  followUp: FollowUp | null;
  /** Why it blocks finishing; null when it does not. Show it once the person has been at the question. */
  problem: AnswerProblem | null;
  score: AnswerScore;
};

/** A visible repeat: its entries are answered one by one. */
export type RepeatState = {
  path: string;
  group: CompiledGroup;
  /** Paths of its entries, in order. */
  entries: readonly string[];
  /** How many of the questions stand before it, and up to its end. */
  from: number;
  to: number;
};
