import { expect, test } from 'vitest';
import { type FormDraft, inLanguage, parseFormDefinition } from './form-definition.ts';

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
