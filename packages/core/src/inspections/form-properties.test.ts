import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isShown } from '@cairn/testing/form-places.ts';
import type { Json } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { anyForm, goodAnswer, someAnswer } from '@cairn/testing/any-form.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { addEntry, removeEntry, restoreEntry } from './add-entry.ts';
import { answerQuestion } from './answer-question.ts';
import { type Answers, answersOf, type GivenAnswer } from '../forms/answers/answers.ts';
import { type CompiledForm, compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from './finish-inspection.ts';
import { type FormDefinition, type FormDraft, parseFormDefinition } from '../forms/definition/form-definition.ts';
import { type FormState, formState, type QuestionState } from '../forms/answers/form-state.ts';
import type { Moment } from '../forms/answers/place-scope.ts';
import { importForm } from '../forms/draft/import-form.ts';
import { answerId, answerRows } from './inspection-rows.ts';
import { publishForm } from '../forms/draft/publish-form.ts';
import { inspection } from './queries.ts';
import { entryPath } from '../forms/definition/repeat-path.ts';
import { withStaleSignatures } from '../forms/answers/signed-over.ts';
import { startInspection } from './start-inspection.ts';

const moment: Moment = { today: '2026-11-21', now: '2026-11-21T09:00:00.000Z' };
const picks = fc.array(fc.nat(999), { minLength: 6, maxLength: 40 });

function compiledOf(form: FormDefinition): CompiledForm {
  const result = compileForm(form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

/** Two entries in every repeat, and an answer, fitting or not, to about every question, shown or not. */
function someAnswers(form: CompiledForm, numbers: number[]): Answers {
  const answers = new Map<string, GivenAnswer>();
  const given = (value: Json, mediaIds: string[] = []) => ({ value, note: null, mediaIds });
  // Entries in entries are only places once the outer ones are there.
  for (let depth = 0; depth < 4; depth += 1) {
    for (const { places } of formState(form, answers, moment).values.items.values()) {
      for (const { item, path } of places) {
        if (item.kind !== 'group' || item.group.type !== 'repeat') continue;
        for (const key of ['a', 'b']) answers.set(entryPath(path, key), given(1));
      }
    }
  }
  let at = 0;
  for (const { places } of formState(form, answers, moment).values.items.values()) {
    for (const { item, path } of places) {
      const pick = numbers[at % numbers.length] ?? 0;
      at += 1;
      if (item.kind === 'question') {
        answers.set(path, given(someAnswer(item.question.type, pick), pick % 3 === 0 ? ['m1'] : []));
      }
    }
  }
  return answers;
}

const scoredParts = ({ questions }: FormState) =>
  JSON.stringify(questions.map(({ path, score }) => [path, score.outcome === 'na' ? 'na' : score.max]));

describe('in any form, with any answers', () => {
  test('points stay between none and all, in every section too', () => {
    fc.assert(
      fc.property(anyForm, picks, (form, numbers) => {
        const compiled = compiledOf(form);
        const { score } = formState(compiled, someAnswers(compiled, numbers), moment);
        for (const { points, max, percent } of [score, ...score.sections.values()]) {
          expect(points).toBeGreaterThanOrEqual(0);
          expect(points).toBeLessThanOrEqual(max);
          expect(percent ?? 0).toBe(Math.min(100, Math.max(0, percent ?? 0)));
        }
        expect(score.max).toBeCloseTo(
          [...score.sections.values()].reduce((sum, { max }) => sum + max, 0),
          4,
        );
      }),
    );
  });

  test('mending a failure never lowers the score nor turns a pass into a failure', () => {
    const better: Record<string, number> = { fail: 0, none: 1, pass: 2 };
    fc.assert(
      fc.property(anyForm, picks, (form, numbers) => {
        const compiled = compiledOf(form);
        const answers = someAnswers(compiled, numbers);
        const before = formState(compiled, answers, moment);
        for (const { path, question } of before.failed) {
          const good = { value: goodAnswer(question.type), note: null, mediaIds: [] };
          const after = formState(compiled, new Map(answers).set(path, good), moment, before);
          // What is asked may depend on the answer; then two different forms would be compared.
          if (scoredParts(after) !== scoredParts(before)) continue;
          expect(after.score.points).toBeGreaterThanOrEqual(before.score.points);
          expect(better[after.score.result ?? 'none']).toBeGreaterThanOrEqual(
            better[before.score.result ?? 'none'] ?? 0,
          );
        }
      }),
    );
  });

  test('only what is shown blocks, whatever is required out of sight', () => {
    fc.assert(
      fc.property(anyForm, picks, (form, numbers) => {
        const compiled = compiledOf(form);
        const answers = someAnswers(compiled, numbers);
        const state = formState(compiled, answers, moment);
        for (const { path } of state.blocking) expect(isShown(state.values, path)).toBe(true);
        const hidden = [...state.values.items.values()]
          .flatMap(({ at }) => [...at.values()])
          .filter(({ place, visible }) => !visible && place.item.kind === 'question');
        const emptied = new Map(answers);
        for (const { place } of hidden) emptied.delete(place.path);
        const without = formState(compiled, emptied, moment);
        expect(without.blocking.map(({ path }) => path)).toEqual(state.blocking.map(({ path }) => path));
        expect(without.score).toEqual(state.score);
      }),
    );
  });
});

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [formId, inspectionId, by] = [uuid(1), uuid(2), uuid(3)];
const at = moment.now;

async function keep(store: Store, form: FormDefinition, versionId: string): Promise<void> {
  await store.write('test', async tx => {
    await importForm(tx, {
      formId,
      versionId,
      organizationId: uuid(9),
      playbookId: null,
      name: 'Check',
      definition: form,
      source: 'builder',
      by,
    });
    await publishForm(tx, { formId, versionId });
  });
}

/** What a person does about one question that blocks. */
async function fixAnswers(
  store: Store,
  form: CompiledForm,
  { path, question, problem, value }: QuestionState,
): Promise<void> {
  const kind = problem?.kind;
  const own = kind === 'note_required' || kind === 'photo_required' ? value : goodAnswer(question.type);
  await store.write('test', async tx => {
    const answer = { inspectionId, form, question: path, by, at, moment };
    await answerQuestion(tx, { ...answer, value: own, ...(kind === 'note_required' && { note: 'seen' }) });
    const row = (await answerRows(tx, inspectionId)).find(each => each.question === path);
    if (row && own === null) await tx.change('inspection_answers', row.id, { media_ids: ['m1'] });
    if (row && kind === 'photo_required') await tx.change('inspection_answers', row.id, { media_ids: ['m1'] });
  });
}

test('any draft on any version finishes on that version, whatever is published meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(anyForm, anyForm, picks, async (form, newer, numbers) => {
      const store = memoryStore();
      await keep(store, form, uuid(10));
      await store.write('test', tx => startInspection(tx, { id: inspectionId, formId, playbookId: null, by, at }));
      await keep(store, newer, uuid(11));
      const opened = await store.read(inspection(inspectionId));
      const compiled = compiledOf(opened?.definition ?? newer);
      await store.write('test', async tx => {
        for (const [path, { value, mediaIds }] of someAnswers(compiled, numbers)) {
          await tx.put('inspection_answers', {
            id: answerId(inspectionId, path),
            organization_id: uuid(9),
            site_id: null,
            inspection_id: inspectionId,
            question: path,
            value,
            media_ids: [...mediaIds],
          });
        }
      });
      for (let round = 0; round < 200; round += 1) {
        const rows = (await store.read(inspection(inspectionId)))?.answers ?? [];
        const answers = answersOf(rows);
        // Whoever changed an answer signs again.
        const [blocked] = withStaleSignatures(formState(compiled, answers, moment)).blocking;
        if (!blocked) break;
        await fixAnswers(store, compiled, blocked);
      }
      await store.write('test', tx =>
        finishInspection(tx, { id: inspectionId, form: compiled, signature: null, by, byName: 'Wim', at, moment }),
      );
      const finished = await store.read(inspection(inspectionId));
      expect(finished?.inspection).toMatchObject({ status: 'finalised', form_version_id: uuid(10) });
    }),
    { numRuns: 40 },
  );
});

describe('entries of a repeat', () => {
  const draft: FormDraft = {
    format: 1,
    title: 'Tyres',
    items: [{ type: 'repeat', name: 'tyres', items: [{ type: 'integer', name: 'tread' }] }],
  };

  async function begun(): Promise<{ store: Store; form: CompiledForm }> {
    const parsed = parseFormDefinition(draft);
    if (!parsed.ok) throw new Error('no form');
    const store = memoryStore();
    await keep(store, parsed.form, uuid(10));
    await store.write('test', tx => startInspection(tx, { id: inspectionId, formId, playbookId: null, by, at }));
    return { store, form: compiledOf(parsed.form) };
  }

  test('are added at the end, taken away with their answers, and put back where they stood', async () => {
    const { store, form } = await begun();
    const add = (id: string) =>
      store.write('test', tx => addEntry(tx, { inspectionId, form, repeat: 'tyres', id, by, at }));
    const entries = async () => {
      const rows = (await store.read(inspection(inspectionId)))?.answers ?? [];
      const answers = answersOf(rows);
      return formState(form, answers, moment).repeats[0]?.entries;
    };
    await add('z');
    await add('a');
    await store.write('test', tx =>
      answerQuestion(tx, { inspectionId, form, question: 'tyres[z].tread', value: 7, by, at, moment }),
    );
    expect(await entries()).toEqual(['tyres[z]', 'tyres[a]']);
    const stood = await store.write('test', tx => removeEntry(tx, inspectionId, 'tyres[z]'));
    expect(await entries()).toEqual(['tyres[a]']);
    await store.write('test', tx => restoreEntry(tx, inspectionId, 'tyres[z]', stood));
    expect(await entries()).toEqual(['tyres[z]', 'tyres[a]']);
  });

  test('are refused where there is no repeat, and once the inspection is finished', async () => {
    const { store, form } = await begun();
    const add = (repeat: string) =>
      store.write('test', tx => addEntry(tx, { inspectionId, form, repeat, id: 'a', by, at }));
    await expect(add('tyres[a].tread')).rejects.toMatchObject({ code: 'not_found' });
    await store.write('test', tx =>
      finishInspection(tx, { id: inspectionId, form, signature: null, by, byName: 'Wim', at, moment }),
    );
    await expect(add('tyres')).rejects.toMatchObject({ code: 'stale_version' });
  });
});
