import type { Json } from '@cairn/schema';
import { type AnswerProblem, answerProblem, isAnswered } from './answer-problem.ts';
import { type Answers, type GivenAnswer, sameAnswer } from './answers.ts';
import type { CompiledForm, CompiledGroup, CompiledItem, CompiledQuestion } from './compiled-form.ts';
import { toBoolean } from './expression-values.ts';
import { type FollowUp, followUpOf } from './follow-up.ts';
import type { Question } from './form-definition.ts';
import type { Place } from './form-places.ts';
import { type FormValues, formValues, type Moment, scopeAt, shownText, valueAt } from './form-values.ts';
import { type AnswerScore, type FormScore, scoreAnswer, scoreForm } from './score.ts';

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
  place: Place;
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
  /** How many questions of `FormState.questions` stand before it, and up to its end. */
  from: number;
  to: number;
};

export type FormState = {
  /** Visible questions and notes, in order; calculations are never shown. Unchanged ones stay the same object. */
  questions: readonly QuestionState[];
  /** Visible repeats, in order. */
  repeats: readonly RepeatState[];
  /** Everything that can be answered now: `answered` of `total`. */
  answered: number;
  total: number;
  /** Questions that block finishing, in order. */
  blocking: readonly QuestionState[];
  /** Questions whose answer failed, in order. */
  failed: readonly QuestionState[];
  score: FormScore;
  values: FormValues;
  /** Every visible question and calculation by its path, for the next time. */
  states: ReadonlyMap<string, QuestionState>;
};

/**
 * Works out a form from its answers: what is shown, what is missing or wrong, how far it is, and its score. Answers to
 * hidden questions count for nothing and block nothing.
 *
 * @param before the last result for this inspection: only what depends on a change since is worked out again
 */
export function formState(compiled: CompiledForm, answers: Answers, moment: Moment, before?: FormState): FormState {
  const values = formValues(compiled, answers, moment, before?.values);
  const known = before && values.basis === before.values.id ? before : undefined;
  const shown = new Shown(values, known);
  for (const item of compiled.top) shown.walk(item, '');
  const all = [...shown.states.values()];
  const asked = shown.questions.filter(isAsked);
  return {
    questions: shown.questions,
    repeats: shown.repeats,
    answered: asked.filter(state => state.answered).length,
    total: asked.length,
    blocking: shown.questions.filter(state => state.problem !== null),
    failed: shown.questions.filter(state => state.score.outcome === 'fail'),
    score: scoreForm(compiled.form, all),
    values,
    states: shown.states,
  };
}

/** Whether a person is to enter something: not for notes, nor for what the form works out or fixes. */
const isAsked = ({ question }: QuestionState): boolean =>
  question.type !== 'note' && !question.calculation && !question.read_only;

/** Goes through a form in its order and gathers what is shown. */
class Shown {
  readonly states = new Map<string, QuestionState>();
  readonly questions: QuestionState[] = [];
  readonly repeats: RepeatState[] = [];
  private readonly values: FormValues;
  private readonly before: FormState | undefined;
  private readonly stale = new Map<CompiledQuestion, boolean>();

  constructor(values: FormValues, before: FormState | undefined) {
    this.values = values;
    this.before = before;
  }

  walk(item: CompiledItem, owner: string): void {
    const name = item.kind === 'group' ? item.group.name : item.question.name;
    const path = owner === '' ? name : `${owner}.${name}`;
    const found = this.values.items.get(item.path)?.at.get(path);
    if (!found?.visible) return;
    if (item.kind === 'question') this.question(item, found.place);
    else if (item.group.type === 'repeat') this.repeat(item, path);
    else for (const child of item.children) this.walk(child, path);
  }

  private question(item: CompiledQuestion, place: Place): void {
    const known = this.before?.states.get(place.path);
    const keeps = known?.place === place && !(this.isStale(item) && this.reaches(item, place, known));
    const state = known && keeps ? known : questionState(item, place, this.values);
    this.states.set(place.path, state);
    if (item.question.type !== 'calculate') this.questions.push(state);
  }

  private repeat(group: CompiledGroup, path: string): void {
    const insides = this.values.items.get(group.path)?.insides ?? [];
    const entries = insides.filter(({ owner }) => owner === path).map(inside => inside.path);
    const state: RepeatState = { path, group, entries, from: this.questions.length, to: 0 };
    this.repeats.push(state);
    for (const entry of entries) for (const child of group.children) this.walk(child, entry);
    state.to = this.questions.length;
  }

  /** Whether anything changed that matters to a question wherever it stands; asked once, not for each entry. */
  private isStale(item: CompiledQuestion): boolean {
    const known = this.stale.get(item);
    if (known !== undefined) return known;
    const { changes } = this.values;
    const stale =
      changes.hasTouched(item.path) ||
      changes.answeredAny(item.path) ||
      rulesOf(item).some(compiled => changes.reach(compiled)) ||
      [...item.mentions.values()].some(ref => changes.hasTouched(ref.path) || changes.hasMoved(ref.path));
    this.stale.set(item, stale);
    return stale;
  }

  private reaches(item: CompiledQuestion, place: Place, known: QuestionState): boolean {
    const { changes, answers } = this.values;
    if (changes.touchedAt(item.path, place.path)) return true;
    if (changes.answeredAt(item.path, place.path) && !sameGiven(known, answers.get(place.path))) return true;
    if (rulesOf(item).some(compiled => changes.reachAt(compiled, place.entries))) return true;
    return [...item.mentions.values()].some(ref => changes.changed(ref, place.entries));
  }
}

/** What is looked at once all values are known. */
const rulesOf = ({ expressions, rules }: CompiledQuestion) => [
  expressions.required,
  expressions.constraint,
  expressions.choice_filter,
  expressions.fail_when,
  ...rules,
];

/** The value was looked at already; a cleared answer and a default differ in it. */
const sameGiven = ({ value, note, mediaIds, voiceIds }: QuestionState, given: GivenAnswer | undefined): boolean =>
  given !== undefined && sameAnswer({ value, note, mediaIds, voiceIds }, given);

function questionState(item: CompiledQuestion, place: Place, values: FormValues): QuestionState {
  const { question } = item;
  const given = values.answers.get(place.path);
  const found = valueAt(values, place.path);
  const value = found?.answer ?? null;
  const mediaIds = given?.mediaIds ?? [];
  const answered = isAnswered(question, value, mediaIds);
  const scope = () => scopeAt(values, place, found?.value ?? '');
  const score = scoreAnswer(item, value, scope);
  const failed = score.outcome === 'fail';
  const state = {
    label: shownText(values, item, place, question.label),
    hint: shownText(values, item, place, question.hint),
    value,
    note: given?.note ?? null,
    mediaIds,
    voiceIds: given?.voiceIds ?? [],
    required: isRequired(item, scope),
    answered,
    score,
    followUp: followUpOf(question, item.rules, { failed, answered, scope }),
  };
  const free = question.type === 'note' || question.calculation !== undefined;
  const problem = free ? null : answerProblem(item, place, { ...state, failed }, values);
  return { path: place.path, question, section: item.parent, item, place, ...state, problem };
}

function isRequired({ question, expressions }: CompiledQuestion, scope: () => ReturnType<typeof scopeAt>): boolean {
  if (question.type === 'note') return false;
  if (!expressions.required) return question.required === true;
  return toBoolean(expressions.required.run(scope()));
}
