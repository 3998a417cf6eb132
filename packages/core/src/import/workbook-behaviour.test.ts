import { describe, expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import type { Json } from '@cairn/schema';
import { type Cell, type Sheets, workbook } from '@cairn/testing/workbook-builder.ts';
import type { Answers } from '../forms/answers/answers.ts';
import { type CompiledForm, compileForm } from '../forms/definition/compiled-form.ts';
import { formState } from '../forms/answers/form-state.ts';
import { offeredChoices } from '../forms/answers/offered-choices.ts';
import { importFormFile } from './form-file.ts';
import { findingText } from '../workbook/sheet-table.ts';

/** What form authors of other tools were surprised by: the workbook as they wrote it, and what it does once it is filled in. */

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };
const YES_NO: Cell[][] = [
  ['list_name', 'name', 'label'],
  ['yn', 'yes', 'Yes'],
  ['yn', 'no', 'No'],
];

async function formOf(sheets: Sheets): Promise<CompiledForm> {
  const result = await importFormFile(workbook(sheets), 'form.xlsx');
  if (!result.ok) throw new Error(result.problems.map(findingText).join('; '));
  const compiled = compileForm(result.form);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  return compiled.compiled;
}
async function problemsOf(sheets: Sheets): Promise<string[]> {
  const result = await importFormFile(workbook(sheets), 'form.xlsx');
  return result.ok ? [] : result.problems.map(findingText);
}

const given = (values: Record<string, Json>): Answers =>
  new Map(Object.entries(values).map(([path, value]) => [path, { value, note: null, mediaIds: [] }]));
const blocking = (form: CompiledForm, values: Record<string, Json>, at = moment) =>
  formState(form, given(values), at).blocking.map(({ path, problem }) => [path, problem?.kind]);
function offered(form: CompiledForm, path: string, values: Record<string, Json>): string[] {
  const state = formState(form, given(values), moment);
  const question = stateAt(state, path);
  if (!question) throw new Error(`${path} is not shown`);
  return offeredChoices(question.item, question.place, state.values).map(({ name }) => name);
}

const FILTERED: Cell[][] = [
  ['list_name', 'name', 'label', 'a', 'b'],
  ['a', 'x', 'X', null, null],
  ['a', 'y', 'Y', null, null],
  ['b', 'x1', 'X1', 'x', null],
  ['b', 'y1', 'Y1', 'y', null],
  ['c', 'x11', 'X11', null, 'x1'],
  ['c', 'y11', 'Y11', null, 'y1'],
];

test('a choice below one that was changed is not offered any more and stops the form from being finished', async () => {
  const form = await formOf({
    survey: [
      ['type', 'name', 'label', 'choice_filter'],
      ['select_one a', 'a', 'A', null],
      ['select_one b', 'b', 'B', 'a=${a}'],
      ['select_one c', 'c', 'C', 'b=${b}'],
    ],
    choices: FILTERED,
  });
  expect(blocking(form, { a: 'x', b: 'x1', c: 'x11' })).toEqual([]);
  // The one below it follows an answer that still stands there; it is judged when that one has been put right.
  expect(blocking(form, { a: 'y', b: 'x1', c: 'x11' })).toContainEqual(['b', 'not_offered']);
  expect(blocking(form, { a: 'y', b: 'y1', c: 'x11' })).toEqual([['c', 'not_offered']]);
  expect(offered(form, 'c', { a: 'y', b: 'y1' })).toEqual(['y11']);
});

test('each entry of a repeat filters by its own answer', async () => {
  const form = await formOf({
    survey: [
      ['type', 'name', 'label', 'choice_filter'],
      ['begin_repeat', 'r', 'R', null],
      ['select_one a', 'a', 'A', null],
      ['select_one b', 'b', 'B', 'a=${a}'],
      ['end_repeat', null, null, null],
    ],
    choices: FILTERED,
  });
  const values = { 'r[1]': 1, 'r[1].a': 'x', 'r[2]': 2, 'r[2].a': 'y' };
  expect(offered(form, 'r[1].b', values)).toEqual(['x1']);
  expect(offered(form, 'r[2].b', values)).toEqual(['y1']);
});

describe('one name for two choices of a list', () => {
  const sheets = (settings: Cell[][]): Sheets => ({
    survey: [
      ['type', 'name', 'label'],
      ['select_one a', 'a', 'A'],
    ],
    choices: [
      ['list_name', 'name', 'label'],
      ['a', 'x', 'X'],
      ['a', 'x', 'Y'],
    ],
    settings,
  });

  test('is refused with its row', async () => {
    const [problem = '', ...others] = await problemsOf(sheets([['form_title'], ['T']]));
    expect(problem).toMatch(/^choices row 3, name: /);
    expect(others).toEqual([]);
  });

  test('is taken where the form says that it is meant', async () => {
    expect(
      await problemsOf(
        sheets([
          ['form_title', 'allow_choice_duplicates'],
          ['T', 'yes'],
        ]),
      ),
    ).toEqual([]);
  });
});

test('a hidden answer counts as empty in what is worked out', async () => {
  const form = await formOf({
    survey: [
      ['type', 'name', 'label', 'relevant', 'calculation'],
      ['select_one yn', 'y', 'Y', null, null],
      ['integer', 'a', 'A', "${y}='yes'", null],
      ['calculate', 'c', null, null, 'coalesce(${a}, 0) + 1'],
    ],
    choices: YES_NO,
  });
  const worked = (y: string) => stateAt(formState(form, given({ y, a: 5 }), moment), 'c')?.value;
  expect([worked('yes'), worked('no')]).toEqual([6, 1]);
});

test('a pattern is held against the whole text', async () => {
  const form = await formOf({
    survey: [
      ['type', 'name', 'label', 'constraint'],
      ['text', 't', 'T', "regex(., '[a-z]+')"],
    ],
  });
  expect(blocking(form, { t: 'abc' })).toEqual([]);
  expect(blocking(form, { t: 'abc1' })).toEqual([['t', 'constraint']]);
  expect(blocking(form, { t: '1abc' })).toEqual([['t', 'constraint']]);
});

test.each([
  ['in the evening west of UTC, where it is tomorrow already', '2026-11-22T03:00:00.000Z'],
  ['in the morning east of UTC, where it is yesterday still', '2026-11-20T22:00:00.000Z'],
])('today is the day of the device: %s', async (_, now) => {
  const form = await formOf({
    survey: [
      ['type', 'name', 'label', 'constraint'],
      ['date', 'd', 'D', '. < today()'],
      ['date', 'e', 'E', '. >= today()'],
    ],
  });
  const at = { today: '2026-11-21', now };
  expect(blocking(form, { d: '2026-11-21', e: '2026-11-21' }, at)).toEqual([['d', 'constraint']]);
  expect(blocking(form, { d: '2026-11-20', e: '2026-11-20' }, at)).toEqual([['e', 'constraint']]);
});

test('"other" is offered in each language of the form', async () => {
  const result = await importFormFile(
    workbook({
      survey: [
        ['type', 'name', 'label::en', 'label::fr'],
        ['select_one a or_other', 'a', 'A', 'Aa'],
      ],
      choices: [
        ['list_name', 'name', 'label::en', 'label::fr'],
        ['a', 'x', 'X', 'Xf'],
      ],
    }),
    'form.xlsx',
  );
  expect(result).toMatchObject({
    ok: true,
    notUnderstood: [],
    form: {
      languages: ['en', 'fr'],
      items: [
        { type: 'select_one', or_other: true, label: { en: 'A', fr: 'Aa' } },
        { type: 'text', name: 'a_other', relevant: "selected(../a, 'other')" },
      ],
    },
  });
});
