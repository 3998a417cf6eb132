import type { Json } from '@cairn/schema';
import type { Answers } from './answers.ts';
import type { CompiledForm, CompiledGroup, CompiledItem, CompiledQuestion } from '../definition/compiled-form.ts';
import { EvaluationBudget, STEPS_PER_PLACE } from '../expression/evaluation-budget.ts';
import { type Ref, seenWith } from '../expression/expression-scope.ts';
import { toBoolean, toNumber, type Value } from '../expression/expression-values.ts';
import type { Words } from '../definition/form-definition.ts';
import { Changes } from './form-changes.ts';
import {
  addedEntries,
  countedKeys,
  type Entries,
  type ParentInstance,
  insidesOf,
  MAX_REPEAT_ENTRIES,
  type ItemInstance,
  placesIn,
} from '../definition/form-places.ts';
import { asAnswer, plainValue } from '../definition/plain-value.ts';
import { isMedia } from '../question-types/question-types.ts';
import {
  choiceLabel,
  type Circumstances,
  type ItemValues,
  type Moment,
  oneOf,
  type PlaceValue,
  scopeAt,
} from './place-scope.ts';
import { formPath } from '../definition/repeat-path.ts';
import { inLanguage } from '../definition/words.ts';

/** Values of all places of a form, and which are shown. */
export type FormValues = Circumstances & {
  /** Tells results apart without keeping old ones. */
  id: symbol;
  /** The `id` of the values these were made from, and what is different from them; null when all was worked out anew. */
  basis: symbol | null;
  changes: Changes;
  /** What people added to repeats. */
  entries: Entries;
};

/**
 * Works out what is shown and every value. A hidden question has none, whatever was answered before.
 *
 * @param before the last result for this inspection: only what depends on a change since is worked out again
 */
export function formValues(compiled: CompiledForm, answers: Answers, moment: Moment, before?: FormValues): FormValues {
  const isSame = before && before.compiled === compiled && sameCircumstances(before.moment, moment);
  const beginning = (isSame ? before.beginning : null) ?? beginningOf(compiled, moment);
  // What was not worked out to its end is nothing to go on from.
  const known = isSame && !before.budget.isSpent ? before : undefined;
  const form = { compiled, answers, moment, beginning, budget: new EvaluationBudget() };
  // How many entries such a repeat has follows from those entries: it is worked out from none, each time.
  const basis = compiled.openEnded.length > 0 ? undefined : known;
  const working = compiled.openEnded.length > 0 ? fixpoint(form) : worked(form, basis);
  const { items, changes, entries } = working;
  return { ...form, items, changes, entries, basis: basis?.id ?? null, id: Symbol('values') };
}

type EvaluationInput = Omit<Circumstances, 'items'>;

function worked(
  form: EvaluationInput,
  before: FormValues | undefined,
  items?: ReadonlyMap<string, ItemValues>,
): Evaluation {
  const working = new Evaluation(form, before, items);
  for (const item of form.compiled.order) working.work(item);
  return working;
}

/** Works a form out again and again, each time from what it was before, until no open-ended repeat gets another entry. */
function fixpoint(form: EvaluationInput): Evaluation {
  const sizeIn = (working: Evaluation) =>
    form.compiled.openEnded.map(({ path }) => working.items.get(path)?.insides.length).join();
  let working = worked(form, undefined);
  for (let round = 0; round <= MAX_REPEAT_ENTRIES; round += 1) {
    const next = worked(form, undefined, working.items);
    const isFixed = sizeIn(next) === sizeIn(working);
    working = next;
    if (isFixed || form.budget.isSpent) return working;
  }
  return working;
}

/** Made when it is asked for, and once: most forms have no default that needs it. */
function beginningOf(compiled: CompiledForm, { start, ...moment }: Moment): () => Circumstances {
  let made: Circumstances | undefined;
  const budget = new EvaluationBudget();
  const none: EvaluationInput = {
    compiled,
    answers: NO_ANSWERS,
    moment: { ...moment, ...start },
    beginning: null,
    budget,
  };
  return () => (made ??= { ...none, items: worked(none, undefined).items });
}

const NO_ANSWERS: Answers = new Map();

const sameCircumstances = (a: Moment, b: Moment): boolean =>
  a.language === b.language &&
  a.last === b.last &&
  a.chance === b.chance &&
  a.start?.now === b.start?.now &&
  JSON.stringify(a.asset) === JSON.stringify(b.asset);

class Evaluation {
  readonly items: Map<string, ItemValues>;
  readonly changes: Changes;
  private readonly form: Circumstances;
  private readonly before: FormValues | undefined;
  readonly entries: Entries;

  constructor(
    form: EvaluationInput,
    before: FormValues | undefined,
    items: ReadonlyMap<string, ItemValues> = new Map(),
  ) {
    const { answers, moment } = form;
    this.items = new Map(items);
    const clock = before?.moment.now !== moment.now || before.moment.today !== moment.today;
    this.changes = new Changes(before?.answers ?? answers, answers, clock);
    this.form = { ...form, items: this.items };
    this.before = before;
    this.entries = before && !this.changes.entries ? before.entries : addedEntries(answers);
  }

  work(item: CompiledItem): void {
    const old = this.before?.items.get(item.path);
    const places = this.placesOf(item, old);
    const still = old?.places === places;
    if (!still && this.before) this.changes.move(item.path);
    const at = old && still && !this.reaches(item) ? old.at : this.valuesOf(item, places, old);
    const insides = item.kind === 'group' ? this.insidesOf(item, { places, at }, still ? old : undefined) : [];
    this.items.set(item.path, old && still && at === old.at && insides === old.insides ? old : { places, at, insides });
  }

  private placesOf(item: CompiledItem, old: ItemValues | undefined): readonly ItemInstance[] {
    if (!item.parent) return old?.places ?? placesIn(item);
    const insides = this.items.get(item.parent.path)?.insides ?? [];
    const same = old && this.before?.items.get(item.parent.path)?.insides === insides;
    if (same) return old.places;
    // What stands once is shown in any case: only entries of repeats are left out where the steps do not suffice.
    if (insides.length <= 1) return placesIn(item, insides);
    return this.form.budget.within([], () => {
      this.form.budget.spend(insides.length * STEPS_PER_PLACE);
      return placesIn(item, insides);
    });
  }

  private reaches(item: CompiledItem): boolean {
    const { changes } = this;
    if (changes.answeredAny(item.path) || (item.parent && changes.hasTouched(item.parent.path))) return true;
    return item.deciding.some(compiled => changes.reach(compiled));
  }

  private reachesAt(item: CompiledItem, { path, owner, entries }: ItemInstance): boolean {
    const { changes } = this;
    if (changes.answeredAt(item.path, path) || (item.parent && changes.touchedAt(item.parent.path, owner))) return true;
    return item.deciding.some(compiled => changes.reachAt(compiled, entries));
  }

  private valuesOf(
    item: CompiledItem,
    places: readonly ItemInstance[],
    old: ItemValues | undefined,
  ): Map<string, PlaceValue> {
    const at = new Map<string, PlaceValue>();
    for (const place of places) {
      const known = old?.at.get(place.path);
      const keeps = known && known.place === place && !this.reachesAt(item, place);
      const value = keeps ? known : this.valueOf(item, place);
      // Where all is worked out anew there is nothing it differs from, and nobody asks.
      const changed = !known || known.visible !== value.visible || !Object.is(known.value, value.value);
      if (changed && this.before) this.changes.touch(item.path, place.path);
      at.set(place.path, value);
    }
    return at;
  }

  private valueOf(item: CompiledItem, place: ItemInstance): PlaceValue {
    const { relevant, count } = item.expressions;
    const owner = item.parent ? this.items.get(item.parent.path)?.at.get(place.owner) : null;
    const scope = () => scopeAt(this.form, place, '');
    const { budget } = this.form;
    const isRelevant = !relevant || toBoolean(relevant.run(scope())) || budget.isSpent;
    const visible = owner?.visible !== false && isRelevant;
    if (!visible) return { place, visible, value: '', answer: null };
    if (item.kind === 'question') return { place, visible, ...answerAt(this.form, item, place) };
    return { place, visible, value: count ? toNumber(count.run(scope())) : '', answer: null };
  }

  private insidesOf(
    group: CompiledGroup,
    { places, at }: Omit<ItemValues, 'insides'>,
    old: ItemValues | undefined,
  ): readonly ParentInstance[] {
    if (old && (group.group.type === 'group' || this.hasSameEntries(group, at, old))) return old.insides;
    const { budget } = this.form;
    const keysAt = (path: string): readonly string[] => {
      const counted = group.group.count !== undefined;
      const keys = counted ? countedKeys(toNumber(at.get(path)?.value ?? '')) : (this.entries.get(path) ?? []);
      budget.spend(keys.length * STEPS_PER_PLACE);
      return keys;
    };
    const find = (): readonly ParentInstance[] => insidesOf(group, places, keysAt);
    const insides = group.group.type === 'group' ? find() : budget.within([], find);
    if (
      old?.insides.length === insides.length &&
      insides.every(({ path }, index) => path === old.insides[index]?.path)
    ) {
      return old.insides;
    }
    if (this.before) this.changes.move(group.path);
    return insides;
  }

  /** Known without looking at them one by one. */
  private hasSameEntries = (group: CompiledGroup, at: ItemValues['at'], old: ItemValues): boolean =>
    group.group.count === undefined ? this.entries === this.before?.entries : at === old.at;
}

function answerAt(form: Circumstances, item: CompiledQuestion, place: ItemInstance): { value: Value; answer: Json } {
  const { question, expressions } = item;
  const given = form.answers.get(place.path);
  const answer = given ? given.value : defaultOf(form, item, place);
  const value = isMedia(question.type) ? (given?.mediaIds[0] ?? '') : plainValue(answer);
  // What is kept was worked out before, and what a trigger sets is worked out when it does.
  if (!expressions.calculation || item.kept === 'trigger' || (item.kept === 'once' && given?.value != null))
    return { value, answer };
  const result = expressions.calculation.run(scopeAt(form, place, value));
  const calculated = typeof result === 'number' && Number.isNaN(result) ? '' : result;
  return { value: calculated, answer: calculated === '' ? null : calculated };
}

function defaultOf(form: Circumstances, item: CompiledQuestion, place: ItemInstance): Json {
  const { question, expressions, kept } = item;
  if (!expressions.default) return question.default ?? null;
  // It is taken from how things are when its entry begins, and then kept.
  if (kept === 'default') return null;
  const from = expressions.default.reads.length > 0 ? (form.beginning?.() ?? form) : form;
  return defaultAt(from, item, place);
}

/** What a worked-out default is at a place, with the day and the time of the inspection's start. */
export function defaultAt(form: Circumstances, { question, expressions }: CompiledQuestion, place: ItemInstance): Json {
  const { today, now } = form.moment.start ?? form.moment;
  const scope = seenWith(scopeAt(form, place, ''), { today, now });
  return expressions.default ? asAnswer(question.type, expressions.default.run(scope)) : null;
}

/** What is known of a place; undefined where the form has no such place now. */
export const valueAt = (form: FormValues, path: string): PlaceValue | undefined =>
  form.items.get(formPath(path))?.at.get(path);

/** A text of a question as it is shown at a place: in the person's language, `${name}` replaced by that answer. */
export function shownText(
  form: FormValues,
  item: CompiledQuestion,
  place: ItemInstance,
  words: Words | undefined,
): string {
  const { language } = form.moment;
  const text = inLanguage(words, language);
  const parts = item.parts.get(text);
  if (!parts) return text;
  return form.budget.within(text, () => {
    let shown = '';
    for (const part of parts) shown += typeof part === 'string' ? part : mentioned(form, part, place);
    form.budget.spendText(shown.length);
    return shown;
  });
}

const mentioned = (form: FormValues, ref: Ref, { entries }: ItemInstance): string =>
  choiceLabel(form, ref.path, String(oneOf(form, ref, entries)));
