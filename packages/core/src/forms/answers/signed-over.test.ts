import { beforeEach, describe, expect, test } from 'vitest';
import type { Json } from '@cairn/schema';
import type { Store } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { addPhoto } from '../../inspections/add-photo.ts';
import { answerQuestion } from '../../inspections/answer-question.ts';
import { answersOf } from './answers.ts';
import { compileForm } from '../definition/compiled-form.ts';
import { finishInspection } from '../../inspections/finish-inspection.ts';
import { type FormDraft, parseFormDefinition } from '../definition/form-definition.ts';
import { formState } from './form-state.ts';
import { answerRows } from '../../inspections/inspection-rows.ts';
import { removePhoto } from '../../inspections/remove-photo.ts';
import { withStaleSignatures } from './signed-over.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [inspectionId, worker] = [uuid(14), uuid(3)];
const at = '2026-11-21T09:00:00.000Z';
const moment = { today: '2026-11-21', now: at };

const draft: FormDraft = {
  format: 1,
  title: 'Forklift check',
  items: [
    { type: 'pass_fail', name: 'horn', label: 'Horn' },
    { type: 'signature', name: 'driver', label: 'Driver' },
    { type: 'text', name: 'remark', label: 'Remark' },
    { type: 'signature', name: 'witness', label: 'Second person' },
  ],
};

function compiled() {
  const parsed = parseFormDefinition(draft);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}
const form = compiled();
const drawing: Json = {
  width: 300,
  height: 150,
  strokes: [
    [
      [1, 2],
      [3, 4],
    ],
  ],
};
let store: Store;

beforeEach(() => {
  store = memoryStore(
    {
      inspections: [
        {
          id: inspectionId,
          organization_id: uuid(1),
          form_id: uuid(10),
          form_version_id: uuid(11),
          title: 'Check',
          status: 'in_progress',
        },
      ],
    },
    worker,
  );
});

const answer = (question: string, value: Json, note?: string) =>
  store.write('t', tx =>
    answerQuestion(tx, {
      inspectionId,
      form,
      question,
      value,
      ...(note !== undefined && { note }),
      by: worker,
      at,
      moment,
    }),
  );
const stale = () =>
  store.read({
    key: 'stale',
    tables: ['inspection_answers'],
    read: async tx =>
      withStaleSignatures(formState(form, answersOf(await answerRows(tx, inspectionId)), moment)).blocking.map(
        ({ path, problem }) => `${path}: ${problem?.fault}`,
      ),
  });
const finish = () =>
  store.write('t', tx =>
    finishInspection(tx, { id: inspectionId, form, signature: null, by: worker, byName: 'Wim', at, moment }),
  );

describe('a signature in a question', () => {
  test('has to be given again once an answer above it changed, and stands again once that is back', async () => {
    await answer('horn', 'pass');
    await answer('driver', drawing);
    expect(await stale()).toEqual([]);
    await answer('horn', 'fail');
    expect(await stale()).toEqual(['driver: sign_again']);
    await expect(finish()).rejects.toMatchObject({ code: 'invalid' });
    await answer('driver', drawing);
    expect(await stale()).toEqual([]);
    await answer('horn', 'pass');
    expect(await stale()).toEqual(['driver: sign_again']);
    await answer('horn', 'fail');
    expect(await stale()).toEqual([]);
    await expect(finish()).resolves.toMatchObject({ actionIds: [] });
  });

  test('sees a note, a photo and an answer that came new, each by itself', async () => {
    const photo = {
      id: uuid(30),
      bytes: new ArrayBuffer(5),
      mime: 'image/jpeg',
      sha256: 'a'.repeat(64),
      width: 4,
      height: 3,
    };
    await answer('horn', 'pass');
    await answer('driver', drawing);
    await answer('horn', 'pass', 'a bit low');
    expect(await stale()).toEqual(['driver: sign_again']);
    await answer('driver', drawing);
    await store.write('t', tx => addPhoto(tx, { inspectionId, form, question: 'horn', by: worker, at, photo }));
    expect(await stale()).toEqual(['driver: sign_again']);
    await answer('driver', drawing);
    await store.write('t', tx => removePhoto(tx, { inspectionId, question: 'horn', mediaId: uuid(30) }));
    expect(await stale()).toEqual(['driver: sign_again']);
  });

  test('stands for what is above it: what is answered below it afterwards is not signed by it, unless it was there already', async () => {
    await answer('horn', 'pass');
    await answer('driver', drawing);
    await answer('remark', 'clean');
    expect(await stale()).toEqual([]);
    await answer('driver', drawing);
    await answer('remark', 'dirty');
    expect(await stale()).toEqual(['driver: sign_again']);
  });

  test('is not undone by the signature of a second person, whose own stands for the remark too', async () => {
    await answer('horn', 'pass');
    await answer('driver', drawing);
    await answer('witness', drawing);
    expect(await stale()).toEqual([]);
    await answer('remark', 'dirty');
    expect(await stale()).toEqual(['witness: sign_again']);
  });

  test('of an earlier build, which does not say what it was drawn over, is left as it is', async () => {
    await answer('horn', 'pass');
    await answer('driver', drawing);
    await store.write('t', async tx => {
      const row = (await answerRows(tx, inspectionId)).find(each => each.question === 'driver');
      await tx.change('inspection_answers', row?.id ?? '', { value: drawing });
    });
    await answer('horn', 'fail');
    expect(await stale()).toEqual([]);
  });
});
