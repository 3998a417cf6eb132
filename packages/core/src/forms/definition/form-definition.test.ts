import { expect, test } from 'vitest';
import { type FormDraft, parseFormDefinition, readFormShape } from './form-definition.ts';
import { inLanguage } from './words.ts';

const forklift: FormDraft = {
  format: 1,
  title: 'Forklift pre-use check',
  choice_lists: { fuel: [{ name: 'gas' }, { name: 'battery', label: { en: 'Battery', nl: 'Accu' } }] },
  items: [
    { type: 'select_one', name: 'fuel', list: 'fuel' },
    {
      type: 'group',
      name: 'brakes',
      items: [{ type: 'pass_fail', name: 'parking', on_fail: { photo: 'required', due_in_days: 2 } }],
    },
  ],
};

const problemsOf = (draft: unknown) => {
  const parsed = parseFormDefinition(draft);
  return parsed.ok ? [] : parsed.problems;
};

test('a form is read, and what its author left out has its default', () => {
  const parsed = parseFormDefinition(forklift);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  expect(parsed.form.pass_percent).toBe(100);
  expect(parsed.form.items[1]).toMatchObject({
    items: [{ on_fail: { action: true, photo: 'required', note: 'optional', priority: 'medium' } }],
  });
});

test('an error names the place inside sections', () => {
  const items = [{ type: 'group', name: 'a', items: [{ type: 'text', name: '1st' }] }];
  expect(problemsOf({ ...forklift, items })).toEqual([
    { at: 'items[0].items[0].name', message: 'a name starts with a letter and has letters, digits, _ and - only' },
  ]);
});

test.each([
  ['an unknown property', [{ type: 'text', name: 'a', colour: 'red' }], 'items[0]'],
  ['a type that does not exist', [{ type: 'telepathy', name: 'a' }], 'items[0]'],
  [
    'the same name twice in a section',
    [
      { type: 'text', name: 'a' },
      { type: 'note', name: 'a' },
    ],
    'items[1].name',
  ],
  ['a list that does not exist', [{ type: 'select_one', name: 'a', list: 'none' }], 'items[0].list'],
  ['a choice without a list', [{ type: 'select_one', name: 'a' }], 'items[0]'],
  ['a calculation without a formula', [{ type: 'calculate', name: 'a' }], 'items[0]'],
])('%s is refused, with its place', (_, items, at) => {
  expect(problemsOf({ ...forklift, items }).map(problem => problem.at)).toEqual([at]);
});

test.each([null, 7, 'form', [], {}])('%j is no form', json => {
  expect(problemsOf(json).length).toBeGreaterThan(0);
});

test('a text falls back to the first language it has', () => {
  expect(inLanguage({ en: 'Brakes', nl: 'Remmen' }, 'nl')).toBe('Remmen');
  expect(inLanguage({ en: 'Brakes' }, 'fr')).toBe('Brakes');
  expect(inLanguage('Brakes', 'fr')).toBe('Brakes');
  expect(inLanguage(undefined, 'fr')).toBe('');
});

test('a stored form that nests thousands deep is a problem with its place, and no shape', () => {
  let item: object = { type: 'text', name: 'a' };
  for (let level = 0; level < 20_000; level += 1) item = { type: 'group', name: 'g', items: [item] };
  const form = { format: 1, title: 'Deep', items: [item] };
  expect(readFormShape(form)).toBeNull();
  expect(parseFormDefinition(form)).toEqual({
    ok: false,
    problems: [{ at: `items${'[0].items'.repeat(100)}[0]`, message: 'is nested too deeply' }],
  });
});
