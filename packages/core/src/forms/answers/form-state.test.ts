import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isShown, stateAt } from '@cairn/testing/form-places.ts';
import type { Json } from '@cairn/schema';
import { type CompiledForm, compileForm } from '../definition/compiled-form.ts';
import { type FormDraft, type ItemDraft, parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from './form-state.ts';
import type { Answers, GivenAnswer } from './answers.ts';
import { offeredChoices } from './offered-choices.ts';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

function compiled(items: ItemDraft[], rest: Partial<FormDraft> = {}): CompiledForm {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items, ...rest });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

function problemsOf(items: ItemDraft[]) {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  return result.ok ? [] : result.problems.map(({ at, message }) => `${at}: ${message}`);
}

const answer = (value: Json, more: Partial<GivenAnswer> = {}): GivenAnswer => ({
  value,
  note: null,
  mediaIds: [],
  ...more,
});
const given = (values: Record<string, Json>): Answers =>
  new Map(Object.entries(values).map(([path, value]) => [path, answer(value)]));
const shown = (form: CompiledForm, answers: Answers) =>
  formState(form, answers, moment).questions.map(({ path }) => path);
const problem = (form: CompiledForm, answers: Answers) =>
  formState(form, answers, moment).blocking[0]?.problem?.kind ?? null;

describe('what is shown', () => {
  const form = compiled([
    { type: 'pass_fail', name: 'brakes', required: true },
    { type: 'text', name: 'why', relevant: "${brakes} = 'fail'", required: true },
    {
      type: 'group',
      name: 'repair',
      relevant: "${why} != ''",
      items: [{ type: 'integer', name: 'hours', required: true }],
    },
  ]);

  test('a question is asked only while its condition holds', () => {
    expect(shown(form, given({ brakes: 'pass' }))).toEqual(['brakes']);
    expect(shown(form, given({ brakes: 'fail' }))).toEqual(['brakes', 'why']);
  });

  test('a section that is hidden hides all in it', () => {
    expect(shown(form, given({ brakes: 'fail', why: 'worn' }))).toEqual(['brakes', 'why', 'repair.hours']);
  });

  test('an answer given before its question was hidden counts for nothing, further down too', () => {
    expect(shown(form, given({ brakes: 'pass', why: 'worn', 'repair.hours': 2 }))).toEqual(['brakes']);
    expect(problem(form, given({ brakes: 'pass', why: 'worn' }))).toBeNull();
  });

  test('a condition may read a question that stands further down', () => {
    const backwards = compiled([
      { type: 'text', name: 'first', relevant: '${second} > 3' },
      { type: 'integer', name: 'second' },
    ]);
    expect(shown(backwards, given({ second: 4 }))).toEqual(['first', 'second']);
    expect(shown(backwards, given({ second: 3 }))).toEqual(['second']);
  });

  test('notes are shown and not counted, calculations are neither', () => {
    const withNote = compiled([
      { type: 'note', name: 'hello', label: 'Hello' },
      { type: 'integer', name: 'a' },
      { type: 'calculate', name: 'twice', calculation: '${a} * 2' },
      { type: 'text', name: 'big', relevant: '${twice} > 10' },
    ]);
    const state = formState(withNote, given({ a: 6 }), moment);
    expect(state.questions.map(({ path }) => path)).toEqual(['hello', 'a', 'big']);
    expect([state.answered, state.total]).toEqual([1, 2]);
  });

  test('a calculation without a number is empty, not NaN', () => {
    const form = compiled([
      { type: 'integer', name: 'a' },
      { type: 'decimal', name: 'half', calculation: '${a} div 2' },
    ]);
    expect(formState(form, new Map(), moment).questions[1]?.value).toBeNull();
    expect(formState(form, given({ a: 3 }), moment).questions[1]?.value).toBe(1.5);
  });

  test('a default is the answer until there is one; a cleared answer stays cleared', () => {
    const form = compiled([{ type: 'text', name: 'shift', default: 'day' }]);
    expect(formState(form, new Map(), moment).questions[0]).toMatchObject({ value: 'day', answered: true });
    expect(formState(form, given({ shift: null }), moment).questions[0]).toMatchObject({
      value: null,
      answered: false,
    });
  });
});

describe('what blocks finishing', () => {
  const lists = { choice_lists: { fuel: [{ name: 'gas' }, { name: 'battery' }] } };
  const one = (item: ItemDraft) => compiled([item], lists);

  test.each<[string, ItemDraft, GivenAnswer | null, string | null]>([
    ['nothing entered, not required', { type: 'text', name: 'q' }, null, null],
    ['nothing entered', { type: 'text', name: 'q', required: true }, null, 'required'],
    ['blanks', { type: 'text', name: 'q', required: true }, answer('  '), 'required'],
    ['required by a condition', { type: 'text', name: 'q', required: '1 = 1' }, null, 'required'],
    ['not required by a condition', { type: 'text', name: 'q', required: '1 = 2' }, null, null],
    ['a note', { type: 'note', name: 'q', required: true }, null, 'required'],
    ['a fraction for a whole number', { type: 'integer', name: 'q' }, answer(1.5), 'wrong_type'],
    ['a text for a number', { type: 'decimal', name: 'q' }, answer('1.5'), 'wrong_type'],
    ['no such day', { type: 'date', name: 'q' }, answer('2026-02-30'), 'wrong_type'],
    ['a day', { type: 'date', name: 'q' }, answer('2026-02-28'), null],
    ['no such time', { type: 'time', name: 'q' }, answer('24:00'), 'wrong_type'],
    ['N/A where it is not offered', { type: 'pass_fail', name: 'q', allow_na: false }, answer('na'), 'wrong_type'],
    ['N/A', { type: 'pass_fail', name: 'q' }, answer('na'), null],
    ['a choice that is not offered', { type: 'select_one', name: 'q', list: 'fuel' }, answer('steam'), 'not_offered'],
    [
      'other, where it is offered',
      { type: 'select_one', name: 'q', list: 'fuel', or_other: true },
      answer('other'),
      null,
    ],
    [
      'one choice too many',
      { type: 'select_multiple', name: 'q', list: 'fuel' },
      answer(['gas', 'coal']),
      'not_offered',
    ],
    ['no choice', { type: 'select_multiple', name: 'q', list: 'fuel', required: true }, answer([]), 'required'],
    ['no photo', { type: 'photo', name: 'q', required: true }, answer(null), 'required'],
    ['a photo', { type: 'photo', name: 'q', required: true }, answer(null, { mediaIds: ['m'] }), null],
    [
      'an empty signature',
      { type: 'signature', name: 'q', required: true },
      answer({ width: 9, height: 9, strokes: [] }),
      'wrong_type',
    ],
    ['a broken constraint', { type: 'integer', name: 'q', constraint: '. < 10' }, answer(10), 'constraint'],
    ['a kept constraint', { type: 'integer', name: 'q', constraint: '. < 10' }, answer(9), null],
    ['a constraint on nothing', { type: 'integer', name: 'q', constraint: '. < 10' }, null, null],
    [
      'a failure without its photo',
      { type: 'pass_fail', name: 'q', on_fail: { photo: 'required' } },
      answer('fail'),
      'photo_required',
    ],
    [
      'a failure with its photo',
      { type: 'pass_fail', name: 'q', on_fail: { photo: 'required' } },
      answer('fail', { mediaIds: ['m'] }),
      null,
    ],
    ['a pass without a photo', { type: 'pass_fail', name: 'q', on_fail: { photo: 'required' } }, answer('pass'), null],
    [
      'a failure without its note',
      { type: 'pass_fail', name: 'q', on_fail: { note: 'required' } },
      answer('fail'),
      'note_required',
    ],
  ])('%s', (_, item, entered, kind) => {
    expect(problem(one(item), entered ? new Map([['q', entered]]) : new Map())).toBe(kind);
  });

  test("the author's own words are shown, in the person's language", () => {
    const form = compiled([
      { type: 'integer', name: 'q', constraint: '. < 10', constraint_message: { en: 'Too much', nl: 'Te veel' } },
    ]);
    const state = formState(form, given({ q: 11 }), { ...moment, language: 'nl' });
    expect(state.blocking[0]?.problem).toMatchObject({ kind: 'constraint', message: 'Te veel' });
  });
});

test('a text shows the answers it refers to, choices by their label', () => {
  const form = compiled(
    [
      { type: 'select_one', name: 'fuel', list: 'fuel' },
      { type: 'group', name: 'g', items: [{ type: 'note', name: 'n', label: 'Runs on ${fuel}, not on ${nothing}' }] },
    ],
    { choice_lists: { fuel: [{ name: 'lpg', label: { en: 'Gas', de: 'Gas (Propan)' } }] } },
  );
  const labelOf = (answers: Answers, language: string) =>
    formState(form, answers, { ...moment, language }).questions[1]?.label;
  expect(labelOf(given({ fuel: 'lpg' }), 'de')).toBe('Runs on Gas (Propan), not on ${nothing}');
  expect(labelOf(given({}), 'de')).toBe('Runs on , not on ${nothing}');
});

test('a choice filter narrows the choices by an earlier answer, and a choice that is gone must be chosen again', () => {
  const form = compiled(
    [
      { type: 'select_one', name: 'state', list: 'states' },
      { type: 'select_one', name: 'county', list: 'counties', choice_filter: 'state = ${state}' },
    ],
    {
      choice_lists: {
        states: [{ name: 'texas' }, { name: 'washington' }],
        counties: [
          { name: 'king', attributes: { state: 'washington' } },
          { name: 'cameron', attributes: { state: 'texas' } },
        ],
      },
    },
  );
  const county = form.questions[1];
  if (!county) throw new Error('no county');
  const offered = (answers: Answers) => {
    const state = formState(form, answers, moment);
    const place = stateAt(state, 'county')?.place;
    return place ? offeredChoices(county, place, state.values).map(({ name }) => name) : null;
  };
  expect(offered(given({}))).toEqual([]);
  expect(offered(given({ state: 'texas' }))).toEqual(['cameron']);
  expect(problem(form, given({ state: 'texas', county: 'king' }))).toBe('not_offered');
});

describe('a form that cannot work is refused before it is used', () => {
  test.each<[string, ItemDraft[], string]>([
    [
      'a cycle',
      [
        { type: 'text', name: 'a', relevant: '${b}' },
        { type: 'text', name: 'b', relevant: '${a}' },
      ],
      'a, relevant: this depends on itself',
    ],
    [
      'a question of its own section',
      [{ type: 'group', name: 'g', relevant: "${a} = ''", items: [{ type: 'text', name: 'a' }] }],
      'g, relevant: this depends on itself',
    ],
    [
      'an unknown name',
      [{ type: 'text', name: 'a', constraint: '. = ${b}' }],
      'a, constraint: there is no question "b" (character 5 of: . = ${b})',
    ],
    [
      'a name that two questions have',
      [
        { type: 'group', name: 'g', items: [{ type: 'text', name: 'a' }] },
        { type: 'group', name: 'h', items: [{ type: 'text', name: 'a' }] },
        { type: 'text', name: 'b', relevant: '${a}' },
      ],
      'b, relevant: more than one question is called "a" (character 1 of: ${a})',
    ],
    [
      'a section as a value',
      [
        { type: 'group', name: 'g', items: [] },
        { type: 'text', name: 'b', relevant: '${g}' },
      ],
      'b, relevant: "g" is a section, not a question (character 1 of: ${g})',
    ],
  ])('%s', (_, items, message) => {
    expect(problemsOf(items)).toEqual([message]);
  });

  test('../name is the neighbour, ../../name one section up', () => {
    const form = compiled([
      { type: 'text', name: 'a' },
      {
        type: 'group',
        name: 'g',
        items: [
          { type: 'text', name: 'a' },
          { type: 'text', name: 'b', relevant: "../a = 'in' and ../../a = 'out'" },
        ],
      },
    ]);
    expect(shown(form, given({ a: 'out', 'g.a': 'in' }))).toContain('g.b');
    expect(shown(form, given({ a: 'in', 'g.a': 'out' }))).not.toContain('g.b');
  });
});

const anyAnswers = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 's.d', 's.e'),
  fc.oneof(fc.constantFrom('pass', 'fail', 'na'), fc.integer({ min: -3, max: 12 }), fc.constant(null), fc.string()),
);

test('a hidden question never blocks, and progress never passes its total', () => {
  const form = compiled([
    { type: 'pass_fail', name: 'a', required: true },
    { type: 'integer', name: 'b', relevant: "${a} = 'fail'", required: true, constraint: '. > 0' },
    { type: 'integer', name: 'c', relevant: '${b} > 5', required: '${b} > 7' },
    {
      type: 'group',
      name: 's',
      relevant: '${c} != 3',
      items: [
        { type: 'text', name: 'd' },
        { type: 'pass_fail', name: 'e', relevant: '${d}', required: true },
      ],
    },
  ]);
  fc.assert(
    fc.property(anyAnswers, values => {
      const state = formState(form, given(values), moment);
      for (const { path } of state.blocking) expect(isShown(state.values, path)).toBe(true);
      expect(state.answered).toBeLessThanOrEqual(state.total);
      expect(state.blocking.length).toBeLessThanOrEqual(state.total);
    }),
  );
});

test('what was answered in a hidden question changes nothing at all', () => {
  const form = compiled([
    { type: 'pass_fail', name: 'a' },
    { type: 'pass_fail', name: 'b', relevant: "${a} = 'fail'", scoring: { weight: 5 } },
    { type: 'text', name: 'c', relevant: "${b} = 'fail'" },
  ]);
  const seen = (values: Record<string, Json>) => {
    const { values: _, ...state } = formState(form, given(values), moment);
    return state;
  };
  fc.assert(
    fc.property(fc.constantFrom('pass', 'na'), fc.constantFrom('pass', 'fail', 'na'), fc.string(), (a, b, c) => {
      expect(JSON.stringify(seen({ a, b, c }))).toBe(JSON.stringify(seen({ a })));
    }),
  );
});

// Each leans on the one before: worked out anew for every question that asks, this would never end.
test('300 questions with conditions are worked out, each of them once', () => {
  const items: ItemDraft[] = Array.from({ length: 300 }, (_, index) => ({
    type: 'integer',
    name: `q${index}`,
    constraint: '. >= 0 and . < 1000',
    ...(index > 0 && { relevant: `\${q${index - 1}} > 0 or selected('a b', 'a')` }),
  }));
  const form = compiled(items);
  const answers = given(Object.fromEntries(items.map(({ name }) => [name, 5])));
  expect(formState(form, answers, moment).answered).toBe(300);
});
