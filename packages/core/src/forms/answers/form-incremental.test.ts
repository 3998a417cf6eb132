import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import { anyForm, someAnswer } from '@cairn/testing/any-form.ts';
import type { Answers, GivenAnswer } from './answers.ts';
import { type CompiledForm, compileForm } from '../definition/compiled-form.ts';
import {
  type FormDefinition,
  type ItemDraft,
  parseFormDefinition,
  type QuestionDraft,
} from '../definition/form-definition.ts';
import { type FormState, formState } from './form-state.ts';
import type { Moment } from './place-scope.ts';
import { entryPath } from '../definition/repeat-path.ts';

function compiledForm(form: FormDefinition): CompiledForm {
  const result = compileForm(form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

const moment: Moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

/** One thing a person does: answers a question of any place, adds or takes away an entry, writes a note. */
function edit(answers: Answers, state: FormState, [what = 0, where = 0, how = 0]: number[]): Answers {
  const after = new Map(answers);
  const places = [...state.values.items.values()].flatMap(({ places: all }) => all);
  const place = places[where % Math.max(1, places.length)];
  if (!place) return after;
  const empty: GivenAnswer = { value: null, note: null, mediaIds: [] };
  const before = after.get(place.path) ?? empty;
  if (place.item.kind === 'group') {
    const entry = entryPath(place.path, `k${how % 4}`);
    const there = after.get(entry)?.value !== null && after.has(entry);
    if (place.item.group.type === 'repeat') after.set(entry, { ...empty, value: there ? null : how % 3 });
  } else if (what % 4 === 0) after.set(place.path, { ...before, note: how % 2 === 0 ? 'seen' : null });
  else if (what % 4 === 1) after.set(place.path, { ...before, mediaIds: how % 2 === 0 ? ['m1'] : [] });
  else after.set(place.path, { ...before, value: someAnswer(place.item.question.type, how) });
  return after;
}

const shown = ({ questions, calculated, repeats, answered, total, blocking, failed, score, states }: FormState) => ({
  questions: [...questions, ...calculated].map(({ item, place, section, ...rest }) => ({
    ...rest,
    at: [item.path, place.path, section?.path, ...place.positions],
  })),
  repeats: repeats.map(({ path, entries, from, to }) => ({ path, entries, from, to })),
  counts: [answered, total],
  blocking: blocking.map(({ path }) => path),
  failed: failed.map(({ path }) => path),
  score: { ...score, sections: [...score.sections] },
  states: [...states].map(([path, places]) => [path, [...places.keys()]]),
});

test('what is worked out from the last result is what is worked out from nothing', () => {
  const edits = fc.array(fc.array(fc.nat(999), { minLength: 3, maxLength: 3 }), { maxLength: 25 });
  fc.assert(
    fc.property(anyForm, edits, (form, steps) => {
      const compiled = compiledForm(form);
      let answers: Answers = new Map();
      let state = formState(compiled, answers, moment);
      for (const step of steps) {
        answers = edit(answers, state, step);
        const later = step[0] === 7 ? { ...moment, today: '2025-01-01' } : moment;
        state = formState(compiled, answers, later, state);
        expect(shown(state)).toEqual(shown(formState(compiled, answers, later)));
      }
    }),
    { numRuns: 300 },
  );
});

/** 300 questions: 250 one after the other and 5 repeats of 10, which have 50 entries each: 2,750 to answer. */
function largeForm(): CompiledForm {
  const question = (name: string, before: string | null): QuestionDraft => ({
    type: 'integer',
    name,
    label: before === null ? name : `${name} after \${${before}}`,
    required: true,
    constraint: '. >= 0 and . < 1000',
    ...(before !== null && { relevant: `\${${before}} >= 0` }),
  });
  const run = (char: string, count: number) =>
    Array.from({ length: count }, (_, index) => question(`${char}${index}`, index > 0 ? `${char}${index - 1}` : null));
  const repeats = Array.from({ length: 5 }, (_, index): ItemDraft[] => [
    { type: 'repeat', name: `r${index}`, items: run(`r${index}q`, 10) },
    { type: 'calculate', name: `sum${index}`, calculation: `sum(\${r${index}q0})` },
  ]);
  const parsed = parseFormDefinition({ format: 1, title: 'Large', items: [...run('q', 250), ...repeats.flat()] });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return compiledForm(parsed.form);
}

test('in a form of 2,750 questions an answer works out again what depends on it, and nothing else', () => {
  const compiled = largeForm();
  const answers = new Map<string, GivenAnswer>();
  const given = (value: number): GivenAnswer => ({ value, note: null, mediaIds: [] });
  for (let repeat = 0; repeat < 5; repeat += 1) {
    for (let entry = 0; entry < 50; entry += 1) answers.set(entryPath(`r${repeat}`, `k${entry}`), given(entry));
  }
  for (const { places } of formState(compiled, answers, moment).values.items.values()) {
    for (const { item, path } of places) if (item.kind === 'question') answers.set(path, given(1));
  }
  const before = formState(compiled, answers, moment);
  expect([before.total, before.blocking.length]).toEqual([2750, 0]);

  const after = formState(compiled, new Map(answers).set('r3[k7].r3q4', given(2)), moment, before);
  const again = after.questions.filter((state, index) => state !== before.questions[index]);
  expect(again.map(({ path }) => path)).toEqual(['r3[k7].r3q4', 'r3[k7].r3q5']);
  const first = formState(compiled, new Map(answers).set('r3[k7].r3q0', given(9)), moment, before);
  expect(stateAt(first, 'sum3')?.value).toBe(58);
  expect(stateAt(first, 'sum2')).toBe(stateAt(before, 'sum2'));
});
