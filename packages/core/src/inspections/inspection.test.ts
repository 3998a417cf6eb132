import { beforeEach, describe, expect, test } from 'vitest';
import { Failure } from '@cairn/base/failure.ts';
import { endOfDay } from '@cairn/base/end-of-day.ts';
import type { Json, Row } from '@cairn/schema';
import type { Store, WriteTx } from '@cairn/sync/store.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { addPhoto } from './add-photo.ts';
import { answerQuestion } from './answer-question.ts';
import { type CompiledForm, compileForm } from '../forms/definition/compiled-form.ts';
import { canonicalJson, contentHash } from '../forms/answers/content-hash.ts';
import { discardInspection } from './discard-inspection.ts';
import { finishInspection } from './finish-inspection.ts';
import { type FormDraft, parseFormDefinition } from '../forms/definition/form-definition.ts';
import { importForm } from '../forms/draft/import-form.ts';
import { answerId, failedActionId } from './inspection-rows.ts';
import { publishForm } from '../forms/draft/publish-form.ts';
import { formVersions } from '../forms/draft/form-versions.ts';
import { inspection as inspectionQuery } from './queries.ts';
import { removePhoto } from './remove-photo.ts';
import { startInspection } from './start-inspection.ts';
import { startScheduledInspection } from './start-scheduled-inspection.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const organizationId = uuid(1);
const worker = uuid(3);
const [formId, versionId, assetId, siteId, inspectionId] = [uuid(10), uuid(11), uuid(12), uuid(13), uuid(14)];
const at = '2026-11-21T09:00:00.000Z';
const moment = { today: '2026-11-21', now: at };

const draft: FormDraft = {
  format: 1,
  title: 'Forklift check',
  pass_percent: 80,
  sign: true,
  items: [
    {
      type: 'group',
      name: 'brakes',
      items: [
        {
          type: 'pass_fail',
          name: 'parking',
          label: 'Parking brake',
          required: true,
          scoring: { weight: 2 },
          on_fail: { photo: 'required', priority: 'high', due_in_days: 2 },
        },
        { type: 'text', name: 'why', relevant: "${parking} = 'fail'" },
        { type: 'pass_fail', name: 'slips', relevant: "${parking} = 'fail'" },
      ],
    },
    { type: 'pass_fail', name: 'horn', required: true, scoring: { weight: 13 } },
    { type: 'decimal', name: 'tread', scoring: { weight: 0, fail_when: ". < 1.6 and ${horn} = 'pass'" } },
    { type: 'text', name: 'shift', default: 'day' },
    { type: 'calculate', name: 'sum', calculation: '1 + 1' },
  ],
};

function compiled(): CompiledForm {
  const parsed = parseFormDefinition(draft);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const result = compileForm(parsed.form);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.compiled;
}

const form = compiled();
const signature = {
  drawing: {
    width: 300,
    height: 150,
    strokes: [
      [
        [1, 2],
        [3, 4],
      ],
    ],
  },
  name: 'Wim Werker',
};
let store: Store;

const write = <A>(change: (tx: WriteTx) => Promise<A>) => store.write('test', change);
const rows = <T extends 'inspections' | 'inspection_answers' | 'action_items' | 'media' | 'forms'>(
  table: T,
): Promise<Row<T>[]> => store.read({ key: table, tables: [table], read: tx => tx.all(table) });
const answer = (question: string, value: Json, note?: string) =>
  write(tx =>
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
const photo = (id: string, question: string) =>
  write(tx =>
    addPhoto(tx, {
      inspectionId,
      form,
      question,
      by: worker,
      at,
      photo: { id, bytes: new ArrayBuffer(5), mime: 'image/jpeg', sha256: 'a'.repeat(64), width: 4, height: 3 },
    }),
  );
const finish = (signed: typeof signature | null = signature) =>
  write(tx =>
    finishInspection(tx, { id: inspectionId, form, signature: signed, by: worker, byName: 'Wim', at, moment }),
  );
const start = () =>
  write(tx => startInspection(tx, { id: inspectionId, formId, playbookId: null, assetId, by: worker, at }));

const answerAll = async () => {
  await answer('brakes.parking', 'fail', 'slips on the ramp');
  await photo(uuid(30), 'brakes.parking');
  await answer('horn', 'pass');
};

const hashOf = async (answers: [string, Json][]) => {
  await write(async tx => {
    for (const { id } of await tx.all('inspection_answers')) await tx.remove('inspection_answers', id);
    await tx.change('inspections', inspectionId, { status: 'in_progress' });
  });
  for (const [question, value] of answers) await answer(question, value);
  await finish();
  return (await rows('inspections'))[0]?.content_hash;
};

beforeEach(async () => {
  store = memoryStore(
    { assets: [{ id: assetId, organization_id: organizationId, name: 'Forklift 3', site_id: siteId }] },
    worker,
  );
  await write(async tx => {
    await importForm(tx, {
      formId,
      versionId,
      organizationId,
      playbookId: null,
      name: 'Forklift check',
      definition: form.form,
      source: 'builder',
      by: worker,
    });
    await publishForm(tx, { formId, versionId });
  });
});

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error.code;
  throw new Error(`expected a Failure, got ${String(error)}`);
}

describe('starting', () => {
  test('it keeps the version it is on, and takes its site from the asset', async () => {
    await start();
    expect(await rows('inspections')).toMatchObject([
      {
        id: inspectionId,
        form_version_id: versionId,
        site_id: siteId,
        title: 'Forklift check – Forklift 3',
        status: 'in_progress',
        conducted_by: worker,
        started_at: at,
      },
    ]);
  });

  test('a form that is not published cannot be started', async () => {
    const definition = form.form;
    await write(tx =>
      importForm(tx, {
        formId: uuid(20),
        versionId: uuid(21),
        organizationId,
        playbookId: null,
        name: 'Draft',
        definition,
        source: 'builder',
        by: worker,
      }),
    );
    const begun = write(tx =>
      startInspection(tx, { id: inspectionId, formId: uuid(20), playbookId: null, by: worker, at }),
    );
    expect(await refusal(begun)).toBe('invalid');
  });

  test('a scheduled one starts once; somebody else comes too late', async () => {
    const begin = (by: string) => write(tx => startScheduledInspection(tx, { id: inspectionId, by, at }));
    await write(tx =>
      tx.put('inspections', {
        id: inspectionId,
        organization_id: organizationId,
        form_id: formId,
        form_version_id: versionId,
        title: 'Check',
        status: 'scheduled',
        due_at: at,
      }),
    );
    await begin(worker);
    await begin(worker);
    expect(await rows('inspections')).toMatchObject([{ status: 'in_progress', conducted_by: worker }]);
    expect(await refusal(begin(uuid(4)))).toBe('stale_version');
  });
});

describe('answering', () => {
  beforeEach(start);

  test('the same question on two devices is one row', async () => {
    await answer('horn', 'fail');
    await answer('horn', 'pass');
    const [row, ...others] = await rows('inspection_answers');
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      id: answerId(inspectionId, 'horn'),
      site_id: siteId,
      value: 'pass',
      outcome: 'pass',
      score: 13,
      score_max: 13,
      answered_by: worker,
    });
  });

  test('a note and a value do not overwrite each other', async () => {
    await answer('brakes.parking', 'fail', 'slips');
    await write(tx =>
      answerQuestion(tx, { inspectionId, form, question: 'brakes.parking', value: 'pass', by: worker, at, moment }),
    );
    expect(await rows('inspection_answers')).toMatchObject([{ value: 'pass', note: 'slips' }]);
  });

  test('a rule may name other answers', async () => {
    await answer('horn', 'pass');
    await answer('tread', 1.5);
    expect((await rows('inspection_answers')).find(row => row.question === 'tread')?.outcome).toBe('fail');
  });

  test('a question that is not in the form is refused', async () => {
    expect(await refusal(answer('wings', 'pass'))).toBe('not_found');
    expect(await refusal(answer('brakes', 'pass'))).toBe('not_found');
  });

  test('photos come and go with their answer, and their bytes are kept', async () => {
    await answer('brakes.parking', 'fail', 'slips');
    await photo(uuid(30), 'brakes.parking');
    await photo(uuid(31), 'brakes.parking');
    await photo(uuid(31), 'brakes.parking');
    expect(await rows('inspection_answers')).toMatchObject([
      { value: 'fail', note: 'slips', media_ids: [uuid(30), uuid(31)] },
    ]);
    expect((await store.read({ key: 'b', tables: ['media'], read: tx => tx.bytes(uuid(30)) }))?.byteLength).toBe(5);
    await write(tx => removePhoto(tx, { inspectionId, question: 'brakes.parking', mediaId: uuid(30) }));
    await write(tx => removePhoto(tx, { inspectionId, question: 'brakes.parking', mediaId: uuid(30) }));
    expect(await rows('inspection_answers')).toMatchObject([{ media_ids: [uuid(31)] }]);
    expect(await rows('media')).toMatchObject([
      { id: uuid(31), inspection_id: inspectionId, question: 'brakes.parking', bytes: 5 },
    ]);
  });
});

describe('finishing', () => {
  beforeEach(start);

  test('one failed item of twelve is 87 %, signed, with one action item that carries its photo', async () => {
    await answerAll();
    const { score, actionIds } = await finish();
    expect(score).toMatchObject({ points: 13, max: 15, percent: 87, result: 'pass' });
    expect(actionIds).toEqual([failedActionId(inspectionId, 'brakes.parking')]);
    expect(await rows('inspections')).toMatchObject([
      {
        status: 'finalised',
        finished_at: at,
        score: 13,
        score_max: 15,
        result: 'pass',
        signature: signature.drawing,
        signed_by: 'Wim Werker',
        signed_at: at,
        content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(await rows('action_items')).toMatchObject([
      {
        title: 'Parking brake',
        description: 'slips on the ramp',
        status: 'open',
        priority: 'high',
        due_at: endOfDay('2026-11-23'),
        source_type: 'inspection',
        source_id: inspectionId,
        source_question: 'brakes.parking',
        asset_id: assetId,
        site_id: siteId,
        media_ids: [uuid(30)],
      },
    ]);
  });

  test('defaults and calculations are kept as answers', async () => {
    await answerAll();
    await finish();
    const values = (await rows('inspection_answers')).map(row => [row.question, row.value]);
    expect(Object.fromEntries(values)).toEqual({ 'brakes.parking': 'fail', horn: 'pass', shift: 'day', sum: 2 });
  });

  test('what was answered and then hidden counts for nothing', async () => {
    await answer('brakes.parking', 'fail');
    await answer('brakes.why', 'slips');
    await answer('brakes.slips', 'fail');
    await answer('brakes.parking', 'pass');
    await answer('horn', 'pass');
    await finish();
    expect((await rows('inspection_answers')).find(row => row.question === 'brakes.why')).toMatchObject({
      value: 'slips',
      outcome: null,
    });
    expect((await rows('inspection_answers')).find(row => row.question === 'brakes.slips')).toMatchObject({
      value: 'fail',
      outcome: null,
      score: null,
      score_max: null,
    });
    expect(await rows('action_items')).toEqual([]);
  });

  test('it is refused while a question is open, a photo is missing, or nobody signed, and nothing changes', async () => {
    expect(await refusal(finish())).toBe('invalid');
    await answer('brakes.parking', 'fail');
    await answer('horn', 'pass');
    expect(await refusal(finish())).toBe('invalid');
    await photo(uuid(30), 'brakes.parking');
    expect(await refusal(finish(null))).toBe('invalid');
    expect(await rows('inspections')).toMatchObject([{ status: 'in_progress', content_hash: null }]);
    expect(await rows('action_items')).toEqual([]);
  });

  test('finished is finished: a second finish, an answer, a photo, a discard are refused', async () => {
    await answerAll();
    await finish();
    expect(await refusal(finish())).toBe('stale_version');
    expect(await refusal(answer('horn', 'fail'))).toBe('stale_version');
    expect(await refusal(photo(uuid(33), 'horn'))).toBe('stale_version');
    expect(await refusal(write(tx => discardInspection(tx, inspectionId)))).toBe('stale_version');
  });

  test('the hash is the same for the same answers in another order, and another for another answer', async () => {
    const first = await hashOf([
      ['horn', 'pass'],
      ['brakes.parking', 'pass'],
    ]);
    expect(
      await hashOf([
        ['brakes.parking', 'pass'],
        ['horn', 'pass'],
      ]),
    ).toBe(first);
    expect(
      await hashOf([
        ['brakes.parking', 'pass'],
        ['horn', 'na'],
      ]),
    ).not.toBe(first);
  });
});

test('the hash is another for another version of the form', () => {
  expect(contentHash(uuid(1), [])).not.toBe(contentHash(uuid(2), []));
});

test('canonical JSON sorts keys at every depth', () => {
  expect(canonicalJson({ b: [{ d: 1, c: null }], a: 'é"' })).toBe('{"a":"é\\"","b":[{"c":null,"d":1}]}');
});

describe('discarding', () => {
  beforeEach(start);

  test('a draft goes with its answers and photos', async () => {
    await answer('horn', 'pass');
    await photo(uuid(30), 'horn');
    await write(tx => discardInspection(tx, inspectionId));
    expect([await rows('inspections'), await rows('inspection_answers'), await rows('media')]).toEqual([[], [], []]);
  });

  test('one that was scheduled stays to be done', async () => {
    await write(tx => tx.change('inspections', inspectionId, { due_at: at }));
    await answer('horn', 'pass');
    await write(tx => discardInspection(tx, inspectionId));
    expect(await rows('inspections')).toMatchObject([{ status: 'scheduled', started_at: null, conducted_by: null }]);
    expect(await rows('inspection_answers')).toEqual([]);
  });
});

describe('forms', () => {
  test('a second version is a draft until it is published, and running drafts stay on theirs', async () => {
    await start();
    await write(tx =>
      importForm(tx, {
        formId,
        versionId: uuid(41),
        organizationId,
        playbookId: null,
        name: 'Forklift check',
        definition: form.form,
        source: 'xlsform',
        by: worker,
      }),
    );
    const versions = await store.write('versions', tx => formVersions(tx, formId));
    expect(versions.map(({ number }) => number)).toEqual([1, 2]);
    expect(await rows('forms')).toMatchObject([{ current_version_id: versionId }]);
    await write(tx => publishForm(tx, { formId, versionId: uuid(41) }));
    expect(await rows('forms')).toMatchObject([{ current_version_id: uuid(41) }]);
    expect(await rows('inspections')).toMatchObject([{ form_version_id: versionId }]);
  });

  test("another organisation's form is not touched, and a version of another form is not published", async () => {
    const foreign = write(tx =>
      importForm(tx, {
        formId,
        versionId: uuid(42),
        organizationId: uuid(2),
        playbookId: null,
        name: 'X',
        definition: form.form,
        source: 'builder',
        by: worker,
      }),
    );
    expect(await refusal(foreign)).toBe('not_allowed');
    expect(await refusal(write(tx => publishForm(tx, { formId, versionId: uuid(99) })))).toBe('not_found');
  });
});

describe('reading', () => {
  test('one inspection comes with its form, answers, photos, asset and actions', async () => {
    await start();
    await answer('brakes.parking', 'fail', 'slips');
    await photo(uuid(30), 'brakes.parking');
    await answer('horn', 'pass');
    await finish();
    const opened = await store.read(inspectionQuery(inspectionId));
    expect(opened?.definition).toEqual(form.form);
    expect([opened?.answers.length, opened?.media.length, opened?.actions.length]).toEqual([4, 1, 1]);
    expect([opened?.asset?.name, opened?.form?.name]).toEqual(['Forklift 3', 'Forklift check']);
    expect(await store.read(inspectionQuery(uuid(99)))).toBeNull();
  });
});
