import { describe, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import type { Answers } from '../answers/answers.ts';
import { type CompiledForm, compileForm } from '../definition/compiled-form.ts';
import { type ItemDraft, parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from '../answers/form-state.ts';
import { valueAt } from '../answers/form-values.ts';
import type { Moment } from '../answers/place-scope.ts';

const moment: Moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

function resultOf(items: ItemDraft[]) {
  const parsed = parseFormDefinition({ format: 1, title: 'Depot', items });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return compileForm(parsed.form);
}

function compiled(items: ItemDraft[]): CompiledForm {
  const result = resultOf(items);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

function problemOf(items: ItemDraft[]): string {
  const result = resultOf(items);
  return result.ok ? '' : result.problems.map(({ message }) => message).join();
}

const given = (values: Record<string, Json>): Answers =>
  new Map(Object.entries(values).map(([path, value]) => [path, { value, note: null, mediaIds: [] }]));
const valuesOf = (form: CompiledForm, values: Record<string, Json>) => formState(form, given(values), moment).values;

describe('indexed-repeat() with repeats in one another', () => {
  const row = (calculation: string): ItemDraft => ({ type: 'calculate', name: 'wanted', calculation });
  const depot = (wanted: ItemDraft, inside: ItemDraft[] = []): ItemDraft[] => [
    {
      type: 'repeat',
      name: 'hall',
      items: [
        ...inside,
        {
          type: 'repeat',
          name: 'rack',
          items: [
            { type: 'integer', name: 'load' },
            { type: 'repeat', name: 'level', items: [{ type: 'text', name: 'mark' }] },
          ],
        },
      ],
    },
    wanted,
  ];
  const answers = {
    'hall[a]': 1,
    'hall[a].rack[c]': 1,
    'hall[a].rack[c].load': 11,
    'hall[b]': 2,
    'hall[b].rack[d]': 1,
    'hall[b].rack[d].load': 21,
    'hall[b].rack[e]': 2,
    'hall[b].rack[e].load': 22,
    'hall[b].rack[e].level[f]': 1,
    'hall[b].rack[e].level[f].mark': 'low',
    'hall[b].rack[e].level[g]': 2,
    'hall[b].rack[e].level[g].mark': 'high',
  };
  const wantedOf = (items: ItemDraft[], at = 'wanted') => valueAt(valuesOf(compiled(items), answers), at)?.value;

  test.each<[string, Json]>([
    ['indexed-repeat(${load}, ${hall}, 2, ${rack}, 2)', 22],
    ['indexed-repeat(${load}, ${hall}, 1, ${rack}, 1)', 11],
    ['indexed-repeat(${load}, ${hall}, 1, ${rack}, 2)', ''],
    ["indexed-repeat(${load}, ${hall}, '2', ${rack}, count-selected('a'))", 21],
    ['indexed-repeat(${mark}, ${hall}, 2, ${rack}, 2, ${level}, 2)', 'high'],
    ['indexed-repeat(${mark}, ${hall}, 2, ${rack}, 1, ${level}, 2)', ''],
    ['indexed-repeat(${load}, ${hall}, 0, ${rack}, 1)', ''],
  ])('%s is %j', (calculation, value) => {
    expect(wantedOf(depot(row(calculation)))).toBe(value);
  });

  test('from inside an entry of the outer one, the inner ones are its own', () => {
    const own = { type: 'calculate', name: 'own', calculation: 'indexed-repeat(${load}, ${rack}, 1)' } as const;
    const form = depot(row('1'), [own]);
    expect([wantedOf(form, 'hall[a].own'), wantedOf(form, 'hall[b].own')]).toEqual([11, 21]);
  });

  test('it follows when an entry before goes', () => {
    const form = compiled(depot(row('indexed-repeat(${load}, ${hall}, 1, ${rack}, 1)')));
    const before = formState(form, given(answers), moment);
    const after = formState(form, given({ ...answers, 'hall[a]': null }), moment, before);
    expect([valueAt(before.values, 'wanted')?.value, valueAt(after.values, 'wanted')?.value]).toEqual([11, 21]);
  });

  test.each([
    ['indexed-repeat(${load}, ${hall}, 2)', '"hall.rack.load" stands in a repeat group inside "hall"'],
    ['indexed-repeat(${load}, ${rack}, 2, ${hall}, 1)', '"hall.rack.load" does not stand in the repeat group "hall"'],
    ['indexed-repeat(${load}, ${hall}, 2, ${level}, 1)', 'does not stand in the repeat group "hall.rack.level"'],
    ['indexed-repeat(${load}, ${hall}, 2, ${rack})', 'takes an answer and, for up to three repeats'],
    ['indexed-repeat(${load})', 'takes an answer and, for up to three repeats'],
  ])('%s is refused: %s', (calculation, reason) => {
    expect(problemOf(depot(row(calculation)))).toContain(reason);
  });
});
