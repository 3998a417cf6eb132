import type { Json } from '@cairn/schema';
import { type Answers, changedAnswers, type GivenAnswer } from './answers.ts';
import type { CompiledForm, CompiledQuestion } from '../definition/compiled-form.ts';
import { placeOf } from './form-changes.ts';
import type { ItemInstance } from '../definition/form-places.ts';
import { defaultAt, type FormValues, formValues } from './form-values.ts';
import { type Moment, scopeAt } from './place-scope.ts';
import { asAnswer, plainValue } from '../definition/plain-value.ts';
import { isNeverShown } from '../question-types/question-types.ts';
import { derivedId } from '@cairn/base/id.ts';
import { entriesOf, formPath } from '../definition/repeat-path.ts';
import { seenWith } from '../expression/expression-scope.ts';
import type { Value } from '../expression/expression-values.ts';

/** Values that are kept from now on, by their paths; null empties one. */
export type StoredValues = ReadonlyMap<string, Json>;

const NONE: StoredValues = new Map();
const EMPTY: GivenAnswer = { value: null, note: null, mediaIds: [] };

/**
 * What was worked out for the first time and is to be kept as it is: once(), and what an entry of a repeat begins with.
 *
 * @param form as it is now
 */
export function firstValues(form: FormValues): StoredValues {
  const { compiled, answers } = form;
  if (compiled.kept.length === 0) return NONE;
  const kept = new Map<string, Json>();
  for (const item of compiled.kept) {
    for (const { place, visible, answer } of form.items.get(item.path)?.at.values() ?? []) {
      const given = answers.get(place.path);
      if (item.kept === 'default' && !given) kept.set(place.path, defaultAt(form, item, place));
      if (item.kept === 'once' && visible && (given?.value ?? null) === null && answer !== null)
        kept.set(place.path, answer);
    }
  }
  return kept;
}

/** An answer that was just given, and what was known before it. */
export type AnswerChange = { compiled: CompiledForm; before: Answers; after: Answers; path: string; moment: Moment };

/**
 * What a changed answer sets: what has it as its trigger, and what says once() and reads it; each worked out once, in the
 * order of what reads what.
 */
export function valuesSetBy({ compiled, before, after, path, moment }: AnswerChange): StoredValues {
  if (compiled.kept.length === 0) return NONE;
  const set = new Map<string, Json>();
  const from = formValues(compiled, before, moment);
  const changed = [path];
  for (const item of compiled.kept) {
    const answers = withValues(after, set);
    const form = formValues(compiled, answers, moment, from);
    for (const { place, visible } of form.items.get(item.path)?.at.values() ?? []) {
      const isSet = item.kept === 'trigger' ? isTriggered(item, place, changed) : isRead(item, place, form);
      if (!isSet || (item.kept === 'once' && !visible)) continue;
      set.set(place.path, worked(item, place, form));
      if (item.kept === 'trigger') changed.push(place.path);
    }
  }
  for (const [kept, value] of firstValues(formValues(compiled, withValues(after, set), moment))) set.set(kept, value);
  return set;
}

/** Answers with what is kept among them. */
export function withValues(answers: Answers, kept: StoredValues): Answers {
  if (kept.size === 0) return answers;
  const changes = [...kept].map(([path, value]): [string, GivenAnswer] => [
    path,
    { ...EMPTY, ...answers.get(path), value },
  ]);
  return changedAnswers(answers, new Map(changes));
}

/** A trigger in an entry sets what stands in that entry, or outside of all; one outside sets every entry. */
function isTriggered({ triggers }: CompiledQuestion, place: ItemInstance, changed: readonly string[]): boolean {
  return triggers.some(ref =>
    changed.some(path => {
      if (formPath(path) !== ref.path) return false;
      return ref.many
        ? entriesOf(path)
            .slice(0, ref.depth)
            .every((entry, at) => entry === place.entries[at])
        : path === placeOf(ref, place.entries);
    }),
  );
}

/** Whether what a once() reads was changed: it is worked out again, and keeps what it has where it says so. */
const isRead = ({ kept, expressions }: CompiledQuestion, { entries, path }: ItemInstance, form: FormValues): boolean =>
  kept === 'once' &&
  form.answers.has(path) &&
  expressions.calculation !== undefined &&
  form.changes.reachAt(expressions.calculation, entries);

function worked(item: CompiledQuestion, place: ItemInstance, form: FormValues): Json {
  const { question, expressions } = item;
  if (!expressions.calculation) return null;
  const self = plainValue(form.answers.get(place.path)?.value ?? null);
  const scope = scopeAt(form, place, self);
  // Set again, it draws again.
  const { from, at } = scope.chance;
  const seen =
    item.kept === 'trigger' ? seenWith(scope, { chance: { from: derivedId(from, form.moment.now), at } }) : scope;
  const value = expressions.calculation.run(seen);
  return isNeverShown(question.type) ? plainAnswer(value) : asAnswer(question.type, value);
}

const plainAnswer = (value: Value): Json =>
  value === '' || (typeof value === 'number' && Number.isNaN(value)) ? null : value;
