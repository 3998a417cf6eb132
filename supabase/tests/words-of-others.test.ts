import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { addRow } from './add-row.ts';
import type { Edit } from './device.ts';
import { change, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What somebody said stays theirs: it is neither taken away nor said again by who comes after. */
setUpWorld();

const applied = [{ st: 'applied' }];
const refused = [{ st: 'rejected', code: '42501' }];
const at = '2026-11-21T08:00:00Z';
const removal = async (t: Edit['t'], id: string): Promise<Edit> => ({
  t,
  id,
  op: 'delete',
  bv: Number((await rowOf(t, id))['version']),
});
const made = async (person: string, t: Edit['t'], patch: Record<string, unknown>, id = randomUUID()) => {
  expect(await push(person, { t, op: 'insert', id, patch })).toMatchObject(applied);
  return id;
};

describe('a task', () => {
  const task = () => made(world.worker, 'tasks', { ...place(), title: 'Check', assignee_id: world.worker });
  const move = async (person: string, id: string, patch: Record<string, unknown>) =>
    expect(await push(person, change('tasks', id, patch))).toMatchObject(applied);
  const removed = (id: string) =>
    db.asAdmin(`select actor_id from audit_entries where act = 'task.removed' and subject_id = $1`, [id]);

  test('that its reviewer looked at is not taken away by who made it', async () => {
    const id = await task();
    await move(world.worker, id, { status: 'in_progress' });
    await move(world.manager, id, { reviewer_id: world.manager });
    expect(await push(world.worker, removal('tasks', id))).toMatchObject(refused);
    expect(await push(world.manager, removal('tasks', id))).toMatchObject(applied);
    expect(await removed(id)).toEqual([{ actor_id: world.manager }]);
  });

  test('that somebody else once ended is not taken away by who made it, opened again or not; the log tells of it', async () => {
    const id = await task();
    await move(world.manager, id, { status: 'done' });
    expect(await push(world.worker, removal('tasks', id))).toMatchObject(refused);
    await move(world.worker, id, { status: 'reopened' });
    expect(await push(world.worker, removal('tasks', id))).toMatchObject(refused);
    const own = await task();
    await move(world.worker, own, { status: 'done' });
    expect(await push(world.worker, removal('tasks', own))).toMatchObject(applied);
    expect(await removed(own)).toEqual([{ actor_id: world.worker }]);
    expect(await push(world.worker, removal('tasks', await task()))).toMatchObject(applied);
  });
});

describe('an inspection that was finished', () => {
  const STATUSES = ['finalised', 'has_issues', 'approved', 'rejected', 'closed'];
  const inspection = (status: string) =>
    addRow(db, 'inspections', {
      ...place(),
      form_id: world.form,
      form_version_id: world.formVersion,
      title: 'Walk',
      status,
      result: 'fail',
      conducted_by: world.manager,
      started_at: at,
      finished_at: at,
    });
  const entries = (id: string) =>
    db.asAdmin(
      `select act, actor_id, detail ->> 'status' as status from audit_entries where subject_id = $1 and act like 'inspection%removed'`,
      [id],
    );

  test.each(STATUSES)(
    '(%s) is taken away by another reviewer than who did it, and the log tells of it',
    async status => {
      const id = await inspection(status);
      expect(await push(world.worker, removal('inspections', id))).toMatchObject(refused);
      expect(await push(world.manager, removal('inspections', id))).toMatchObject([{ ...refused[0], reason: 'CN092' }]);
      expect(await rowOf('inspections', id)).toMatchObject({ deleted_at: null });
      expect(await entries(id)).toEqual([]);
      expect(await push(world.admin, removal('inspections', id))).toMatchObject(applied);
      const act = status === 'finalised' ? 'inspection.finished_removed' : 'inspection.removed';
      expect(await entries(id)).toEqual([{ act, actor_id: world.admin, status }]);
    },
  );

  test('is not taken away by who finished it once, whoever conducts it now', async () => {
    const id = await inspection('in_progress');
    expect(await push(world.manager, change('inspections', id, { status: 'finalised' }))).toMatchObject(applied);
    await db.asAdmin('update inspections set conducted_by = $2 where id = $1', [id, world.worker]);
    expect(await push(world.manager, removal('inspections', id))).toMatchObject(refused);
  });

  test.each(['scheduled', 'in_progress'])('(%s: not yet) is its conductor’s to throw away', async status => {
    const id = await inspection(status);
    expect(await push(world.manager, removal('inspections', id))).toMatchObject(applied);
    expect(await entries(id)).toEqual([]);
  });
});

test('a report is not taken away before its author had a word', async () => {
  const id = await made(world.worker, 'issue_reports', { ...place(), title: 'Leak' });
  expect(await push(world.manager, removal('issue_reports', id))).toMatchObject([{ st: 'rejected', code: '23514' }]);
  const dismissed = { status: 'dismissed', answer: 'It is dry', decided_at: at };
  expect(await push(world.manager, change('issue_reports', id, dismissed))).toMatchObject(applied);
  expect(await push(world.manager, removal('issue_reports', id))).toMatchObject(applied);
});

test('evidence of others that a reviewer takes away undecided stands in the log, one’s own does not', async () => {
  const log = (id: string) =>
    db.asAdmin(`select actor_id from audit_entries where act = 'evidence.removed' and subject_id = $1`, [id]);
  const piece = async (person: string) => {
    const id = randomUUID();
    const words = { organization_id: world.organization, series_id: id, title: 'Drill', collected_at: at };
    return made(person, 'evidence', words, id);
  };
  const [others, own] = [await piece(world.worker), await piece(world.manager)];
  for (const id of [others, own]) expect(await push(world.manager, removal('evidence', id))).toMatchObject(applied);
  expect([await log(others), await log(own)]).toEqual([[{ actor_id: world.manager }], []]);
});

test('a session that the person ended is not taken away by the coach who wrote it', async () => {
  const pair = { subject_id: world.worker, helper_id: world.stranger };
  const relationship = { ...pair, role: 'mentor_coach', state: 'active', started_at: at };
  const relationship_id = await addRow(db, 'circle_relationships', relationship);
  const planned = { relationship_id, author_id: world.stranger, subject_id: world.worker, at, state: 'planned' };
  const id = await made(world.stranger, 'circle_sessions', planned);
  const cancelled = { state: 'cancelled', reason: 'Ill' };
  expect(await push(world.worker, change('circle_sessions', id, cancelled))).toMatchObject(applied);
  expect(await push(world.stranger, removal('circle_sessions', id))).toMatchObject(refused);
  expect(await rowOf('circle_sessions', id)).toMatchObject({ ...cancelled, deleted_at: null });
  const own = await made(world.stranger, 'circle_sessions', planned);
  expect(await push(world.stranger, removal('circle_sessions', own))).toMatchObject(applied);
});

describe('a finding', () => {
  const raised = () =>
    made(world.auditor, 'findings', {
      organization_id: world.organization,
      subject_table: 'policies',
      subject_id: world.policy,
      title: 'No date',
      body: '',
      severity: 'major',
      state: 'open',
      raised_by: world.auditor,
      raised_at: at,
    });
  const move = async (person: string, id: string, patch: Record<string, unknown>) =>
    push(person, change('findings', id, patch));
  const answered = { state: 'answered', answer: 'Done', answered_at: at };

  test('that somebody closes without a word does not bear the verdict of another', async () => {
    const id = await raised();
    await move(world.admin, id, answered);
    const verdict = 'Not good enough: the door is still blocked';
    expect(await move(world.auditor, id, { state: 'reopened', verdict, decided_at: at })).toMatchObject(applied);
    await move(world.admin, id, { ...answered, answer: 'Open now' });
    expect(await move(world.manager, id, { state: 'closed', decided_at: at })).toMatchObject(applied);
    expect(await rowOf('findings', id)).toMatchObject({ verdict: null, decided_by: world.manager });
  });

  test('is not told to who may see it no longer', async () => {
    const id = await raised();
    await move(world.admin, id, answered);
    expect(await move(world.manager, id, { state: 'reopened', verdict: 'No', decided_at: at })).toMatchObject(applied);
    const role = (to: string) =>
      db.asAdmin('update organization_members set role = $3 where user_id = $1 and organization_id = $2', [
        world.manager,
        world.organization,
        to,
      ]);
    await role('member');
    await move(world.admin, id, { ...answered, answer: 'Open now' });
    const asked = `select user_id from notifications where subject_id = $1 and type = 'finding.answered' and user_id = $2`;
    expect(await db.asAdmin(asked, [id, world.manager])).toEqual([]);
    await role('manager');
  });
});

test('the answer to a report bears the name of who wrote it, whoever decides later', async () => {
  const id = await made(world.worker, 'issue_reports', { ...place(), title: 'Leak' });
  const move = async (person: string, patch: Record<string, unknown>) =>
    expect(await push(person, change('issue_reports', id, patch))).toMatchObject(applied);
  await move(world.manager, { status: 'triaged', answer: 'We look' });
  expect(await rowOf('issue_reports', id)).toMatchObject({ answered_by: world.manager, decided_by: world.manager });
  await move(world.admin, { answer: 'You made this up' });
  expect(await rowOf('issue_reports', id)).toMatchObject({ answered_by: world.admin, decided_by: world.manager });
  await move(world.manager, { status: 'acting', answered_by: world.worker });
  expect(await rowOf('issue_reports', id)).toMatchObject({ answered_by: world.admin, decided_by: world.manager });
});
