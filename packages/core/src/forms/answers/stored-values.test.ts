import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stateAt } from '@cairn/testing/form-places.ts';
import type { Json, Row } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { answerQuestion } from '../../inspections/answer-question.ts';
import { answersOf } from './answers.ts';
import { addEntry } from '../../inspections/add-entry.ts';
import { type CompiledForm, compileForm } from '../definition/compiled-form.ts';
import { formState } from './form-state.ts';
import { type FormDraft, type ItemDraft, parseFormDefinition } from '../definition/form-definition.ts';
import type { Moment } from './place-scope.ts';
import { answerRows } from '../../inspections/inspection-rows.ts';
import { keepFirstValues } from '../../inspections/keep-values.ts';
import { firstValues } from './stored-values.ts';

const inspectionId = '00000000-0000-4000-8000-000000000001';
const by = '00000000-0000-4000-8000-000000000002';
const organizationId = '00000000-0000-4000-8000-000000000003';

function compiled(items: ItemDraft[]): CompiledForm {
  const parsed = parseFormDefinition({ format: 1, title: 'T', items } satisfies FormDraft);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

const at = (minute: number): Moment => ({
  today: '2026-11-28',
  now: `2026-11-28T10:${String(minute).padStart(2, '0')}:00.000+01:00`,
  chance: inspectionId,
});

/** A draft on a device: each answer and each look happens a minute later, and nothing but the store is kept between them. */
async function draftOf(form: CompiledForm) {
  const store = memoryStore();
  await store.write('begin', tx =>
    tx.put('inspections', {
      id: inspectionId,
      organization_id: organizationId,
      form_id: inspectionId,
      form_version_id: inspectionId,
      title: 'Check',
      status: 'in_progress',
      started_at: '2026-11-28T09:00:00.000Z',
    }),
  );
  let minute = 0;
  const next = () => ({ by, at: '2026-11-28T09:00:00.000Z', moment: at((minute += 1)) });
  const rows = (): Promise<Row<'inspection_answers'>[]> =>
    store.read({ key: 'rows', tables: ['inspection_answers'], read: tx => answerRows(tx, inspectionId) });
  /** What a screen shows that was just opened. */
  const look = async () => {
    const when = next();
    const shown = formState(form, answersOf(await rows()), when.moment);
    if (firstValues(shown.values).size > 0)
      await store.write('keep', tx => keepFirstValues(tx, { inspectionId, form, ...when }));
    return formState(form, answersOf(await rows()), at((minute += 1)));
  };
  return {
    look,
    value: async (path: string) => stateAt(await look(), path)?.value ?? null,
    answer: (question: string, value: Json) =>
      store.write('answer', tx => answerQuestion(tx, { inspectionId, form, question, value, ...next() })),
    add: (repeat: string, id: string) =>
      store.write('add', tx => addEntry(tx, { inspectionId, form, repeat, id, by, at: '2026-11-28T09:00:00.000Z' })),
  };
}

describe('once()', () => {
  test('keeps its first value over answers, minutes and reopening', async () => {
    const draft = await draftOf(
      compiled([
        { type: 'text', name: 'q' },
        { type: 'calculate', name: 'arrived', calculation: "once(format-date-time(now(), '%H:%M:%S'))" },
      ]),
    );
    const first = await draft.value('arrived');
    expect(first).toMatch(/^10:\d\d:00$/);
    await draft.answer('q', 'x');
    await draft.answer('q', 'y');
    expect(await draft.value('arrived')).toBe(first);
  });

  test('what reads answers is worked out once for each change, and what it is within sees what was kept', async () => {
    const draft = await draftOf(
      compiled([
        { type: 'text', name: 'on' },
        { type: 'calculate', name: 'since', calculation: "if(${on} = 'yes', once(format-date-time(now(), '%M')), '')" },
      ]),
    );
    expect(await draft.value('since')).toBeNull();
    await draft.answer('on', 'yes');
    const since = await draft.value('since');
    expect(since).toMatch(/^\d\d$/);
    expect(await draft.value('since')).toBe(since);
    await draft.answer('on', 'no');
    expect(await draft.value('since')).toBeNull();
    await draft.answer('on', 'yes');
    expect(await draft.value('since')).not.toBe(since);
  });

  test('inside a longer formula it is not worked out again from what was kept', async () => {
    const draft = await draftOf(
      compiled([
        { type: 'text', name: 'q' },
        { type: 'calculate', name: 'tag', calculation: "concat('A-', once(${q}))" },
      ]),
    );
    await draft.answer('q', 'x');
    const tag = await draft.value('tag');
    expect([tag, await draft.value('tag')]).toEqual(['A-x', 'A-x']);
  });

  test('uuid() and random() are drawn once, each question and each draw for itself', async () => {
    const draft = await draftOf(
      compiled([
        { type: 'text', name: 'q' },
        { type: 'calculate', name: 'a', calculation: 'once(uuid())' },
        { type: 'calculate', name: 'b', calculation: 'uuid()' },
        { type: 'calculate', name: 'c', calculation: "concat(random(), ' ', random())" },
      ]),
    );
    const drawn = async () => Promise.all(['a', 'b', 'c'].map(name => draft.value(name)));
    const first = await drawn();
    expect(new Set([first[0], first[1], ...(JSON.parse(JSON.stringify(first[2])) as string).split(' ')]).size).toBe(4);
    await draft.answer('q', 'x');
    expect(await drawn()).toEqual(first);
  });
});

describe('a trigger', () => {
  test('sets when its question changes, and only then', async () => {
    const draft = await draftOf(
      compiled([
        { type: 'text', name: 'q' },
        { type: 'text', name: 'other' },
        { type: 'calculate', name: 't', calculation: 'now()', trigger: '${q}' },
        { type: 'text', name: 'note', trigger: '${q}' },
      ]),
    );
    expect(await draft.value('t')).toBeNull();
    await draft.answer('other', 'x');
    expect(await draft.value('t')).toBeNull();
    await draft.answer('note', 'mine');
    await draft.answer('q', 'a');
    const set = await draft.value('t');
    expect(set).toMatch(/^2026-11-28T10:\d\d:00\.000\+01:00$/);
    expect(await draft.value('note')).toBeNull();
    await draft.answer('q', 'a');
    await draft.answer('other', 'y');
    expect(await draft.value('t')).toBe(set);
    await draft.answer('q', 'b');
    expect(await draft.value('t')).not.toBe(set);
  });

  test('can count, sets the next one, and stays in its own entry', async () => {
    const draft = await draftOf(
      compiled([
        {
          type: 'repeat',
          name: 'r',
          items: [
            { type: 'text', name: 'q' },
            { type: 'calculate', name: 'n', calculation: 'coalesce(${n}, 0) + 1', trigger: '${q}' },
          ],
        },
      ]),
    );
    await draft.add('r', 'x');
    await draft.add('r', 'y');
    await draft.answer('r[x].q', 'a');
    await draft.answer('r[x].q', 'b');
    expect([await draft.value('r[x].n'), await draft.value('r[y].n')]).toEqual([2, null]);
  });
});

test('an entry begins with what the one before it had then, and keeps it', async () => {
  const draft = await draftOf(
    compiled([
      {
        type: 'repeat',
        name: 'stop',
        items: [
          {
            type: 'text',
            name: 'driver',
            default_expression: '${stop}[position() = position(current()/..) - 1]/driver',
          },
        ],
      },
    ]),
  );
  await draft.add('stop', 'a');
  expect(await draft.value('stop[a].driver')).toBeNull();
  await draft.answer('stop[a].driver', 'Ann');
  await draft.look();
  await draft.add('stop', 'b');
  expect(await draft.value('stop[b].driver')).toBe('Ann');
  await draft.answer('stop[a].driver', 'Bo');
  expect(await draft.value('stop[b].driver')).toBe('Ann');
});

test('a repeat that goes on until an answer says stop', () => {
  const form = compiled([
    {
      type: 'calculate',
      name: 'n',
      calculation:
        "if(count(${leak}) = 0, 1, if(indexed-repeat(${more}, ${leak}, count(${leak})) = 'yes', count(${leak}) + 1, count(${leak})))",
    },
    { type: 'repeat', name: 'leak', count: '${n}', items: [{ type: 'text', name: 'more' }] },
  ]);
  const entries = (...more: string[]) =>
    formState(
      form,
      new Map(more.map((value, index) => [`leak[${index + 1}].more`, { value, note: null, mediaIds: [] }])),
      at(0),
    ).repeats[0]?.entries.length;
  expect([entries(), entries('no'), entries('yes'), entries('yes', 'yes', 'no')]).toEqual([1, 1, 2, 3]);
});

test('a required note blocks, and a shown calculation must keep to its constraint', () => {
  const form = compiled([
    { type: 'integer', name: 't' },
    { type: 'note', name: 'stop', label: 'Too hot', required: true, relevant: '${t} > 60' },
    { type: 'integer', name: 'twice', label: 'Twice', constraint: '. < 100', calculation: '${t} * 2' },
  ]);
  const blocked = (t: number) =>
    formState(form, new Map([['t', { value: t, note: null, mediaIds: [] }]]), at(0)).blocking.map(({ path }) => path);
  expect(blocked(40)).toEqual([]);
  expect(blocked(70)).toEqual(['stop', 'twice']);
});

/** What ODK does: each value is worked out when something it hangs on changes, and stands until then. */
class Oracle {
  private readonly values = new Map<string, string>();
  private minute = 0;

  set(name: 'a' | 'b', value: string, minute: number): void {
    this.minute = minute;
    if ((this.values.get(name) ?? '') === value) return;
    this.values.set(name, value);
    if (name === 'a') this.values.set('stamp', String(minute));
    const on = this.of('a') === 'yes';
    if (name === 'a') this.values.set('since', on ? this.of('since') || String(this.minute) : '');
  }

  of = (name: string): string => this.values.get(name) ?? '';
}

test('values are worked out once per change, whatever is answered in which order', async () => {
  const form = compiled([
    { type: 'text', name: 'a' },
    { type: 'text', name: 'b' },
    { type: 'calculate', name: 'stamp', calculation: "number(format-date-time(now(), '%M'))", trigger: '${a}' },
    {
      type: 'calculate',
      name: 'since',
      calculation: "if(${a} = 'yes', once(number(format-date-time(now(), '%M'))), '')",
    },
  ]);
  const step = fc.record({
    name: fc.constantFrom('a' as const, 'b' as const),
    value: fc.constantFrom('yes', 'no', ''),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async steps => {
      const store = memoryStore();
      await store.write('begin', tx =>
        tx.put('inspections', {
          id: inspectionId,
          organization_id: organizationId,
          form_id: inspectionId,
          form_version_id: inspectionId,
          title: 'Check',
          status: 'in_progress',
          started_at: '2026-11-28T09:00:00.000Z',
        }),
      );
      const oracle = new Oracle();
      for (const [index, { name, value }] of steps.entries()) {
        const answer = { inspectionId, form, question: name, value: value || null, by, at: '2026-11-28T09:00:00.000Z' };
        await store.write('answer', tx => answerQuestion(tx, { ...answer, moment: at(index + 1) }));
        oracle.set(name, value, index + 1);
        const rows = await store.read({
          key: 'rows',
          tables: ['inspection_answers'],
          read: tx => answerRows(tx, inspectionId),
        });
        const shown = formState(form, answersOf(rows), at(50));
        for (const each of ['stamp', 'since']) {
          const value = (stateAt(shown, each)?.value ?? '') as string | number;
          expect(`${index} ${each} ${value}`).toBe(`${index} ${each} ${oracle.of(each)}`);
        }
      }
    }),
    { numRuns: 60 },
  );
});
