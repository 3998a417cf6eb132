import type { Json } from '@cairn/schema';
import { type AnswerProblem, answerProblem, isAnswered } from './answer-problem.ts';
import type { CompiledForm, CompiledGroup, CompiledQuestion } from './compiled-form.ts';
import { toBoolean, type Value } from './expression-values.ts';
import type { Question } from './form-definition.ts';
import { type Answers, type FormValues, formValues, givenValue, type Moment } from './form-values.ts';
import { type AnswerScore, type FormScore, scoreAnswer, scoreForm } from './score.ts';

/** One visible question as the screen shows it. */
export type QuestionState = {
  path: string;
  question: Question;
  /** The section it stands in; null outside sections. */
  section: CompiledGroup | null;
  item: CompiledQuestion;
  /** The answer, or the default while there is none, or the calculated value. */
  value: Json;
  note: string | null;
  mediaIds: readonly string[];
  required: boolean;
  answered: boolean;
  /** Why it blocks finishing; null when it does not. Show it once the person has been at the question. */
  problem: AnswerProblem | null;
  score: AnswerScore;
};

export type FormState = {
  /** Visible questions and notes, in order; calculations are never shown. */
  questions: readonly QuestionState[];
  /** Everything that can be answered now: `answered` of `total`. */
  answered: number;
  total: number;
  /** Questions that block finishing, in order. */
  blocking: readonly QuestionState[];
  /** Questions whose answer failed, in order. */
  failed: readonly QuestionState[];
  score: FormScore;
  /** For `offeredChoices`. */
  values: FormValues;
};

/**
 * Works out a form from its answers: what is shown, what is missing or wrong, how far it is, and its score. Answers to
 * hidden questions count for nothing and block nothing.
 */
export function formState(compiled: CompiledForm, answers: Answers, moment: Moment): FormState {
  const values = formValues(compiled, answers, moment);
  const visible = compiled.questions.filter(item => values.visible.has(item.path));
  const states = visible.map(item => questionState(item, answers, values, moment));
  const questions = states.filter(state => state.question.type !== 'calculate');
  const asked = questions.filter(isAsked);
  return {
    questions,
    answered: asked.filter(state => state.answered).length,
    total: asked.length,
    blocking: questions.filter(state => state.problem !== null),
    failed: questions.filter(state => state.score.outcome === 'fail'),
    score: scoreForm(
      compiled.form,
      states.map(({ item, score }) => ({ item, score })),
    ),
    values,
  };
}

/** Whether a person is to enter something: not for notes, nor for what the form works out or fixes. */
const isAsked = ({ question }: QuestionState): boolean =>
  question.type !== 'note' && !question.calculation && !question.read_only;

function questionState(item: CompiledQuestion, answers: Answers, values: FormValues, moment: Moment): QuestionState {
  const { question, path } = item;
  const given = answers.get(path);
  const value = question.calculation ? asJson(values.values.get(path) ?? '') : givenValue(item, answers);
  const mediaIds = given?.mediaIds ?? [];
  const answered = isAnswered(question, value, mediaIds);
  const score = scoreAnswer(item, value, values);
  const state = {
    value,
    note: given?.note ?? null,
    mediaIds,
    required: isRequired(item, values),
    answered,
    score,
  };
  const check = { ...state, failed: score.outcome === 'fail', language: moment.language };
  const problem = question.type === 'note' || question.calculation ? null : answerProblem(item, check, values);
  return { path, question, section: item.parent, item, ...state, problem };
}

const asJson = (value: Value): Json => (value === '' ? null : value);

function isRequired({ question, path, expressions }: CompiledQuestion, form: FormValues): boolean {
  if (question.type === 'note') return false;
  if (!expressions.required) return question.required === true;
  return toBoolean(expressions.required.run(form.scope(form.values.get(path) ?? '')));
}
