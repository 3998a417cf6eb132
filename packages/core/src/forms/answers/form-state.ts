import { isShown } from '../question-types/question-types.ts';
import { answerProblem, isAnswered, noteProblem, workedOutProblem } from './answer-problem.ts';
import { type Answers, type GivenAnswer, sameAnswer } from './answers.ts';
import type { CompiledForm, CompiledGroup, CompiledItem, CompiledQuestion } from '../definition/compiled-form.ts';
import { isWorkedOut } from './worked-out.ts';
import type { Scope } from '../expression/expression-scope.ts';
import { toBoolean } from '../expression/expression-values.ts';
import { followUpOf } from './follow-up.ts';
import { type GroupState, GroupStateBuilder } from './group-state.ts';
import type { ItemInstance } from '../definition/form-places.ts';
import { type FormValues, formValues, shownText } from './form-values.ts';
import { type Moment, type PlaceValue, scopeAt } from './place-scope.ts';
import type { QuestionState } from './question-state.ts';
import { type FormScore, scoreAnswer, scoreForm } from './score.ts';

export type { QuestionState, RepeatState } from './question-state.ts';

/**
 * Everything a screen shows of a form: questions and repeats in order, unchanged ones as the same object; `answered` of the
 * `total` that can be answered now; what blocks finishing; what failed.
 */
export type FormState = GroupState & {
  score: FormScore;
  values: FormValues;
  /** It takes too much to work out: answers are as they were given, and what follows from them is not to be relied on. */
  isHalted: boolean;
};

/**
 * Works out a form from its answers: what is shown, what is missing or wrong, how far it is, and its score. Answers to
 * hidden questions count for nothing and block nothing.
 *
 * @param before the last result for this inspection: only what depends on a change since is worked out again
 */
export function formState(compiled: CompiledForm, answers: Answers, moment: Moment, before?: FormState): FormState {
  const values = formValues(compiled, answers, moment, before?.values);
  const known = before && !before.isHalted && values.basis === before.values.id ? before : undefined;
  const root = new VisibleItems(values, known).all(compiled.top);
  return { ...root, score: scoreForm(compiled.form, root.sections), values, isHalted: values.budget.isSpent };
}

/** Goes through a form in its order and gathers what is shown. */
class VisibleItems {
  private readonly values: FormValues;
  private readonly before: FormState | undefined;
  private readonly stale = new Map<CompiledItem, boolean>();

  constructor(values: FormValues, before: FormState | undefined) {
    this.values = values;
    this.before = before;
  }

  all(top: readonly CompiledItem[]): GroupState {
    const into = new GroupStateBuilder();
    for (const item of top) this.walk(item, '', { into, before: this.before });
    return into.done();
  }

  private walk(item: CompiledItem, owner: string, part: Part): void {
    const path = owner === '' ? nameOf(item) : `${owner}.${nameOf(item)}`;
    const found = this.values.items.get(item.path)?.at.get(path);
    if (!found?.visible) return;
    if (item.kind === 'question') part.into.add(this.question(item, found));
    else if (item.repeats.length > 0) this.inside(item, path, part);
    else part.into.addGroup(path, this.piece(item, part.before?.inner.get(path)));
  }

  /** What a section outside of repeats shows: the last time's piece where nothing in it changed. */
  private piece(group: CompiledGroup, before: GroupState | undefined): GroupState {
    if (before && !this.isStaleIn(group)) return before;
    const into = new GroupStateBuilder();
    this.inside(group, group.path, { into, before });
    return into.done();
  }

  private inside(group: CompiledGroup, path: string, part: Part): void {
    if (group.group.type === 'group') {
      for (const child of group.children) this.walk(child, path, part);
      return;
    }
    const insides = this.values.items.get(group.path)?.insides ?? [];
    const entries = insides.filter(({ owner }) => owner === path).map(inside => inside.path);
    const close = part.into.openRepeat(path, group, entries);
    for (const entry of entries) for (const child of group.children) this.walk(child, entry, part);
    close();
  }

  private question(item: CompiledQuestion, found: PlaceValue): QuestionState {
    const { place } = found;
    const known = this.before?.states.get(item.path)?.get(place.path);
    const keeps = known?.place === place && !(this.isStale(item) && this.reaches(item, place, known));
    return known && keeps ? known : questionState(item, found, this.values);
  }

  /** Whether a section, or anything in it, may show something else than the last time. */
  private isStaleIn = (item: CompiledItem): boolean =>
    this.isStale(item) || (item.kind === 'group' && item.children.some(this.isStaleIn));

  /** Whether anything changed that matters to an item wherever it stands; asked once, not for each entry. */
  private isStale(item: CompiledItem): boolean {
    const known = this.stale.get(item);
    if (known !== undefined) return known;
    const { changes } = this.values;
    const moved = changes.hasTouched(item.path) || changes.hasMoved(item.path);
    const stale = moved || (item.kind === 'question' && this.reachesAny(item));
    this.stale.set(item, stale);
    return stale;
  }

  private reachesAny(item: CompiledQuestion): boolean {
    const { changes } = this.values;
    if (changes.answeredAny(item.path) || item.judging.some(compiled => changes.reach(compiled))) return true;
    for (const { path } of item.mentions.values()) if (changes.hasTouched(path) || changes.hasMoved(path)) return true;
    return false;
  }

  private reaches(item: CompiledQuestion, place: ItemInstance, known: QuestionState): boolean {
    const { changes, answers } = this.values;
    if (changes.touchedAt(item.path, place.path)) return true;
    if (changes.answeredAt(item.path, place.path) && !sameGiven(known, answers.get(place.path))) return true;
    if (item.judging.some(compiled => changes.reachAt(compiled, place.entries))) return true;
    for (const ref of item.mentions.values()) if (changes.changed(ref, place.entries)) return true;
    return false;
  }
}

/** Where what is found is gathered, and what the same part showed the last time. */
type Part = { into: GroupStateBuilder; before: GroupState | undefined };

const nameOf = (item: CompiledItem): string => (item.kind === 'group' ? item.group.name : item.question.name);

/** The value was looked at already; a cleared answer and a default differ in it. */
const sameGiven = ({ value, note, mediaIds, voiceIds }: QuestionState, given: GivenAnswer | undefined): boolean =>
  given !== undefined && sameAnswer({ value, note, mediaIds, voiceIds }, given);

function questionState(item: CompiledQuestion, found: PlaceValue, values: FormValues): QuestionState {
  const { question } = item;
  const { place, answer: value } = found;
  const given = values.answers.get(place.path);
  const mediaIds = given?.mediaIds ?? NO_IDS;
  const answered = isAnswered(question, value, mediaIds);
  let made: Scope | null = null;
  const scope = () => (made ??= scopeAt(values, place, found.value));
  const score = scoreAnswer(item, value, scope);
  const failed = score.outcome === 'fail';
  const state: QuestionState = {
    path: place.path,
    question,
    label: shownText(values, item, place, question.label),
    hint: shownText(values, item, place, question.hint),
    section: item.parent,
    item,
    place,
    value,
    note: given?.note ?? null,
    mediaIds,
    voiceIds: given?.voiceIds ?? NO_IDS,
    required: isRequired(item, scope),
    answered,
    followUp: followUpOf(question, item.rules, { failed, answered, scope }),
    problem: null,
    score,
  };
  state.problem = isWorkedOut(item)
    ? workedOutProblem(state, values, scope)
    : isShown(question.type)
      ? noteProblem(state, values)
      : answerProblem(state, values, scope);
  return state;
}

const NO_IDS: readonly string[] = [];

function isRequired({ question, expressions }: CompiledQuestion, scope: () => Scope): boolean {
  if (!expressions.required) return question.required === true;
  return toBoolean(expressions.required.run(scope()));
}
