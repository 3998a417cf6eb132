import { createHash } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import type { Row, TableName } from '@cairn/schema';
import type { Store, WriteTx } from '@cairn/sync/store.ts';
import { memoryStore, type MemoryRows } from '@cairn/testing/memory-store.ts';
import { addPhoto, type Photo } from './add-photo.ts';
import { answerQuestion } from './answer-question.ts';
import { answersOf } from '../forms/answers/answers.ts';
import { type CompiledForm, compileForm } from '../forms/definition/compiled-form.ts';
import { finishInspection } from './finish-inspection.ts';
import { type FormDraft, parseFormDefinition } from '../forms/definition/form-definition.ts';
import { formState } from '../forms/answers/form-state.ts';
import { mustLeaveDecision } from './other-reviewers.ts';
import { removePhoto } from './remove-photo.ts';
import { startScheduledInspection } from './start-scheduled-inspection.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, site, worker, manager] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const [inspectionId, photoId, copyId, soundId] = [uuid(14), uuid(20), uuid(21), uuid(22)];
const at = '2026-11-21T09:00:00.000Z';
const moment = { today: '2026-11-21', now: at };

const draft: FormDraft = {
  format: 1,
  title: 'Check',
  items: [
    { type: 'pass_fail', name: 'brake', label: 'Brake', required: true, on_fail: { photo: 'required' } },
    { type: 'photo', name: 'plate', label: 'Plate' },
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
let store: Store;
const inspection = (more: Partial<Row<'inspections'>> = {}) => ({
  id: inspectionId,
  organization_id: organization,
  site_id: site,
  form_id: uuid(10),
  form_version_id: uuid(11),
  title: 'Check',
  status: 'in_progress' as const,
  conducted_by: worker,
  ...more,
});
const open = (rows: MemoryRows) => (store = memoryStore(rows, worker));
const write = <A>(change: (tx: WriteTx) => Promise<A>) => store.write('test', change);
const rows = <T extends TableName>(table: T): Promise<Row<T>[]> =>
  store.read({ key: table, tables: [table], read: tx => tx.all(table) });
const add = (question: string, photo: Partial<Photo> & { id: string }) =>
  write(tx =>
    addPhoto(tx, {
      inspectionId,
      form,
      question,
      by: worker,
      at,
      photo: { bytes: new ArrayBuffer(5), mime: 'image/jpeg', sha256: 'a'.repeat(64), width: 4, height: 3, ...photo },
    }),
  );
const answer = (question: string, value: string) =>
  write(tx => answerQuestion(tx, { inspectionId, form, question, value, by: worker, at, moment }));
const state = async () => formState(form, answersOf(await rows('inspection_answers')), moment);

beforeEach(() => open({ inspections: [inspection()] }));

test('a drawn copy stands beside its photo and names it; the photo stays as it was', async () => {
  await add('plate', { id: photoId });
  await add('plate', { id: copyId, drawnOn: photoId, bytes: new ArrayBuffer(9), sha256: 'b'.repeat(64) });
  expect(await rows('media')).toMatchObject([
    { id: photoId, drawn_on: null, bytes: 5, sha256: 'a'.repeat(64) },
    { id: copyId, drawn_on: photoId, bytes: 9 },
  ]);
  // Kept twice (the device died in between): still one copy.
  await add('plate', { id: copyId, drawnOn: photoId, bytes: new ArrayBuffer(9), sha256: 'b'.repeat(64) });
  expect((await state()).questions[1]?.mediaIds).toEqual([photoId, copyId]);
});

test('a voice note stands for no photo that is asked for, outlives other answers, and goes with the action', async () => {
  await answer('brake', 'fail');
  const note = { id: soundId, mime: 'audio/webm', durationMs: 4200, isVoiceNote: true };
  await add('brake', note);
  await add('plate', { ...note, id: uuid(23) });
  const before = await state();
  expect(before.questions.map(({ voiceIds, mediaIds }) => [voiceIds, mediaIds])).toEqual([
    [[soundId], []],
    [[uuid(23)], []],
  ]);
  expect(before.questions[1]?.answered).toBe(false);
  expect(before.blocking.map(({ problem }) => problem?.kind)).toEqual(['photo_required']);
  await write(tx => removePhoto(tx, { inspectionId, question: 'plate', mediaId: uuid(23) }));
  await add('brake', { id: photoId });
  await answer('brake', 'fail');
  await write(tx =>
    finishInspection(tx, { id: inspectionId, form, signature: null, by: worker, byName: 'W', at, moment }),
  );
  expect((await rows('action_items'))[0]?.media_ids).toEqual([photoId, soundId]);
  expect(await rows('media')).toMatchObject([
    { id: soundId, kind: 'file', duration_ms: 4200 },
    { id: photoId, kind: 'photo' },
  ]);
});

test('what was signed changes with a voice note, and without one keeps the hash it had before there were any', async () => {
  const finish = () =>
    write(tx => finishInspection(tx, { id: inspectionId, form, signature: null, by: worker, byName: 'W', at, moment }));
  await answer('brake', 'pass');
  await finish();
  const [plain] = await rows('inspections');
  const before = `{"answers":{"brake":{"media":[],"note":null,"value":"pass"}},"form_version_id":"${uuid(11)}"}`;
  expect(plain?.content_hash).toBe(createHash('sha256').update(before).digest('hex'));
  open({ inspections: [inspection()] });
  await answer('brake', 'pass');
  await add('brake', { id: soundId, mime: 'audio/webm', isVoiceNote: true });
  await finish();
  expect((await rows('inspections'))[0]?.content_hash).not.toBe(plain?.content_hash);
});

test('nothing planned is begun before it opens, whatever way its time is written', async () => {
  const start = (now: string) => write(tx => startScheduledInspection(tx, { id: inspectionId, by: worker, at: now }));
  open({
    inspections: [inspection({ status: 'scheduled', conducted_by: null, opens_at: '2026-11-21T09:00:00.000500Z' })],
  });
  await expect(start('2026-11-21T08:59:59.999Z')).rejects.toMatchObject({ code: 'not_allowed' });
  expect((await rows('inspections'))[0]?.status).toBe('scheduled');
  await start('2026-11-21T09:00:00.001Z');
  expect((await rows('inspections'))[0]?.status).toBe('in_progress');
});

const permission = (role: string, key: string) => ({ role_kind: 'organization' as const, role, permission: key });

test.each([
  { who: 'the inspector, while a manager sees every site', person: worker, roles: ['admin', 'manager'], leaves: true },
  { who: 'somebody else', person: manager, roles: ['admin', 'manager'], leaves: false },
  { who: 'the inspector, where nobody else reviews', person: worker, roles: ['admin', 'auditor'], leaves: false },
  {
    who: 'the inspector, where the other reviews at other sites',
    person: worker,
    roles: ['admin', 'member'],
    leaves: false,
  },
])('a decision is left to others by $who: $leaves', async ({ person, roles, leaves }) => {
  const [mine, theirs] = roles;
  const member = (user: string, role = '') => ({ id: uuid(50), user_id: user, organization_id: organization, role });
  open({
    inspections: [inspection({ status: 'finalised' })],
    organization_members: [member(worker, mine), { ...member(manager, theirs), id: uuid(51) }] as NonNullable<
      MemoryRows['organization_members']
    >,
    role_permissions: [
      { id: uuid(60), ...permission('admin', 'inspection.review') },
      { id: uuid(61), ...permission('manager', 'inspection.review') },
      { id: uuid(62), ...permission('manager', 'place.all') },
      { id: uuid(63), ...permission('member', 'inspection.review') },
    ] as NonNullable<MemoryRows['role_permissions']>,
  });
  const [row] = await rows('inspections');
  if (!row) throw new Error('no inspection');
  expect(await store.read(mustLeaveDecision(row, person))).toBe(leaves);
});
