import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, Row } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { anyEdits, edited } from '@cairn/testing/any-edits.ts';
import { anyForm, goodAnswer, someAnswer } from '@cairn/testing/any-form.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { answerQuestion } from './answer-question.ts';
import { type Answers, answersOf, type GivenAnswer, sameAnswer } from '../forms/answers/answers.ts';
import { type CompiledForm, compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from './finish-inspection.ts';
import { emptyForm } from '../forms/draft/form-draft.ts';
import { type FormDefinition, type FormItem, shapeProblems } from '../forms/definition/form-definition.ts';
import { type FormState, formState, type QuestionState } from '../forms/answers/form-state.ts';
import type { Moment } from '../forms/answers/place-scope.ts';
import { offeredChoices } from '../forms/answers/offered-choices.ts';
import { importForm } from '../forms/draft/import-form.ts';
import { answerId, answerRows } from './inspection-rows.ts';
import { moveToVersion } from './move-to-version.ts';
import { publishForm } from '../forms/draft/publish-form.ts';
import { inspection } from './queries.ts';
import { entryPath } from '../forms/definition/repeat-path.ts';
import { withStaleSignatures } from '../forms/answers/signed-over.ts';
import { startInspection } from './start-inspection.ts';
import { isWorkedOut } from '../forms/answers/worked-out.ts';
import { planVersionMove } from './version-move.ts';

const moment: Moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };
const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [formId, inspectionId, by] = [uuid(1), uuid(2), uuid(3)];
const at = moment.now;
const numbers = fc.array(fc.nat(999), { minLength: 6, maxLength: 30 });

const compiledOf = (form: FormDefinition): CompiledForm | null => {
  const result = shapeProblems(form).length > 0 ? null : compileForm(form);
  return result?.ok ? result.compiled : null;
};
const compiledForm = (items: FormItem[]): CompiledForm => {
  const compiled = compiledOf({ ...emptyForm('Check'), choice_lists: LISTS, items });
  if (!compiled) throw new Error('this form does not compile');
  return compiled;
};
const LISTS = { now: [{ name: 'good' }, { name: 'poor' }], later: [{ name: 'good' }] };
const given = (value: Json, more: Partial<GivenAnswer> = {}): GivenAnswer => ({
  value,
  note: null,
  mediaIds: [],
  ...more,
});

/** Two entries in every repeat, and an answer to about every question, some with a note and a photo. */
function someAnswers(form: CompiledForm, picks: number[]): Answers {
  const answers = new Map<string, GivenAnswer>();
  for (let depth = 0; depth < 4; depth += 1) {
    for (const { places } of formState(form, answers, moment).values.items.values()) {
      for (const { item, path } of places) {
        if (item.kind !== 'group' || item.group.type !== 'repeat') continue;
        for (const key of ['a', 'b']) answers.set(entryPath(path, key), given(1));
      }
    }
  }
  let index = 0;
  for (const { places } of formState(form, answers, moment).values.items.values()) {
    for (const { item, path } of places) {
      const pick = picks[index % picks.length] ?? 0;
      index += 1;
      if (item.kind !== 'question') continue;
      const more = { ...(pick % 4 === 0 && { note: 'seen' }), ...(pick % 3 === 0 && { mediaIds: [`m${index}`] }) };
      answers.set(path, given(someAnswer(item.question.type, pick), more));
    }
  }
  return answers;
}

const isAnswered = ({ value, note, mediaIds }: GivenAnswer): boolean =>
  value !== null || note !== null || mediaIds.length > 0;

describe('a move to another version', () => {
  test('loses no answer without saying so: each part of each is carried or named as lost, once', () => {
    fc.assert(
      fc.property(anyForm, anyEdits, numbers, (form, edits, picks) => {
        const [from, to] = [compiledOf(form), compiledOf(edited(form, edits))];
        if (!from || !to) return;
        const answers = someAnswers(from, picks);
        const { carried, lost } = planVersionMove(from, to, answers);
        for (const [path, answer] of answers) {
          const item = from.byPath.get(path.replaceAll(/\[[^\]]*\]/g, ''));
          const isAsked = item?.kind === 'group' || !['note', 'calculate'].includes(item?.question.type ?? 'note');
          if (!isAnswered(answer) || !isAsked) continue;
          const parts = [...carried, ...lost].filter(each => each.from === path).map(each => each.answer);
          const values = parts.filter(part => part.value !== null).map(part => part.value);
          expect(values).toEqual(answer.value === null ? [] : [answer.value]);
          expect(parts.flatMap(({ note }) => (note === null ? [] : [note]))).toEqual(
            answer.note === null ? [] : [answer.note],
          );
          expect(parts.flatMap(({ mediaIds }) => mediaIds)).toEqual(answer.mediaIds);
        }
        expect(new Set(carried.map(each => each.to)).size).toBe(carried.length);
      }),
      { numRuns: 300 },
    );
  });

  test('to the same questions carries everything as it is', () => {
    fc.assert(
      fc.property(anyForm, numbers, (form, picks) => {
        const compiled = compiledOf(form);
        if (!compiled) return;
        const answers = someAnswers(compiled, picks);
        const { carried, lost, fresh } = planVersionMove(compiled, compiled, answers);
        // Answers that did not fit before do not fit now.
        expect(lost.every(({ why }) => why === 'other_answers')).toBe(true);
        expect(fresh).toEqual([]);
        for (const { from, to } of carried) expect(to).toBe(from);
      }),
    );
  });

  test('carries what moved to another section, says what is gone, of another kind or no longer offered', () => {
    const from = compiledForm([
      { type: 'text', name: 'stays' },
      { type: 'text', name: 'moves' },
      { type: 'text', name: 'goes' },
      { type: 'integer', name: 'changes' },
      { type: 'integer', name: 'widens' },
      { type: 'select_one', name: 'grade', list: 'now' },
    ]);
    const to = compiledForm([
      { type: 'text', name: 'stays' },
      { type: 'group', name: 's', items: [{ type: 'text', name: 'moves' }] },
      { type: 'photo', name: 'changes' },
      { type: 'decimal', name: 'widens' },
      { type: 'select_one', name: 'grade', list: 'later' },
      { type: 'text', name: 'new' },
    ]);
    const answers = new Map([
      ['stays', given('here')],
      ['moves', given('there', { note: 'seen', mediaIds: ['m1'] })],
      ['goes', given('away')],
      ['changes', given(3)],
      ['widens', given(4)],
      ['grade', given('poor', { note: 'worn' })],
    ]);
    const plan = planVersionMove(from, to, answers);
    expect(plan.carried).toEqual([
      { from: 'stays', to: 'stays', answer: given('here') },
      { from: 'moves', to: 's.moves', answer: given('there', { note: 'seen', mediaIds: ['m1'] }) },
      { from: 'widens', to: 'widens', answer: given(4) },
      { from: 'grade', to: 'grade', answer: given(null, { note: 'worn' }) },
    ]);
    expect(plan.lost.map(({ from: path, why, answer }) => [path, why, answer.value])).toEqual([
      ['goes', 'gone', 'away'],
      ['changes', 'other_kind', 3],
      ['grade', 'other_answers', 'poor'],
    ]);
    expect(plan.fresh.map(({ path }) => path)).toEqual(['new']);
  });

  test('takes no answers of counted entries for those of entries that people add', () => {
    const repeat = (count?: string): FormItem => ({
      type: 'repeat',
      name: 'r',
      ...(count !== undefined && { count }),
      items: [{ type: 'text', name: 'q' }],
    });
    const plan = planVersionMove(
      compiledForm([repeat('2')]),
      compiledForm([repeat()]),
      new Map([['r[1].q', given('x')]]),
    );
    expect(plan.lost.map(({ why }) => why)).toEqual(['gone']);
  });
});

async function keep(store: Store, form: FormDefinition, versionId: string): Promise<void> {
  await store.write('test', async tx => {
    const rest = {
      formId,
      versionId,
      organizationId: uuid(9),
      playbookId: null,
      name: 'Check',
      source: 'builder',
      by,
    } as const;
    await importForm(tx, { ...rest, definition: form });
    await publishForm(tx, { formId, versionId });
  });
}

/** Answers of the first version, and both versions compiled; null where the edits made a form that cannot be answered. */
async function begun(form: FormDefinition, newer: FormDefinition, picks: number[]) {
  const [from, to] = [compiledOf(form), compiledOf(newer)];
  if (!from || !to) return null;
  const store = memoryStore();
  await keep(store, form, uuid(10));
  await store.write('test', tx => startInspection(tx, { id: inspectionId, formId, playbookId: null, by, at }));
  const here = { organization_id: uuid(9), site_id: null, inspection_id: inspectionId };
  await store.write('test', async tx => {
    for (const [path, { value, note, mediaIds }] of someAnswers(from, picks)) {
      const row = { ...here, id: answerId(inspectionId, path), question: path, value, note, media_ids: [...mediaIds] };
      await tx.put('inspection_answers', row);
    }
  });
  await keep(store, newer, uuid(11));
  return { store, from, to };
}

const rowsIn = (store: Store): Promise<Row<'inspection_answers'>[]> =>
  store.read({ key: 'rows', tables: ['inspection_answers'], read: tx => answerRows(tx, inspectionId) });

/** An answer that a question of the new version takes. */
function fitting({ item, place, question }: QuestionState, { values }: FormState): Json {
  const offered = offeredChoices(item, place, values).map(({ name }) => name);
  if (question.type === 'select_one') return offered[0] ?? null;
  if (question.type === 'select_multiple') return offered.slice(0, 1);
  if (question.type === 'rank') return offered;
  return question.range ? question.range.start : goodAnswer(question.type);
}

/** What no answer mends: a note that must not be passed, and what is worked out. */
const isFixed = (state: QuestionState): boolean => state.question.type === 'note' || isWorkedOut(state);

/** @returns whether nothing blocks finishing any more */
async function fixAll(store: Store, form: CompiledForm): Promise<boolean> {
  for (let round = 0; round < 300; round += 1) {
    // Whoever changed an answer signs again.
    const state = withStaleSignatures(formState(form, answersOf(await rowsIn(store)), moment));
    const blocked = state.blocking.find(each => !isFixed(each));
    if (!blocked) return state.blocking.length === 0;
    const { path } = blocked;
    await store.write('test', async tx => {
      const answer = { inspectionId, form, question: path, by, at, moment };
      await answerQuestion(tx, { ...answer, value: fitting(blocked, state), note: 'seen' });
      await tx.change('inspection_answers', answerId(inspectionId, path), { media_ids: ['m1'] });
    });
  }
  return false;
}

test('a draft that went on with another version has every carried answer there, and finishes on it', async () => {
  let moved = 0;
  await fc.assert(
    fc.asyncProperty(anyForm, anyEdits, numbers, async (form, edits, picks) => {
      // Without those that take answers out of lists: a filter may then leave a required question nothing to offer.
      const kept = edits.filter(([what = 0]) => what % 11 !== 10);
      const draft = await begun(form, edited(form, kept), picks);
      if (!draft) return;
      const { store, from, to } = draft;
      const plan = await store.write('test', tx =>
        moveToVersion(tx, { inspectionId, from, to, versionId: uuid(11), by, at }),
      );
      const now = answersOf(await rowsIn(store));
      for (const { to: path, answer } of plan.carried) {
        expect(sameAnswer(now.get(path) ?? given(null), answer)).toBe(true);
      }
      if (!(await fixAll(store, to))) return;
      await store.write('test', tx =>
        finishInspection(tx, { id: inspectionId, form: to, signature: null, by, byName: 'Wim', at, moment }),
      );
      expect((await store.read(inspection(inspectionId)))?.inspection).toMatchObject({
        status: 'finalised',
        form_version_id: uuid(11),
      });
      moved += 1;
    }),
    { numRuns: 60 },
  );
  expect(moved).toBeGreaterThan(15);
});

test('what moved stands once, what another kind of question took the place of is cleared, what is gone stays stored', async () => {
  const of = (...items: FormItem[]): FormDefinition => ({ ...emptyForm('Check'), items });
  const moves: FormItem = { type: 'acknowledge', name: 'moves' };
  const before = of(moves, { type: 'acknowledge', name: 'changes' }, { type: 'acknowledge', name: 'goes' });
  const after = of({ type: 'group', name: 's', items: [moves] }, { type: 'photo', name: 'changes' });
  const draft = await begun(before, after, [1, 1, 1, 1, 1, 1]);
  if (!draft) throw new Error('no draft');
  const { store, from, to } = draft;
  await store.write('test', tx => moveToVersion(tx, { inspectionId, from, to, versionId: uuid(11), by, at }));
  const answered = (await rowsIn(store)).map(({ question, value }) => [question, value]);
  expect(Object.fromEntries(answered)).toEqual({ 's.moves': true, moves: null, changes: null, goes: true });
});

test('only a draft moves, and only to the version its form is published in', async () => {
  const form = { ...emptyForm('Check'), items: [{ type: 'text' as const, name: 'q' }] };
  const draft = await begun(form, form, [1, 2, 3, 4, 5, 6]);
  if (!draft) throw new Error('no draft');
  const { store, from, to } = draft;
  const move = (versionId: string) =>
    store.write('test', tx => moveToVersion(tx, { inspectionId, from, to, versionId, by, at }));
  await expect(move(uuid(10))).rejects.toMatchObject({ code: 'stale_version' });
  await store.write('test', tx => tx.change('inspections', inspectionId, { status: 'has_issues' }));
  await expect(move(uuid(11))).rejects.toMatchObject({ code: 'stale_version' });
});
