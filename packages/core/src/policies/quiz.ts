import type { Json, Row } from '@cairn/schema';
import type { QuestionType } from '../forms/definition/form-definition.ts';
import { asks, audienceOf, type Acknowledgement, type Membership, type Campaign } from './policy-status.ts';

/** As in forms; `true_false` offers `true` and `false`, and has no choices of its own. */
export const QUIZ_TYPES = ['select_one', 'select_multiple', 'true_false'] as const satisfies readonly (
  | QuestionType
  | 'true_false'
)[];
export type QuizType = (typeof QUIZ_TYPES)[number];

export type QuizChoice = { id: string; text: string };

export type QuizQuestion = {
  /** Unique in its quiz. */
  id: string;
  type: QuizType;
  text: string;
  choices: readonly QuizChoice[];
  /** Ids of the right choices. */
  right: readonly string[];
  /** Shown once it was answered; may be empty. */
  explanation: string;
  /** The title of the section to read again; empty: none. */
  section: string;
};

/** What somebody chose, by the id of the question. */
export type QuizAnswers = Readonly<Record<string, readonly string[]>>;

export const MAX_QUESTIONS = 10;
export const MAX_CHOICES = 8;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const texts = (value: unknown): string[] => (Array.isArray(value) ? value.filter(isText) : []);

function choiceOf(value: unknown): QuizChoice[] {
  if (!isRecord(value)) return [];
  const { id, text } = value;
  return isText(id) && isText(text) ? [{ id, text }] : [];
}

function questionOf(value: unknown): QuizQuestion[] {
  if (!isRecord(value)) return [];
  const { id, type, text, choices, right, explanation, section } = value;
  const known = QUIZ_TYPES.find(each => each === type);
  if (!known || !isText(id) || !isText(text)) return [];
  return [
    {
      id,
      type: known,
      text,
      choices: Array.isArray(choices) ? choices.flatMap(choiceOf) : [],
      right: texts(right),
      explanation: isText(explanation) ? explanation : '',
      section: isText(section) ? section : '',
    },
  ];
}

/** The questions of a version; none where it has no quiz. The database refuses whatever is none (`policy.is_quiz`). */
export function quizOf(quiz: string | null | undefined): QuizQuestion[] {
  if (!quiz) return [];
  const kept: unknown = JSON.parse(quiz);
  return Array.isArray(kept) ? kept.flatMap(questionOf) : [];
}

/** A quiz as it is kept and hashed; null without a question. */
export function quizText(questions: readonly QuizQuestion[]): string | null {
  if (questions.length === 0) return null;
  return JSON.stringify(
    questions.map(({ id, type, text, choices, right, explanation, section }) => {
      const kept = choices.map(choice => ({ id: choice.id, text: choice.text }));
      return { id, type, text, choices: kept, right, explanation, section };
    }),
  );
}

export type QuizFault = 'text' | 'choices' | 'choice_text' | 'right';

/** What a question lacks before it can be asked; `policy.is_complete_quiz` decides the same. */
export function quizFault({ type, text, choices, right }: QuizQuestion): QuizFault | null {
  if (text.trim() === '') return 'text';
  if (type !== 'true_false' && choices.length < 2) return 'choices';
  if (choices.some(choice => choice.text.trim() === '')) return 'choice_text';
  return right.length === 1 || (type === 'select_multiple' && right.length > 0) ? null : 'right';
}

/** The number, from 1, of the first question that cannot be asked yet; null where all can. */
export function unfinishedQuestion(quiz: string | null | undefined): number | null {
  const index = quizOf(quiz).findIndex(question => quizFault(question) !== null);
  return index === -1 ? null : index + 1;
}

/** Whether an answer names each right choice and no other; `policy.quiz_right` decides the same. */
export function isRight({ right }: Pick<QuizQuestion, 'right'>, chosen: readonly string[] | undefined): boolean {
  const [wanted, given] = [new Set(right), new Set(chosen)];
  return given.size === wanted.size && given.size > 0 && [...wanted].every(each => given.has(each));
}

/** How many questions were answered right. */
export const rightAnswers = (quiz: readonly QuizQuestion[], answers: QuizAnswers): number =>
  quiz.filter(question => isRight(question, answers[question.id])).length;

/** Answers as they are kept; none where there are none. */
export function answersOf(kept: Json | undefined): QuizAnswers {
  if (!isRecord(kept)) return {};
  return Object.fromEntries(Object.entries(kept).map(([id, chosen]) => [id, texts(chosen)]));
}

/**
 * How many questions a person must have right to sign a version; null where nobody asks for it. Of several campaigns the
 * strictest counts. `policy.quiz_needed` decides the same.
 *
 * @param campaigns of its policy
 */
export function quizNeeded(
  version: Pick<Row<'policy_versions'>, 'quiz'>,
  campaigns: readonly Campaign[],
  belonging: Membership | null,
): number | null {
  const length = quizOf(version.quiz).length;
  if (length === 0 || belonging === null) return null;
  const needed = campaigns
    .filter(each => each.state === 'active' && each.deleted_at === null && each.quiz_required)
    .filter(each => asks(audienceOf(each.audience), belonging))
    .map(each => Math.min(each.quiz_right ?? length, length));
  return needed.length === 0 ? null : Math.max(...needed);
}

export type QuizResult = {
  /** How often it was answered, as the device counted. */
  attempts: number;
  /** Of the last attempt. */
  right: number;
  of: number;
  /** How many had to be right; null: none. */
  needed: number | null;
  /** Device time of the last attempt, ISO 8601. */
  at: string | null;
};

/** Whether it is passed: as many right as are asked for, or all where nobody says how many. */
export const isPassed = ({ right, of, needed }: Pick<QuizResult, 'right' | 'of' | 'needed'>): boolean =>
  right >= (needed ?? of);

/** What somebody's word says of the quiz, worked out from what is on this device; null where they answered none. */
export function quizResult(
  acknowledgement: Acknowledgement,
  version: Pick<Row<'policy_versions'>, 'quiz'>,
): QuizResult | null {
  const quiz = quizOf(version.quiz);
  if (quiz.length === 0 || !acknowledgement.quiz_attempts) return null;
  const right = rightAnswers(quiz, answersOf(acknowledgement.quiz_answers));
  return {
    attempts: acknowledgement.quiz_attempts,
    right,
    of: quiz.length,
    needed: acknowledgement.quiz_needed,
    at: acknowledgement.quiz_at,
  };
}
