import type { Json } from '@cairn/schema';
import type { CompiledQuestion } from '../definition/compiled-form.ts';
import { type Misfit, misfit } from '../definition/answer-fit.ts';
import type { Scope } from '../expression/expression-scope.ts';
import { toBoolean } from '../expression/expression-values.ts';
import type { FollowUp } from './follow-up.ts';
import type { Question } from '../definition/form-definition.ts';
import type { ItemInstance } from '../definition/form-places.ts';
import type { FormValues } from './form-values.ts';
import { offeredChoices } from './offered-choices.ts';
import { choosesFromList, isMedia, isNeverShown, isOrder, takesOne } from '../question-types/question-types.ts';
import { isRunning } from '../question-types/timer-value.ts';
import type { AnswerScore } from './score.ts';
import { inLanguage } from '../definition/words.ts';

/** What an answer lacks, to be said in the person's language. */
export type AnswerFault =
  | 'required'
  | 'stop'
  | 'constraint'
  | 'not_offered'
  | 'from_list'
  | 'all_in_order'
  | 'photo'
  | 'photo_of_failure'
  | 'note'
  | 'note_of_failure'
  | 'running'
  | 'sign_again'
  | Misfit['fault'];

/**
 * Why an answer does not do yet: `message` are the form author's own words where there are any, else `fault` says it, with the
 * numbers it speaks of.
 */
export type AnswerProblem = {
  kind: 'required' | 'wrong_type' | 'not_offered' | 'constraint' | 'photo_required' | 'note_required' | 'running';
  message: string | null;
  fault: AnswerFault;
  numbers?: Readonly<Record<string, number>>;
};

/** `value` null and no file is no answer; a box that is not ticked is none either. */
export const isAnswered = (question: Question, value: Json, mediaIds: readonly string[]): boolean => {
  if (isMedia(question.type)) return mediaIds.length > 0;
  if (Array.isArray(value)) return value.length > 0;
  return value !== null && value !== false && (typeof value !== 'string' || value.trim() !== '');
};

/** What is known of a question once its answer was looked at. */
type AnswerCheck = {
  item: CompiledQuestion;
  question: Question;
  place: ItemInstance;
  value: Json;
  answered: boolean;
  required: boolean;
  score: AnswerScore;
  followUp: FollowUp | null;
  note: string | null;
  mediaIds: readonly string[];
};

/**
 * The first thing wrong with what was entered for a visible question, or null.
 *
 * @param scope what an expression that stands at the question sees
 */
export function answerProblem(state: AnswerCheck, form: FormValues, scope: () => Scope): AnswerProblem | null {
  if (!state.answered) {
    const own = inLanguage(state.question.required_message, form.moment.language);
    return state.required ? { kind: 'required', message: own || null, fault: 'required' } : null;
  }
  const running: AnswerProblem | null = isRunning(state.value)
    ? { kind: 'running', message: null, fault: 'running' }
    : null;
  return typeProblem(state, form) ?? running ?? constraintProblem(state, form, scope) ?? followUpProblem(state);
}

/** A note that is required is a place nobody passes while it is shown. Source: ODK, "Constraining responses". */
export function noteProblem({ required, question }: AnswerCheck, form: FormValues): AnswerProblem | null {
  const own = inLanguage(question.required_message, form.moment.language);
  return required ? { kind: 'required', message: own || null, fault: 'stop' } : null;
}

/** What is worked out and shown must keep to its constraint, and be there where it is required; what is never shown blocks nobody. */
export function workedOutProblem(state: AnswerCheck, form: FormValues, scope: () => Scope): AnswerProblem | null {
  if (isNeverShown(state.question.type)) return null;
  if (state.answered) return constraintProblem(state, form, scope);
  const own = inLanguage(state.question.required_message, form.moment.language);
  return state.required ? { kind: 'required', message: own || null, fault: 'required' } : null;
}

const wrong = (misfit: Misfit | { fault: 'from_list' | 'all_in_order' }): AnswerProblem => ({
  kind: 'wrong_type',
  message: null,
  ...misfit,
});

function typeProblem({ item, place, question, value }: AnswerCheck, form: FormValues): AnswerProblem | null {
  if (choosesFromList(question.type)) return choiceProblem(item, place, value, form);
  const found = misfit(question, value);
  return found && wrong(found);
}

function choiceProblem(
  item: CompiledQuestion,
  place: ItemInstance,
  value: Json,
  form: FormValues,
): AnswerProblem | null {
  const { type } = item.question;
  const several = !takesOne(type);
  if (several !== Array.isArray(value)) return wrong({ fault: 'from_list' });
  const offered = new Set<Json>(offeredChoices(item, place, form, form.budget).map(choice => choice.name));
  const chosen = Array.isArray(value) ? value : [value];
  if (isOrder(type) && (chosen.length !== offered.size || new Set(chosen).size !== chosen.length)) {
    return wrong({ fault: 'all_in_order' });
  }
  if (chosen.every(name => offered.has(name))) return null;
  return { kind: 'not_offered', message: null, fault: 'not_offered' };
}

function constraintProblem(
  { item, question }: AnswerCheck,
  form: FormValues,
  scope: () => Scope,
): AnswerProblem | null {
  const { constraint } = item.expressions;
  if (!constraint || toBoolean(constraint.run(scope()))) return null;
  const own = inLanguage(question.constraint_message, form.moment.language);
  return { kind: 'constraint', message: own || null, fault: 'constraint' };
}

function followUpProblem({ followUp, mediaIds, note, score }: AnswerCheck): AnswerProblem | null {
  const failed = score.outcome === 'fail';
  if (followUp?.photo === 'required' && mediaIds.length === 0) {
    return { kind: 'photo_required', message: null, fault: failed ? 'photo_of_failure' : 'photo' };
  }
  if (followUp?.note === 'required' && (note ?? '').trim() === '') {
    return { kind: 'note_required', message: null, fault: failed ? 'note_of_failure' : 'note' };
  }
  return null;
}
