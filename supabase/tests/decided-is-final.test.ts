import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import type { Edit } from './device.ts';
import { change, photo, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What somebody's word rests on stays as it was when they gave it; what was done before, and only comes late, is taken. */
setUpWorld();

const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };

const removal = async (t: Edit['t'], id: string): Promise<Edit> => ({
  t,
  id,
  op: 'delete',
  bv: Number((await rowOf(t, id))['version']),
});
const idOf = ({ id }: Edit): string => String(id);

async function inspection(status: 'in_progress' | 'finalised'): Promise<string> {
  const id = randomUUID();
  const check = { form_id: world.form, form_version_id: world.formVersion, title: 'Forklift 3' };
  expect(
    await push(world.worker, { t: 'inspections', id, op: 'insert', patch: { ...place(), ...check, status } }),
  ).toMatchObject([applied]);
  return id;
}
const approve = async (id: string) =>
  expect(await push(world.manager, change('inspections', id, { status: 'approved' }))).toMatchObject([applied]);

describe('a decided inspection', () => {
  test('keeps its photos: none is added, moved, unbound or removed, by its author or by a reviewer', async () => {
    const id = await inspection('finalised');
    const shot = photo({ inspection_id: id, question: 'q1' });
    expect(await push(world.worker, shot)).toMatchObject([applied]);
    await approve(id);
    const edits = [
      photo({ inspection_id: id, question: 'q1' }),
      await change('media', idOf(shot), { question: 'q2' }),
      await change('media', idOf(shot), { inspection_id: null }),
      await removal('media', idOf(shot)),
    ];
    for (const edit of edits) expect(await push(world.worker, edit)).toMatchObject([forbidden]);
    // The sentence's own code, by which a device knows that nobody can let it through (supabase/error-codes.tsv).
    expect(await push(world.worker, ...edits.slice(0, 1))).toMatchObject([{ ...forbidden, reason: 'CN265' }]);
    expect(await push(world.manager, removal('media', idOf(shot)))).toMatchObject([forbidden]);
    const loose = photo();
    expect(
      await push(world.worker, loose, { ...(await change('media', idOf(loose), { inspection_id: id })), bv: 1 }),
    ).toMatchObject([applied, forbidden]);
    expect(await rowOf('media', idOf(shot))).toMatchObject({ inspection_id: id, question: 'q1', deleted_at: null });
  });

  test('keeps its name, its days and its place, whoever asks; it may still be closed', async () => {
    const id = await inspection('finalised');
    await approve(id);
    const before = await rowOf('inspections', id);
    for (const patch of [{ title: 'Forklift 9' }, { due_at: '2027-01-01T00:00:00Z' }, { site_id: null }]) {
      for (const person of [world.worker, world.manager]) {
        expect(await push(person, change('inspections', id, patch))).toMatchObject([forbidden]);
      }
    }
    await push(world.manager, change('inspections', id, { reviewed_at: '2020-01-01T00:00:00Z' }));
    expect(await push(world.manager, change('inspections', id, { status: 'closed' }))).toMatchObject([applied]);
    const { title, due_at, site_id, reviewed_at } = before;
    expect(await rowOf('inspections', id)).toMatchObject({ title, due_at, site_id, reviewed_at, status: 'closed' });
  });

  test('takes a photo after the finish; after the decision only one that its answer had named, and says so in the log', async () => {
    const id = await inspection('in_progress');
    const [early, late] = [photo({ inspection_id: id }), photo({ inspection_id: id, question: 'q1' })];
    const answer = { ...place(), inspection_id: id, question: 'q1', media_ids: [idOf(late)] };
    expect(
      await push(
        world.worker,
        await change('inspections', id, { status: 'finalised' }),
        { t: 'inspection_answers', id: derivedId(id, 'answer/q1'), op: 'insert', patch: answer },
        early,
      ),
    ).toMatchObject([applied, applied, applied]);
    await approve(id);
    expect(await push(world.worker, late)).toMatchObject([applied]);
    await db.asAdmin('select media_complete($1, $2, 10)', [idOf(late), 'a'.repeat(64)]);
    expect(await rowOf('media', idOf(late))).toMatchObject({ state: 'complete', inspection_id: id });
    const acts = await db.asAdmin('select act from audit_entries where subject_id = $1 order by seq', [id]);
    expect(acts.map(({ act }) => act)).toEqual(['inspection.approved', 'inspection.file_late']);
  });

  test('a planned one is due when its planner says', async () => {
    const id = randomUUID();
    const plan = { form_id: world.form, form_version_id: world.formVersion, title: 'Daily', status: 'scheduled' };
    const due = { due_at: '2026-12-01T00:00:00Z', assigned_to: world.worker };
    expect(
      await push(world.manager, { t: 'inspections', id, op: 'insert', patch: { ...place(), ...plan, ...due } }),
    ).toMatchObject([applied]);
    const later = { due_at: '2027-12-01T00:00:00Z' };
    expect(await push(world.worker, change('inspections', id, later))).toMatchObject([forbidden]);
    expect(await push(world.manager, change('inspections', id, later))).toMatchObject([applied]);
  });
});

test('the file of accepted evidence stays with it', async () => {
  const file = photo({ audience: 'evidence.read', site_id: null });
  const id = randomUUID();
  const patch = { organization_id: world.organization, series_id: id, title: 'Proof', media_ids: [idOf(file)] };
  const made: Edit = { t: 'evidence', id, op: 'insert', patch: { ...patch, collected_at: '2026-11-21T08:00:00Z' } };
  expect(await push(world.worker, file, made)).toMatchObject([applied, applied]);
  expect(await push(world.manager, change('evidence', id, { state: 'accepted' }))).toMatchObject([applied]);
  expect(await push(world.worker, removal('media', idOf(file)))).toMatchObject([forbidden]);
  expect(await push(world.worker, change('media', idOf(file), { question: 'q2' }))).toMatchObject([forbidden]);
});

describe('a decision on an issue report', () => {
  const report = async () => {
    const id = randomUUID();
    const patch = { ...place(), title: 'Loose rail', reported_at: '2026-11-21T08:00:00Z' };
    expect(await push(world.worker, { t: 'issue_reports', id, op: 'insert', patch })).toMatchObject([applied]);
    return id;
  };

  test('is in the name of who gives it, stays with its answer, and stands in the log', async () => {
    const id = await report();
    const at = '2026-11-21T09:00:00+00:00';
    const fields = { status: 'dismissed', answer: 'Nothing to do', decided_at: at, decided_by: world.manager };
    expect(await push(world.manager, change('issue_reports', id, fields))).toMatchObject([applied]);
    expect(
      await push(world.manager, change('issue_reports', id, { answer: 'The other manager looked at it' })),
    ).toMatchObject([forbidden]);
    for (const patch of [
      { decided_by: world.admin, decided_at: '2020-01-01T00:00:00Z' },
      { decided_by: world.stranger },
    ]) {
      await push(world.manager, change('issue_reports', id, patch));
    }
    expect(await rowOf('issue_reports', id)).toMatchObject({ ...fields, decided_at: at });
    const again = { status: 'triaged', answer: 'Looked again', decided_at: '2020-01-01T00:00:00Z' };
    expect(await push(world.admin, change('issue_reports', id, again))).toMatchObject([applied]);
    expect(await rowOf('issue_reports', id)).toMatchObject({
      answer: 'Looked again',
      decided_by: world.admin,
      decided_at: at,
    });
    expect(
      await db.asAdmin('select act, actor_id from audit_entries where subject_id = $1 order by seq', [id]),
    ).toEqual([
      { act: 'report.dismissed', actor_id: world.manager },
      { act: 'report.triaged', actor_id: world.admin },
    ]);
  });
});
