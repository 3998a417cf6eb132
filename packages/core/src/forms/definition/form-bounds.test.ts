import { describe, expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import { checkedForm } from '../../odk/checked-form.ts';
import type { Answers } from '../answers/answers.ts';
import { type CompiledForm, compileForm } from './compiled-form.ts';
import { EvaluationBudget } from '../expression/evaluation-budget.ts';
import { type FormBound, formBoundProblems, jsonbBytes } from './form-bounds.ts';
import { type FormDefinition, formDefinition, type ItemDraft } from './form-definition.ts';
import { outlineOf } from '../draft/form-outline.ts';
import { checkOutline } from '../draft/form-problems.ts';
import { formState } from '../answers/form-state.ts';

const form = (items: ItemDraft[], lists: FormDefinition['choice_lists'] = {}): FormDefinition =>
  formDefinition.parse({ format: 1, title: 'Bounds', items, choice_lists: lists });
const ask = (name: string, more: object = {}): ItemDraft => ({ type: 'text', name, ...more });
const many = (count: number, make: (at: number) => ItemDraft): ItemDraft[] =>
  Array.from({ length: count }, (_, at) => make(at));
const nested = (type: 'group' | 'repeat', levels: number): ItemDraft =>
  levels === 0 ? ask('leaf') : { type, name: `g${levels}`, items: [nested(type, levels - 1)] };
const sections = (count: number, each: number): ItemDraft[] =>
  many(count, at => ({ type: 'group', name: `s${at}`, items: many(each, inner => ask(`q${at}_${inner}`)) }));

const PAST: [FormBound, FormDefinition, RegExp][] = [
  ['form_bytes', form(many(220, at => ask(`q${at}`, { label: 'x'.repeat(19_000) }))), /^$/],
  ['form_items', form(sections(6, 1000)), /^items\[\d+\]/],
  ['form_nesting', form([nested('group', 31)]), /^items\[0\]\.items/],
  ['form_repeat_nesting', form([nested('repeat', 5)]), /^items\[0\]\.items/],
  [
    'form_expression_references',
    form([ask('a'), ask('heavy', { relevant: Array.from({ length: 501 }, () => '${a}').join('+') })]),
    /^items\[1\]\.relevant$/,
  ],
  [
    'form_expressions_characters',
    form([ask('a'), ...many(60, at => ask(`c${at}`, { constraint: `'${'x'.repeat(9000)}' = .` }))]),
    /^items\[\d+\]\.constraint$/,
  ],
  [
    'form_expressions_references',
    form([
      ask('a'),
      ...many(50, at => ask(`c${at}`, { constraint: Array.from({ length: 490 }, () => '${a}').join('+') })),
    ]),
    /^items\[\d+\]\.constraint$/,
  ],
  [
    'form_choices',
    form(
      [ask('a')],
      Object.fromEntries(
        [0, 1, 2].map(list => [`l${list}`, Array.from({ length: 17_000 }, (_, at) => ({ name: `${at}` }))]),
      ),
    ),
    /^$/,
  ],
];

describe('a form past a bound', () => {
  test.each(PAST)('of %s is told by that name and where', (bound, past, at) => {
    const [problem] = formBoundProblems(past);
    expect(problem?.bound).toBe(bound);
    expect(problem?.at).toMatch(at);
    expect(
      checkedForm(past, {
        source: 'json',
        sheet: '',
        notUnderstood: [],
        placed: () => never(),
        formId: null,
        formVersion: null,
      }).ok,
    ).toBe(false);
  });

  test('is not published, and the builder names the question', () => {
    const past = PAST.find(([bound]) => bound === 'form_expression_references')?.[1];
    const { problems, compiled } = checkOutline(outlineOf(past ?? form([])));
    expect(compiled).toBeNull();
    expect(problems).toMatchObject([
      { key: '1', field: 'relevant', code: 'bound', bound: 'form_expression_references' },
    ]);
  });
});

function never(): never {
  throw new Error('no expression of these forms is wrong');
}

test('bytes are counted as the server writes them', () => {
  expect(jsonbBytes({ a: [1, 'x, y: "z"'], ü: null })).toBe(
    new TextEncoder().encode('{"a": [1, "x, y: \\"z\\""], "ü": null}').length,
  );
});

const compiledOf = (definition: FormDefinition): CompiledForm => {
  const result = compileForm(definition);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
};
const MOMENT = { today: '2026-01-01', now: '2026-01-01T00:00:00Z' };
const given = (entries: [string, string | number][]): Answers =>
  new Map(entries.map(([path, value]) => [path, { value, note: null, mediaIds: [] }]));

/** What a form of an older build may ask of a device: each is within what was once taken. */
const HEAVY: [string, FormDefinition][] = [
  [
    'repeats in repeats, a thousand entries each',
    form([
      {
        type: 'repeat',
        name: 'a',
        count: '1000',
        items: [
          {
            type: 'repeat',
            name: 'b',
            count: '1000',
            items: [{ type: 'repeat', name: 'c', count: '1000', items: [ask('q')] }],
          },
        ],
      },
    ]),
  ],
  [
    'a text that is doubled forty times',
    form([
      ask('t0', { default: 'x' }),
      ...many(40, at => ({ type: 'calculate', name: `t${at + 1}`, calculation: `concat(\${t${at}}, \${t${at}})` })),
    ]),
  ],
  [
    'a list looked up in each row of itself',
    form(
      [
        ask('kept'),
        {
          type: 'calculate',
          name: 'found',
          calculation: "count(instance('l')/root/item[count(instance('l')/root/item[name != '']) > 0])",
        },
      ],
      {
        l: Array.from({ length: 5000 }, (_, at) => ({ name: `${at}` })),
      },
    ),
  ],
  [
    'each entry against every other',
    form([
      { type: 'repeat', name: 'r', count: '1000', items: [ask('v', { default: '1' }), ask('w', { default: '2' })] },
      ...many(6, at => ({ type: 'calculate', name: `both${at}`, calculation: '${v} = ${w}' })),
    ]),
  ],
];

describe('a form that takes too much to work out', () => {
  test.each(HEAVY)('%s: it is given up in good time, says so, and keeps what was answered', (_, definition) => {
    const compiled = compiledOf(form([ask('own', { label: 'Own' }), ...definition.items], definition.choice_lists));
    const begun = performance.now();
    const state = formState(compiled, given([['own', 'kept']]), MOMENT);
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(state.isHalted).toBe(true);
    expect(stateAt(state, 'own')?.value).toBe('kept');
    const next = formState(compiled, given([['own', 'changed']]), MOMENT, state);
    expect([next.isHalted, stateAt(next, 'own')?.value]).toEqual([true, 'changed']);
  });

  test('a form of 300 questions in ten entries each is far from it', () => {
    const compiled = compiledOf(
      form([
        {
          type: 'repeat',
          name: 'r',
          count: '10',
          items: many(300, at => ask(`q${at}`, { relevant: at === 0 ? 'true()' : `\${q${at - 1}} = ''` })),
        },
      ]),
    );
    expect(formState(compiled, given([]), MOMENT).isHalted).toBe(false);
  });

  test('what is spent stays spent, and what was worked out before it stays', () => {
    const budget = new EvaluationBudget(10);
    expect(budget.within('otherwise', () => (budget.spend(10), 'worked'))).toBe('worked');
    expect(budget.within('otherwise', () => (budget.spend(1), 'worked'))).toBe('otherwise');
    expect([budget.isSpent, budget.within('otherwise', () => 'worked')]).toEqual([true, 'otherwise']);
  });
});
