import { expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import type { Json } from '@cairn/schema';
import type { Answers } from '../answers/answers.ts';
import { compileForm } from '../definition/compiled-form.ts';
import { parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from '../answers/form-state.ts';

const moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };

/** A form with a repeat of so many entries, each with its number, and a text; and one calculation over them, or one in each. */
function worked(calculation: string, entries: number, text = '', inEach = false) {
  const calculate = { type: 'calculate', name: 'c', calculation } as const;
  const parsed = parseFormDefinition({
    format: 1,
    title: 'Check',
    items: [
      { type: 'text', name: 'words' },
      { type: 'repeat', name: 'r', items: [{ type: 'integer', name: 'x' }, ...(inEach ? [calculate] : [])] },
      ...(inEach ? [] : [calculate]),
    ],
  });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const values: [string, Json][] = [['words', text]];
  for (let entry = 1; entry <= entries; entry += 1) values.push([`r[${entry}]`, entry], [`r[${entry}].x`, entry]);
  const answers: Answers = new Map(values.map(([path, value]) => [path, { value, note: null, mediaIds: [] }]));
  return formState(result.compiled, answers, moment);
}

test('the smallest and largest of some hundred thousand values are found', () => {
  const many = Array.from({ length: 300 }, () => '${x}').join(', ');
  expect(stateAt(worked(`min(${many})`, 600), 'c')?.value).toBe(1);
  expect(stateAt(worked(`max(${many})`, 600), 'c')?.value).toBe(600);
});

test('a separator counts as often as it is written', () => {
  const line = '-'.repeat(60_000);
  expect(worked('string-length(join(${words}, ${x}))', 50, line).isHalted).toBe(false);
  expect(worked('string-length(join(${words}, ${x}))', 800, line).isHalted).toBe(true);
});

test('a hash counts as much as it costs, however short its text is', () => {
  // 32 hashes for each of the letters and digits, in every entry.
  const drawn = (entries: number) => worked("join('', if(${x} > 0, uuid(1000), ''), ${x})", entries, '', true);
  expect(drawn(50).isHalted).toBe(false);
  expect(drawn(3000).isHalted).toBe(true);
});
