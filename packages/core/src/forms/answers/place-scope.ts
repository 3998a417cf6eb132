import type { Json } from '@cairn/schema';
import type { Answers } from './answers.ts';
import type { CompiledForm } from '../definition/compiled-form.ts';
import type { EvaluationBudget } from '../expression/evaluation-budget.ts';
import type { Ref, Scope } from '../expression/expression-scope.ts';
import type { Value } from '../expression/expression-values.ts';
import { placeOf } from './form-changes.ts';
import type { Choice } from '../definition/form-definition.ts';
import type { ParentInstance, ItemInstance } from '../definition/form-places.ts';
import { plainValue } from '../definition/plain-value.ts';
import { inLanguage } from '../definition/words.ts';

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
  /** What chance is drawn from, a uuid: the inspection's. Without one all draw alike. */
  chance?: string;
  /** Answers of the last inspection of the same thing with this form, by the form's paths. */
  last?: Answers;
};

/** What is known of one place. */
export type PlaceValue = {
  place: ItemInstance;
  visible: boolean;
  /** What expressions see: the empty text without an answer and while hidden. Of a repeat its count. */
  value: Value;
  /** The answer, else the default, else null; what was worked out where there is a calculation. */
  answer: Json;
};

export type ItemValues = {
  places: readonly ItemInstance[];
  at: ReadonlyMap<string, PlaceValue>;
  insides: readonly ParentInstance[];
};

/** What expressions are worked out from. */
export type Circumstances = {
  compiled: CompiledForm;
  answers: Answers;
  moment: Moment;
  items: ReadonlyMap<string, ItemValues>;
  /** The form as it is before anybody answered: what defaults are worked out from. Null where it is that already. */
  beginning: (() => Circumstances) | null;
  /** Of the answer that is worked out now; once spent, values are as they were given and nothing more is worked out. */
  budget: EvaluationBudget;
};

/** What an expression that stands at a place sees. */
export const scopeAt = (form: Circumstances, place: ScopeInstance, self: Value): Scope =>
  new PlaceScope(form, place, self);

/** What is drawn from where nothing else is said: the same each time. */
const NO_CHANCE = '00000000-0000-4000-8000-000000000000';

/** A place, as far as an expression sees it; its path for what chance draws there. */
type ScopeInstance = Pick<ItemInstance, 'entries' | 'positions'> & { path?: string };

/** Made for every question of every entry, several times: its methods are made once. */
class PlaceScope implements Scope {
  readonly self: Value;
  private readonly form: Circumstances;
  private readonly place: ScopeInstance;

  constructor(form: Circumstances, place: ScopeInstance, self: Value) {
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

  get chance(): Scope['chance'] {
    return { from: this.form.moment.chance ?? NO_CHANCE, at: this.place.path ?? this.place.entries.join() };
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

  indexed({ path, depth }: Ref, entries: readonly number[]): Value {
    const values = this.form.items.get(path);
    if (!values) return '';
    this.form.budget.spend(values.places.length);
    const around = depth === 0 ? null : this.place.entries[depth - 1];
    const found = values.places.find(
      place =>
        (around === null || place.entries[depth - 1] === around) &&
        entries.every((wanted, index) => place.positions.at(index - entries.length) === wanted),
    );
    return found ? (values.at.get(found.path)?.value ?? '') : '';
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

/** The value of what a reference leads to from these entries; of several the first. */
export function oneOf(form: Circumstances, ref: Ref, entries: readonly string[]): Value {
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

/** The label of a choice of the question at a path; its name where it has none. */
export function choiceLabel({ compiled, budget, moment }: Circumstances, path: string, name: string): string {
  const item = compiled.byPath.get(path);
  const choices = item?.kind === 'question' ? item.choices : [];
  budget.spend(1 + choices.length);
  const choice = choices.find(candidate => candidate.name === name);
  return inLanguage(choice?.label, moment.language) || name;
}

/** What a choice has in a column of its list; empty where it has none. */
export function attributeOf(choice: Choice, name: string): string {
  if (name === 'name') return choice.name;
  if (name === 'label') return inLanguage(choice.label, undefined);
  const { attributes = {} } = choice;
  return Object.hasOwn(attributes, name) ? (attributes[name] ?? '') : '';
}
