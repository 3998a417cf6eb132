import { describe, expect, test } from 'vitest';
import { isShown, stateAt } from '@cairn/testing/form-places.ts';
import type { Json } from '@cairn/schema';
import type { Answers } from './answers.ts';
import { type CompiledForm, compileForm } from '../definition/compiled-form.ts';
import { type FormDraft, type ItemDraft, parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from './form-state.ts';
import { valueAt } from './form-values.ts';
import type { Moment } from './place-scope.ts';

const moment: Moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

function compiled(items: ItemDraft[], rest: Partial<FormDraft> = {}): CompiledForm {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items, ...rest });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

function problemOf(items: ItemDraft[]): string {
  const parsed = parseFormDefinition({ format: 1, title: 'Check', items });
  if (!parsed.ok) return parsed.problems.map(({ at, message }) => `${at}: ${message}`).join();
  const result = compileForm(parsed.form);
  return result.ok ? '' : result.problems.map(({ at, message }) => `${at}: ${message}`).join();
}

const given = (values: Record<string, Json>): Answers =>
  new Map(Object.entries(values).map(([path, value]) => [path, { value, note: null, mediaIds: [] }]));
const valuesOf = (form: CompiledForm, values: Record<string, Json>) => formState(form, given(values), moment).values;

const tyres = compiled([
  {
    type: 'repeat',
    name: 'tyres',
    label: 'Tyre',
    items: [
      { type: 'decimal', name: 'tread', label: 'Tread of tyre ${place}', required: true },
      { type: 'text', name: 'place', default: 'front' },
      { type: 'calculate', name: 'number', calculation: 'position(..)' },
      { type: 'text', name: 'why', relevant: '${tread} < 1.6' },
      { type: 'calculate', name: 'first', calculation: 'indexed-repeat(${tread}, ${tyres}, 1)' },
    ],
  },
  { type: 'calculate', name: 'total', calculation: 'sum(${tread})' },
  { type: 'calculate', name: 'amount', calculation: 'count(${tyres})' },
  { type: 'calculate', name: 'least', calculation: 'min(${tread})' },
  { type: 'note', name: 'worn', relevant: '${tread} < 1.6', label: 'One of them is worn' },
]);
const two = { 'tyres[b]': 1, 'tyres[a]': 2, 'tyres[a].tread': 1.5, 'tyres[b].tread': 8 };

describe('a repeat is answered once for each entry', () => {
  test('in the order they were added in, each with answers and conditions of its own', () => {
    const state = formState(tyres, given(two), moment);
    expect(state.questions.map(({ path }) => path)).toEqual([
      'tyres[b].tread',
      'tyres[b].place',
      'tyres[a].tread',
      'tyres[a].place',
      'tyres[a].why',
      'worn',
    ]);
    expect(state.questions[2]?.label).toBe('Tread of tyre front');
    expect(state.repeats).toMatchObject([{ path: 'tyres', entries: ['tyres[b]', 'tyres[a]'], from: 0, to: 5 }]);
  });

  test('from outside a name stands for all of them, from inside for its own', () => {
    const values = valuesOf(tyres, two);
    const value = (path: string) => valueAt(values, path)?.value;
    expect(['total', 'amount', 'least'].map(value)).toEqual([9.5, 2, 1.5]);
    expect(['tyres[a].number', 'tyres[b].number', 'tyres[a].first'].map(value)).toEqual([2, 1, 8]);
  });

  test('without entries nothing is asked and nothing blocks', () => {
    const state = formState(tyres, new Map(), moment);
    expect([state.total, state.blocking, state.questions]).toEqual([0, [], []]);
    expect(state.repeats).toMatchObject([{ path: 'tyres', entries: [] }]);
  });

  test('an entry that is taken away counts for nothing, and its answers are there when it is back', () => {
    const without = formState(tyres, given({ ...two, 'tyres[a]': null }), moment);
    expect(valueAt(without.values, 'total')?.value).toBe(8);
    expect(isShown(without.values, 'worn')).toBe(false);
    expect(valueAt(formState(tyres, given(two), moment).values, 'total')?.value).toBe(9.5);
  });

  test('what depends on the entries follows when they come and go', () => {
    let state = formState(tyres, given(two), moment);
    const at = (path: string) => valueAt(state.values, path)?.value;
    state = formState(tyres, given({ ...two, 'tyres[b]': null }), moment, state);
    expect([at('total'), at('amount'), at('tyres[a].number')]).toEqual([1.5, 1, 1]);
    expect(stateAt(state, 'tyres[a].tread')?.place.positions).toEqual([1]);
    state = formState(tyres, given({ ...two, 'tyres[c]': 3 }), moment, state);
    expect([at('total'), at('amount'), at('tyres[a].number'), at('tyres[c].number')]).toEqual([9.5, 3, 2, 3]);
  });

  test('an entry without questions of its own counts', () => {
    const form = compiled([
      { type: 'repeat', name: 'doors', items: [] },
      { type: 'calculate', name: 'amount', calculation: 'count(${doors})' },
    ]);
    let state = formState(form, given({ 'doors[a]': 1 }), moment);
    expect(valueAt(state.values, 'amount')?.value).toBe(1);
    state = formState(form, given({ 'doors[a]': 1, 'doors[b]': 2 }), moment, state);
    expect(valueAt(state.values, 'amount')?.value).toBe(2);
  });
});

test('what stands in a hidden section is seen by nobody: neither an answer, nor an entry', () => {
  const form = compiled([
    { type: 'text', name: 'shown' },
    {
      type: 'group',
      name: 'g',
      relevant: "${shown} = 'yes'",
      items: [
        { type: 'integer', name: 'a' },
        { type: 'repeat', name: 'r', items: [{ type: 'integer', name: 'b' }] },
      ],
    },
    { type: 'calculate', name: 'seen', calculation: "concat(${a}, '/', sum(${b}), '/', count(${r}))" },
  ]);
  const inside = { 'g.a': 1, 'g.r[x]': 1, 'g.r[x].b': 2 };
  const seen = (values: Record<string, Json>) => valueAt(valuesOf(form, values), 'seen')?.value;
  expect(seen({ ...inside, shown: 'yes' })).toBe('1/2/1');
  expect(seen({ ...inside, shown: 'no' })).toBe('/0/0');
});

describe('a repeat with a count', () => {
  const form = compiled([
    { type: 'integer', name: 'axles' },
    {
      type: 'repeat',
      name: 'axle',
      count: '${axles}',
      items: [
        { type: 'integer', name: 'wheels' },
        { type: 'repeat', name: 'wheel', count: '${wheels}', items: [{ type: 'pass_fail', name: 'ok' }] },
      ],
    },
    { type: 'calculate', name: 'oks', calculation: 'count-non-empty(${ok})' },
  ]);

  test('has as many entries as it says, also in each other', () => {
    const state = formState(
      form,
      given({ axles: 2, 'axle[1].wheels': 1, 'axle[2].wheels': 2, 'axle[2].wheel[2].ok': 'pass', 'axle[3].wheels': 1 }),
      moment,
    );
    expect(state.questions.map(({ path }) => path)).toEqual([
      'axles',
      'axle[1].wheels',
      'axle[1].wheel[1].ok',
      'axle[2].wheels',
      'axle[2].wheel[1].ok',
      'axle[2].wheel[2].ok',
    ]);
    expect(valueAt(state.values, 'oks')?.value).toBe(1);
  });

  test.each([-1, 1e12, 'many', null])('%j is no reason to stop', axles => {
    expect(formState(form, given({ axles }), moment).questions.length).toBeLessThanOrEqual(1001);
  });
});

test('what is wrong with a repeat is found before anybody answers', () => {
  const inRepeat = (item: ItemDraft): ItemDraft[] => [{ type: 'repeat', name: 'r', items: [item] }];
  expect(problemOf(inRepeat({ type: 'calculate', name: 'a', calculation: 'sum(${a})' }))).toBe(
    'r.a, calculation: this depends on itself',
  );
  expect(problemOf([{ type: 'calculate', name: 'a', calculation: 'position(..)' }])).toBe(
    'a, calculation: ".." is no repeat group (character 1 of: position(..))',
  );
  expect(problemOf([{ type: 'group', name: 'g', count: '2', items: [] }])).toBe(
    'items[0].count: g is no repeat and cannot have a count',
  );
  const ownCount: ItemDraft = { type: 'repeat', name: 'r', count: '${n}', items: [{ type: 'integer', name: 'n' }] };
  expect(problemOf([ownCount])).toBe('r, count: this depends on itself');
});

describe('what an answer asks for besides', () => {
  const form = compiled(
    [
      {
        type: 'select_one',
        name: 'state',
        label: 'State',
        list: 'states',
        rules: [
          { when: ". != 'new'", photo: 'required' },
          { when: ". = 'worn'", action: true, note: 'required', priority: 'high', due_in_days: 7, title: 'Replace it' },
        ],
        scoring: { fails: ['worn'] },
        on_fail: { priority: 'low', due_in_days: 30 },
      },
    ],
    { choice_lists: { states: [{ name: 'new' }, { name: 'used' }, { name: 'worn' }] } },
  );
  const stateOf = (value: Json) => formState(form, given({ state: value }), moment).questions[0];

  test('nothing without an answer, and nothing where no rule holds', () => {
    expect(stateOf(null)).toMatchObject({ followUp: null, problem: null });
    expect(stateOf('new')).toMatchObject({ followUp: null, problem: null });
  });

  test('a photo, without it being a failure', () => {
    expect(stateOf('used')).toMatchObject({
      followUp: { photo: 'required', action: false },
      problem: { kind: 'photo_required', message: null, fault: 'photo' },
      score: { outcome: 'pass' },
    });
  });

  test('several together ask for what each of them asks for', () => {
    expect(stateOf('worn')?.followUp).toEqual({
      action: true,
      photo: 'required',
      note: 'required',
      priority: 'high',
      due_in_days: 7,
      title: 'Replace it',
    });
  });
});

describe('a default that is worked out', () => {
  const form = compiled([
    { type: 'integer', name: 'mileage', default_expression: '${last-saved#mileage} + 1' },
    { type: 'text', name: 'bay', default_expression: "asset('location')" },
    { type: 'datetime', name: 'began', default_expression: 'now()' },
    { type: 'integer', name: 'double', default_expression: '${mileage} * 2' },
  ]);
  const known: Moment = {
    ...moment,
    start: { today: '2026-11-20', now: '2026-11-20T08:00:00.000Z' },
    asset: { location: 'Bay 2' },
    last: given({ mileage: 41 }),
  };
  const answersIn = (values: Record<string, Json>, at: Moment) =>
    formState(form, given(values), at).questions.map(({ value }) => value);

  test('comes from the last inspection, the asset, the start and other defaults, is set once, and stays until there is an answer', () => {
    expect(answersIn({}, known)).toEqual([42, 'Bay 2', '2026-11-20T08:00:00.000Z', 84]);
    expect(answersIn({ mileage: 50, bay: null }, known)).toEqual([50, null, '2026-11-20T08:00:00.000Z', 84]);
  });

  test('is none where there is nothing to take it from', () => {
    expect(answersIn({}, moment)).toEqual([null, null, moment.now, null]);
  });
});

test('a section weighs what is in it, and a failure in one entry fails the form', () => {
  const form = compiled(
    [
      { type: 'pass_fail', name: 'a' },
      {
        type: 'group',
        name: 'g',
        weight: 2,
        items: [{ type: 'repeat', name: 'r', weight: 3, items: [{ type: 'pass_fail', name: 'b' }] }],
      },
    ],
    { pass_percent: 50 },
  );
  const { score } = formState(
    form,
    given({ a: 'pass', 'g.r[x]': 1, 'g.r[y]': 2, 'g.r[x].b': 'pass', 'g.r[y].b': 'fail' }),
    moment,
  );
  expect(score).toMatchObject({ points: 7, max: 13, percent: 54, result: 'pass' });
  expect(Object.fromEntries(score.sections)).toMatchObject({ '': { points: 1, max: 1 }, g: { points: 6, max: 12 } });
});
