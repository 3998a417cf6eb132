import type { Json } from '@cairn/schema';
import type { Answers } from './answers.ts';
import type { CompiledForm, CompiledGroup, CompiledItem, CompiledQuestion } from './compiled-form.ts';
import { EvaluationBudget, STEPS_PER_PLACE } from './evaluation-budget.ts';
import { type Ref, type Scope, seenWith } from './expression-scope.ts';
import { toBoolean, toNumber, type Value } from './expression-values.ts';
import type { Choice, Words } from './form-definition.ts';
import { Changes, placeOf } from './form-changes.ts';
import {
  addedEntries,
  countedKeys,
  type Entries,
  type Inside,
  insidesOf,
  type Place,
  placesIn,
} from './form-places.ts';
import { asAnswer, isMedia, plainValue } from './plain-value.ts';
import { formPath } from './repeat-path.ts';
import { inLanguage } from './words.ts';

/** When, where and for whom a form is worked out. */
export type Moment = {
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  /** ISO 8601. */
  now: string;
  /** The day and time the inspection was started, for worked-out defaults; those above where left out. */
  start?: { today: string; now: string };
  /** A language of the form; its first where left out. */
  language?: string;
  /** What the register says about the thing inspected: name, code, category, location, status. */
  asset?: Readonly<Record<string, string>>;
  /** Answers of the last inspection of the same thing with this form, by the form's paths. */
  last?: Answers;
};

/** What is known of one place. */
export type PlaceValue = {
  place: Place;
  visible: boolean;
  /** What expressions see: the empty text without an answer and while hidden. Of a repeat its count. */
  value: Value;
  /** The answer, else the default, else null; what was worked out where there is a calculation. */
  answer: Json;
};

type ItemValues = { places: readonly Place[]; at: ReadonlyMap<string, PlaceValue>; insides: readonly Inside[] };

/** What expressions are worked out from. */
type Circumstances = {
  compiled: CompiledForm;
  answers: Answers;
  moment: Moment;
  items: ReadonlyMap<string, ItemValues>;
  /** Of the answer that is worked out now; once spent, values are as they were given and nothing more is worked out. */
  budget: EvaluationBudget;
};

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
  // What was not worked out to its end is nothing to go on from.
  const basis = isSame && !before.budget.isSpent ? before : undefined;
  const budget = new EvaluationBudget();
  const working = new Working({ compiled, answers, moment, budget }, basis);
  for (const item of compiled.order) working.work(item);
  const { items, changes, entries } = working;
  return { compiled, answers, moment, items, budget, changes, entries, basis: basis?.id ?? null, id: Symbol('values') };
}

const sameCircumstances = (a: Moment, b: Moment): boolean =>
  a.language === b.language &&
  a.last === b.last &&
  a.start?.now === b.start?.now &&
  JSON.stringify(a.asset) === JSON.stringify(b.asset);

class Working {
  readonly items = new Map<string, ItemValues>();
  readonly changes: Changes;
  private readonly form: Circumstances;
  private readonly before: FormValues | undefined;
  readonly entries: Entries;

  constructor(form: Omit<Circumstances, 'items'>, before: FormValues | undefined) {
    const { answers, moment } = form;
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

  private placesOf(item: CompiledItem, old: ItemValues | undefined): readonly Place[] {
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

  private reachesAt(item: CompiledItem, { path, owner, entries }: Place): boolean {
    const { changes } = this;
    if (changes.answeredAt(item.path, path) || (item.parent && changes.touchedAt(item.parent.path, owner))) return true;
    return item.deciding.some(compiled => changes.reachAt(compiled, entries));
  }

  private valuesOf(item: CompiledItem, places: readonly Place[], old: ItemValues | undefined): Map<string, PlaceValue> {
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

  private valueOf(item: CompiledItem, place: Place): PlaceValue {
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
  ): readonly Inside[] {
    if (old && (group.group.type === 'group' || this.hasSameEntries(group, at, old))) return old.insides;
    const { budget } = this.form;
    const keysAt = (path: string): readonly string[] => {
      const counted = group.group.count !== undefined;
      const keys = counted ? countedKeys(toNumber(at.get(path)?.value ?? '')) : (this.entries.get(path) ?? []);
      budget.spend(keys.length * STEPS_PER_PLACE);
      return keys;
    };
    const find = (): readonly Inside[] => insidesOf(group, places, keysAt);
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

function answerAt(form: Circumstances, item: CompiledQuestion, place: Place): { value: Value; answer: Json } {
  const { question, expressions } = item;
  const given = form.answers.get(place.path);
  const answer = given ? given.value : defaultOf(form, item, place);
  const value = isMedia(question.type) ? (given?.mediaIds[0] ?? '') : plainValue(answer);
  if (!expressions.calculation) return { value, answer };
  const result = expressions.calculation.run(scopeAt(form, place, value));
  const calculated = typeof result === 'number' && Number.isNaN(result) ? '' : result;
  return { value: calculated, answer: calculated === '' ? null : calculated };
}

function defaultOf(form: Circumstances, { question, expressions }: CompiledQuestion, place: Place): Json {
  if (!expressions.default) return question.default ?? null;
  const { today, now } = form.moment.start ?? form.moment;
  return asAnswer(question.type, expressions.default.run(seenWith(scopeAt(form, place, ''), { today, now })));
}

/** What an expression that stands at a place sees. */
export const scopeAt = (form: Circumstances, place: Pick<Place, 'entries' | 'positions'>, self: Value): Scope =>
  new PlaceScope(form, place, self);

/** Made for every question of every entry, several times: its methods are made once. */
class PlaceScope implements Scope {
  readonly self: Value;
  private readonly form: Circumstances;
  private readonly place: Pick<Place, 'entries' | 'positions'>;

  constructor(form: Circumstances, place: Pick<Place, 'entries' | 'positions'>, self: Value) {
    this.form = form;
    this.place = place;
    this.self = self;
  }

  get today(): string {
    return this.form.moment.today;
  }

  get now(): string {
    return this.form.moment.now;
  }

  one(ref: Ref): Value {
    return oneOf(this.form, ref, this.place.entries);
  }

  get budget(): EvaluationBudget {
    return this.form.budget;
  }

  all(ref: Ref): readonly Value[] {
    return allOf(this.form, ref, this.place.entries);
  }

  position(depth: number): number {
    return this.place.positions[depth] ?? 0;
  }

  choiceLabel(path: string, name: string): string {
    return choiceLabel(this.form, path, name);
  }

  list(name: string): readonly ((column: string) => string)[] {
    const choices = this.form.compiled.form.choice_lists[name] ?? [];
    return choices.map(choice => (column: string) => attributeOf(choice, column));
  }

  last(path: string): Value {
    return plainValue(this.form.moment.last?.get(path)?.value ?? null);
  }

  asset(field: string): string {
    return this.form.moment.asset?.[field] ?? '';
  }
}

function oneOf(form: Circumstances, ref: Ref, entries: readonly string[]): Value {
  if (ref.many) return allOf(form, ref, entries)[0] ?? '';
  return form.items.get(ref.path)?.at.get(placeOf(ref, entries))?.value ?? '';
}

function allOf(form: Circumstances, { path, depth }: Ref, entries: readonly string[]): Value[] {
  const values = form.items.get(path);
  if (!values) return [];
  form.budget.spend(values.places.length + values.insides.length);
  const around = depth === 0 ? null : entries[depth - 1];
  const inside = (place: { entries: readonly string[] }) => around === null || place.entries[depth - 1] === around;
  const item = form.compiled.byPath.get(path);
  if (item?.kind !== 'group') return values.places.filter(inside).map(place => values.at.get(place.path)?.value ?? '');
  return values.insides.filter(each => inside(each) && values.at.get(each.owner)?.visible).map(() => '');
}

/** What is known of a place; undefined where the form has no such place now. */
export const valueAt = (form: FormValues, path: string): PlaceValue | undefined =>
  form.items.get(formPath(path))?.at.get(path);

export const isShown = (form: FormValues, path: string): boolean => valueAt(form, path)?.visible ?? false;

function choiceLabel({ compiled, budget, moment }: Circumstances, path: string, name: string): string {
  const item = compiled.byPath.get(path);
  const choices = item?.kind === 'question' ? item.choices : [];
  budget.spend(1 + choices.length);
  const choice = choices.find(candidate => candidate.name === name);
  return inLanguage(choice?.label, moment.language) || name;
}

/** A text of a question as it is shown at a place: in the person's language, `${name}` replaced by that answer. */
export function shownText(form: FormValues, item: CompiledQuestion, place: Place, words: Words | undefined): string {
  const { language } = form.moment;
  const text = inLanguage(words, language);
  const pieces = item.pieces.get(text);
  if (!pieces) return text;
  return form.budget.within(text, () => {
    let shown = '';
    for (const piece of pieces) shown += typeof piece === 'string' ? piece : mentioned(form, piece, place);
    form.budget.spendText(shown.length);
    return shown;
  });
}

const mentioned = (form: FormValues, ref: Ref, { entries }: Place): string =>
  choiceLabel(form, ref.path, String(oneOf(form, ref, entries)));

/** What a choice has in a column of its list; empty where it has none. */
export function attributeOf(choice: Choice, name: string): string {
  if (name === 'name') return choice.name;
  if (name === 'label') return inLanguage(choice.label, undefined);
  const { attributes = {} } = choice;
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '';
}
