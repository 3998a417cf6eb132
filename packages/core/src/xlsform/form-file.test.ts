import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyForm } from '@cairn/testing/any-form.ts';
import { compileForm } from '../forms/definition/compiled-form.ts';
import type { FormDefinition } from '../forms/definition/form-definition.ts';
import { importFormFile } from '../import/form-file.ts';
import { findingText } from '../workbook/sheet-table.ts';
import { answersCsv } from '../forms/answers/answers-csv.ts';
import { formJson, xlsFormFile } from './form-file.ts';

async function read(file: ArrayBuffer): Promise<FormDefinition> {
  const result = await importFormFile(file, 'form.xlsx');
  if (!result.ok) throw new Error(result.problems.map(findingText).join('\n'));
  return result.form;
}

const asks = (form: FormDefinition): boolean => JSON.stringify(form.items).includes('"required"');

describe('a form that is exported and imported again is the same form', () => {
  test('as an XLSForm workbook', async () => {
    await fc.assert(
      fc.asyncProperty(anyForm.filter(asks), async form => {
        const blob = await xlsFormFile(form);
        const back = await read(await blob.arrayBuffer());
        expect(back).toEqual(form);
        expect(await read(await (await xlsFormFile(back)).arrayBuffer())).toEqual(back);
      }),
      { numRuns: 60 },
    );
  });

  test('as JSON', async () => {
    await fc.assert(
      fc.asyncProperty(anyForm.filter(asks), async form => {
        expect(await read(new TextEncoder().encode(formJson(form)).buffer)).toEqual(form);
      }),
    );
  });

  test('with "other", which XLSForm makes a question of', async () => {
    const form: FormDefinition = {
      format: 1,
      title: { de: 'Stapler', en: 'Forklift' },
      languages: ['en', 'de'],
      choice_lists: { fuel: [{ name: 'gas', label: { en: 'Gas', de: 'Gas' } }] },
      pass_percent: 80,
      sign: true,
      items: [
        { type: 'select_one', name: 'fuel', list: 'fuel', or_other: true, read_only: true, appearance: 'minimal' },
        { type: 'text', name: 'fuel_other', label: 'Specify other.', relevant: "selected(../fuel, 'other')" },
        { type: 'select_one', name: 'again', list: 'fuel', or_other: true },
        { type: 'pass_fail', name: 'ok', allow_na: false },
      ],
    };
    expect(await read(await (await xlsFormFile(form)).arrayBuffer())).toEqual(form);
  });
});

describe('answers as CSV', () => {
  const draft: FormDefinition = {
    format: 1,
    title: 'Check',
    languages: [],
    choice_lists: {},
    pass_percent: 100,
    sign: false,
    items: [
      { type: 'text', name: 'a' },
      {
        type: 'repeat',
        name: 'r',
        items: [
          { type: 'integer', name: 'n' },
          { type: 'geopoint', name: 'p' },
        ],
      },
      { type: 'photo', name: 'z' },
    ],
  };
  const result = compileForm(draft);
  if (!result.ok) throw new Error('does not compile');
  const given = (value: string | number | null | { lat: number; lon: number }, more = {}) => ({
    value,
    note: null,
    mediaIds: [],
    ...more,
  });

  test('a row each, columns in the order of the form, entries numbered, gone ones left out', () => {
    const csv = answersCsv(result.compiled, [
      {
        facts: { id: '1', score: 87 },
        answers: new Map([
          ['z', given(null, { mediaIds: ['m1', 'm2'] })],
          ['r[k]', given(2)],
          ['r[j]', given(1)],
          ['r[gone]', given(null)],
          ['r[gone].n', given(9)],
          ['r[k].n', given(-5)],
          ['r[j].n', given(4)],
          ['r[j].p', given({ lat: 48.5, lon: 10 })],
          ['a', given('=1+1, "x"', { note: '-dirty' })],
        ]),
      },
      { facts: { id: '2', score: null }, answers: new Map([['a', given('two\nlines')]]) },
    ]);
    expect(csv).toBe(
      [
        'id,score,a,a (note),r[1].n,r[1].p,r[2].n,z (files)',
        `1,87,"'=1+1, ""x""",'-dirty,4,48.5 10 0 0,-5,m1 m2`,
        '2,,"two\nlines",,,,,',
        '',
      ].join('\r\n'),
    );
  });

  test('no inspections make no rows', () => {
    expect(answersCsv(result.compiled, [])).toBe('\r\n');
  });
});
