import type { EvaluationBudget } from './evaluation-budget.ts';
import type { Value } from './expression-values.ts';

/** What a name in an expression stands for, seen from where the expression stands. */
export type Ref = {
  /** The path in the form of a question or repeat. */
  path: string;
  /** How many of the repeats around the expression it stands in too, outermost first. */
  depth: number;
  /** Its path from there on: the whole path for depth 0, else what follows the entry. */
  tail: string;
  /** It may stand for several answers: it is in a repeat the expression is not in, or is one. */
  many: boolean;
};

/** What an expression sees while it is worked out. Nothing else: no clock, no network. */
export type Scope = {
  /** The value of a question; the empty text while it has no answer or is hidden. Of several the first. */
  one(ref: Ref): Value;
  /** All values it stands for, in the order of the entries; the empty text for one without an answer and a hidden one. */
  all(ref: Ref): readonly Value[];
  /** The value in the entry of these numbers, from 1, one for each of the innermost repeats it stands in; empty where there is none. */
  indexed(ref: Ref, entries: readonly number[]): Value;
  /** Which entry of the repeat at this depth the expression stands in; the first is 1. */
  position(depth: number): number;
  /** What working it out may cost. */
  budget: EvaluationBudget;
  /** What `.` is. */
  self: Value;
  /** The device's local day, YYYY-MM-DD. */
  today: string;
  /** The present instant, ISO 8601. */
  now: string;
  /** The label of a choice of the question at `path`; the name itself where there is none. */
  choiceLabel(path: string, name: string): string;
  /** The rows of a list of choices, each by the name of its columns. */
  list(name: string): readonly ((column: string) => string)[];
  /** What the last inspection of the same thing had as its answer to the question at `path`; empty where there is none. */
  last(path: string): Value;
  /** `name`, `code`, `category`, `location` or `status` of the asset that is inspected; empty without one. */
  asset(field: string): string;
  /** In a choice filter or a lookup: a column of the choice at hand; in a condition on entries: what stands in the entry. */
  attribute?(name: string): Value;
  /** In a condition in [ ]: which of how many is at hand, from 1. */
  candidate?: { position: number; last: number };
  /** What chance is drawn from: the same inspection draws the same again at the same place. A uuid, and that place. */
  chance: { from: string; at: string };
};

/** A scope in which some things are otherwise. */
export const seenWith = (
  scope: Scope,
  otherwise: Partial<Pick<Scope, 'today' | 'now' | 'chance'>> & Pick<Scope, 'attribute' | 'candidate'>,
): Scope =>
  Object.create(
    scope,
    Object.fromEntries(Object.entries(otherwise).map(([name, value]) => [name, { value }])),
  ) as Scope;

/** How the names in an expression are found, at the time it is compiled. Each throws an Error with the reason for the author. */
export type Names = {
  /** What `${name}` stands for. */
  field(name: string): Ref;
  /** What a relative (`up` ≥ 0) or absolute (null) path of names stands for. */
  path(up: number | null, steps: string[]): Ref;
  /**
   * What stands at `path` in every entry of the repeat at `repeat`, also seen from inside one; `inner`: the repeats inside it,
   * in their order, that it stands in too.
   */
  across(path: string, repeat: string, inner?: readonly string[]): Ref;
  /** The path of the repeat that `${name}`, or a path of names, stands for. */
  repeat(reference: string | { up: number | null; steps: string[] }): string;
  /** Whether anything stands at a path of the form. */
  stands(path: string): boolean;
  /** The depth of the repeat that `up` times `..` leads to. */
  entry(up: number): number;
  /** The path of the question `${last-saved#name}` stands for. */
  saved(name: string): string;
  /** Whether there is a list of choices of this name, and whether it has this column. */
  hasList(name: string): boolean;
  hasColumn(list: string, column: string): boolean;
  /** In a choice filter: whether the list has this attribute. Absent elsewhere. */
  hasAttribute?(name: string): boolean;
};
