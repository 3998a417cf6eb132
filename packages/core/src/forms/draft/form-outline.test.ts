import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyEdits, edited } from '@cairn/testing/any-edits.ts';
import { anyForm } from '@cairn/testing/any-form.ts';
import { importFormFile } from '../../import/form-file.ts';
import { findingText } from '../../workbook/sheet-table.ts';
import { xlsFormFile } from '../../xlsform/form-file.ts';
import type { FormDefinition, FormItem, Question } from '../definition/form-definition.ts';
import {
  addItem,
  duplicateNode,
  endOf,
  formOf,
  moveNode,
  nameOf,
  type Outline,
  outlineOf,
  putNode,
  removeNode,
  renameNode,
  rowsOf,
  spotInRows,
  walkOutline,
} from './form-outline.ts';
import { emptyForm } from './form-draft.ts';
import { withLanguages } from './form-languages.ts';
import { checkOutline } from './form-problems.ts';
import { isMadeUpName, nameFromText, newChoice, newQuestion, withType } from './new-question.ts';
import { tidyForm } from './tidy-form.ts';

const form = (items: FormItem[]): FormDefinition => ({ ...emptyForm('Check'), items });
const text = (name: string, more: Partial<Question> = {}): Question => ({ type: 'text', name, ...more });

/** a, s(b, c), d */
const small = (): Outline =>
  outlineOf(form([text('a'), { type: 'group', name: 's', items: [text('b'), text('c')] }, text('d')]));
const keyOf = (outline: Outline, name: string): string =>
  [...walkOutline(outline.nodes)].find(({ node }) => nameOf(node) === name)?.node.key ?? 'none';
const shape = (outline: Outline): string =>
  JSON.stringify(formOf(outline).items, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('name' in value)) return value;
    return 'items' in value ? { [String(value.name)]: value.items } : String(value.name);
  }).replaceAll('"', '');

describe('an outline', () => {
  test('is its form again, whatever the form', () => {
    fc.assert(
      fc.property(anyForm, given => {
        expect(formOf(outlineOf(given))).toEqual(given);
      }),
    );
  });

  test('keeps every key unique and every question through any edits but those that take it away', () => {
    fc.assert(
      fc.property(anyForm, anyEdits, (given, edits) => {
        const kept = edits.filter(([what = 0]) => what % 11 !== 3);
        const before = [...walkOutline(outlineOf(given).nodes)].length;
        const after = outlineOf(edited(given, kept));
        const keys = [...walkOutline(after.nodes)].map(({ node }) => node.key);
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys.length).toBeGreaterThanOrEqual(before);
      }),
    );
  });

  test('takes a node away and puts it back where it stood, also when its section is gone', () => {
    const outline = small();
    const taken = removeNode(outline, keyOf(outline, 'b'));
    if (!taken) throw new Error('nothing was taken');
    expect(shape(taken.outline)).toBe('[a,{s:[c]},d]');
    expect(putNode(taken.outline, taken.removed.node, taken.removed.spot)).toEqual(outline);
    const bare = removeNode(taken.outline, keyOf(outline, 's'))?.outline ?? outline;
    expect(shape(putNode(bare, taken.removed.node, taken.removed.spot))).toBe('[a,d,b]');
  });

  test('moves a question into and out of a section, and no section into itself', () => {
    const outline = small();
    const key = (name: string) => keyOf(outline, name);
    expect(shape(moveNode(outline, key('d'), { parent: key('s'), index: 1 }))).toBe('[a,{s:[b,d,c]}]');
    expect(shape(moveNode(outline, key('b'), { parent: null, index: 0 }))).toBe('[b,a,{s:[c]},d]');
    expect(moveNode(outline, key('s'), { parent: key('s'), index: 0 })).toBe(outline);
  });

  test.each([
    ['d', 's', '[a,{s:[d,b,c]}]'],
    ['d', 'b', '[a,{s:[b,d,c]}]'],
    ['b', 's/end', '[a,{s:[c]},b,d]'],
    ['a', 'd', '[{s:[b,c]},d,a]'],
    ['a', 's/end', '[{s:[b,c]},a,d]'],
    ['s', 'd', '[a,d,{s:[b,c]}]'],
    ['c', 'a', '[a,c,{s:[b]},d]'],
    ['d', '', '[d,a,{s:[b,c]}]'],
  ])('dropping %s below %s makes %s', (moved, below, result) => {
    const outline = small();
    const [section, end = ''] = below.split('/');
    const above = end === '' ? keyOf(outline, below) : endOf(keyOf(outline, section ?? ''));
    const key = keyOf(outline, moved);
    const others = rowsOf(outline.nodes).flatMap(row => (row.key === key ? [] : [row.key]));
    const order = others.toSpliced(below === '' ? 0 : others.indexOf(above) + 1, 0, key);
    expect(shape(moveNode(outline, key, spotInRows(outline, key, order)))).toBe(result);
  });
});

describe('names', () => {
  const asked = outlineOf(
    form([
      text('fuel'),
      text('level', {
        label: { en: 'Level of ${fuel}', de: 'Stand ${ fuel }' },
        relevant: "${fuel} = 'gas' and ${fuel_2} != ''",
        rules: [
          { when: '${last-saved#fuel} != .', action: false, photo: 'required', note: 'optional', priority: 'low' },
        ],
        scoring: { weight: 1, critical: false, fail_when: '. < ${fuel}' },
      }),
    ]),
  );

  test('that change are followed by everything that says them', () => {
    const renamed = renameNode(asked, keyOf(asked, 'fuel'), 'petrol');
    expect(formOf(renamed).items[1]).toMatchObject({
      label: { en: 'Level of ${petrol}', de: 'Stand ${ petrol }' },
      relevant: "${petrol} = 'gas' and ${fuel_2} != ''",
      rules: [{ when: '${last-saved#petrol} != .' }],
      scoring: { fail_when: '. < ${petrol}' },
    });
  });

  test('of a copy are its own, and the copy speaks of itself', () => {
    const outline = outlineOf(
      form([{ type: 'group', name: 's', items: [text('a'), text('b', { relevant: "${a} != ''" })] }]),
    );
    const copy = duplicateNode(outline, keyOf(outline, 's'));
    expect(formOf(copy?.outline ?? outline).items[1]).toMatchObject({
      name: 's_2',
      items: [{ name: 'a_2' }, { name: 'b_2', relevant: "${a_2} != ''" }],
    });
  });

  test.each([
    ['Tyres & wheels?', 'tyres_wheels'],
    ['Größe des Öltanks', 'grosse_des_oltanks'],
    ['3 bolts', 'q_3_bolts'],
    ['???', ''],
  ])('made from "%s" are "%s"', (label, name) => expect(nameFromText(label)).toBe(name));

  test('nobody thought about are told from those somebody chose', () => {
    const { name } = newQuestion(small(), 'text');
    expect([isMadeUpName(name), isMadeUpName('brakes')]).toEqual([true, false]);
  });

  test('of choices are unique in their list', () => {
    const first = newChoice([], 'Good');
    expect([first.name, newChoice([first], 'Good').name, newChoice([first], '').name]).toEqual([
      'good',
      'good_2',
      'choice_2',
    ]);
  });
});

test('another type takes along what it can have, and nothing it cannot', () => {
  const chosen: Question = {
    type: 'select_one',
    name: 'q',
    list: 'grades',
    or_other: true,
    choice_filter: "kind = 'x'",
    default: 'good',
    scoring: { weight: 2, critical: true, fails: ['poor'] },
  };
  expect(withType(chosen, 'integer', undefined)).toEqual({
    type: 'integer',
    name: 'q',
    scoring: { weight: 2, critical: true },
  });
  expect(withType(chosen, 'note', undefined)).toEqual({ type: 'note', name: 'q' });
  expect(withType({ type: 'integer', name: 'q', default: 3 }, 'decimal', undefined)).toMatchObject({ default: 3 });
  // What would be no answer of the new type goes, or the form could not be imported again.
  const seconds = { type: 'timer', name: 'q', default: 30.4 } as const;
  expect(withType(seconds, 'integer', undefined)).toEqual({ type: 'integer', name: 'q' });
  expect(withType(seconds, 'range', undefined)).not.toHaveProperty('default');
  expect(withType(seconds, 'decimal', undefined)).toMatchObject({ default: 30.4 });
  expect(withType({ type: 'decimal', name: 'q', default: -1 }, 'timer', undefined)).not.toHaveProperty('default');
});

describe('languages', () => {
  const spoken = outlineOf(form([text('a', { label: 'Brakes' })]));
  const both = withLanguages(spoken, ['English (en)', 'Deutsch (de)']);

  test('make the texts that were there those of the first', () => {
    expect(formOf(both).items[0]).toMatchObject({ label: { 'English (en)': 'Brakes' } });
    expect(formOf(both).title).toEqual({ 'English (en)': 'Check' });
  });

  test('that go leave one text each', () => {
    expect(formOf(withLanguages(both, []))).toEqual(formOf(spoken));
  });
});

test('what is built, exported as XLSForm and imported again is the same form', async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(anyForm, anyEdits, async (given, edits) => {
      const start = edits.length % 3 === 0 ? emptyForm('Built') : given;
      const built = tidyForm(edited(start, edits));
      const { problems } = checkOutline(outlineOf(built));
      if (problems.length > 0) return;
      tried += 1;
      const back = await importFormFile(await (await xlsFormFile(built)).arrayBuffer(), 'form.xlsx');
      if (!back.ok) throw new Error(back.problems.map(findingText).join('\n'));
      expect(back.form).toEqual(built);
    }),
    { numRuns: 150 },
  );
  // Most edits of forms made by chance leave them publishable: else nothing was proven.
  expect(tried).toBeGreaterThan(40);
});

test('a new question in a new place stands there', () => {
  const outline = small();
  const put = addItem(outline, newQuestion(outline, 'photo'), { parent: keyOf(outline, 's'), index: 0 });
  expect(shape(put.outline)).toBe('[a,{s:[question_1,b,c]},d]');
  expect(put.key).toBe('5');
});

test('a set whose names hold spaces is a problem where several can be chosen, and none where one is', () => {
  const lists = { l: [{ name: 'c' }, { name: 'a b' }] };
  const problemsOf = (type: Question['type']) =>
    checkOutline(outlineOf({ ...form([{ type, name: 'q', list: 'l' }]), choice_lists: lists })).problems.map(
      ({ field, code, reason }) => [field, code, reason],
    );
  expect(problemsOf('select_one')).toEqual([]);
  expect(problemsOf('select_multiple')).toEqual([['list', 'spaced', 'a b']]);
  expect(problemsOf('rank')).toEqual([['list', 'spaced', 'a b']]);
});

test('a name made for a choice never holds a space', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), words => {
      expect(newChoice([], words).name).not.toMatch(/\s/);
    }),
  );
});
