import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Mutation } from '@cairn/sync/transport/backend.ts';
import { mutation, testDevice, type Edit } from './device.ts';
import { change, photo, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** An administrator writes in a member's name by a rescue file of their own making: every reader is told who brought it. */
setUpWorld();

const AT = '2026-11-21T08:00:00Z';
const insert = (t: Edit['t'], patch: Mutation['patch'], id?: Mutation['id']): Mutation =>
  mutation({ t, ...(id && { id }), op: 'insert', patch });
const check = () => ({
  form_id: world.form,
  form_version_id: world.formVersion,
  title: 'Brought',
  conducted_by: author(),
});

/** Somebody who may do each kind of work; and somebody else who reads it. */
const author = () => world.manager;
let reader: string;
/** What the author made themselves, which pieces of theirs hang on. */
let inspection: string;
let task: string;
let evidence: string;
beforeAll(async () => {
  [inspection, task, evidence] = [randomUUID(), randomUUID(), randomUUID()];
  reader = await adminNamed('reader');
  const made = await push(
    author(),
    { t: 'inspections', id: inspection, op: 'insert', patch: { ...place(), ...check(), status: 'in_progress' } },
    { t: 'tasks', id: task, op: 'insert', patch: { ...place(), title: 'Mine' } },
  );
  if (made.some(({ st }) => st !== 'applied')) throw new Error(JSON.stringify(made));
});

async function adminNamed(name: string): Promise<string> {
  const person = await db.person(`${name}-${randomUUID()}@a.test`);
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
    world.organization,
    person,
  ]);
  return person;
}

/** A piece of work of each kind the review queue takes from somebody else; `null`: it takes none of this kind. */
const EDITS: Record<string, (() => Mutation) | null> = {
  assets: () => insert('assets', { ...place(), name: 'Brought' }),
  inspections: () => insert('inspections', { ...place(), ...check(), status: 'in_progress' }),
  inspection_answers: () =>
    insert('inspection_answers', {
      inspection_id: inspection,
      ...place(),
      question: 'horn',
      value: 'yes',
      answered_at: AT,
    }),
  comments: () =>
    insert('comments', {
      organization_id: world.organization,
      subject_table: 'tasks',
      subject_id: task,
      body: 'I agree',
      written_at: AT,
    }),
  action_items: () => insert('action_items', { ...place(), title: 'Brought' }),
  media: () => mutation(photo()),
  issue_reports: () => insert('issue_reports', { ...place(), title: 'Brought', reported_at: AT }),
  tasks: () => insert('tasks', { ...place(), title: 'Brought' }),
  task_items: () => insert('task_items', { organization_id: world.organization, task_id: task, title: 'Brought' }),
  task_series: () =>
    insert('task_series', {
      ...place(),
      title: 'Brought',
      recurrence: 'FREQ=WEEKLY',
      start_day: '2026-11-23',
      zone: 'UTC',
    }),
  evidence: () =>
    insert(
      'evidence',
      { organization_id: world.organization, title: 'Brought', series_id: evidence, collected_at: AT },
      evidence,
    ),
  evidence_links: () =>
    insert('evidence_links', {
      organization_id: world.organization,
      evidence_id: evidence,
      target_table: 'action_items',
      target_id: world.action,
    }),
  presence_entries: null,
};

const bring = (edit: Mutation, by = world.admin) =>
  db.rpc<{ accepted: number }>(by, 'submit_edits_on_behalf', {
    p_organization: world.organization,
    p_author: author(),
    p_device: randomUUID(),
    p_mutations: JSON.stringify([edit]),
  });
const accept = (edit: Mutation, by: string) =>
  db.rpc<{ results: { st: string }[] }>(by, 'decide_orphaned_edits', {
    p_organization: world.organization,
    p_user: author(),
    p_mids: [edit.mid],
    p_accept: true,
  });
const entriesOf = (id: string) =>
  db.asAdmin('select act, subject_table, detail from audit_entries where subject_id = $1 and act = $2', [
    id,
    'orphaned_edits.submitted',
  ]);

describe('what an administrator brings in the name of somebody', () => {
  test('is of a kind that can say so: each kind the review queue takes is tried here, and has the two columns, which no device writes', async () => {
    const kinds = await db.asAdmin(
      'select name, server_columns from sync.tables where review_queue.is_submittable(name) order by name',
    );
    expect(kinds.map(kind => kind['name'])).toEqual(Object.keys(EDITS).toSorted());
    for (const { server_columns: columns } of kinds)
      expect(columns).toEqual(expect.arrayContaining(['submitted_at', 'submitted_by']));
  });

  test('takes no entry of a chain of presence from somebody else', async () => {
    expect(Object.keys(EDITS).filter(kind => EDITS[kind] === null)).toEqual(['presence_entries']);
    const entry = insert('presence_entries', { ...place(), inspection_id: inspection });
    expect(await bring(entry)).toMatchObject({ accepted: 0 });
  });

  test.for(Object.entries(EDITS).flatMap(([kind, make]) => (make ? [[kind, make] as const] : [])))(
    'of %s: the row and the audit log name who brought it, on every device that reads it',
    async ([kind, make]) => {
      const edit = make();
      expect(await bring(edit)).toMatchObject({ accepted: 1 });
      const { results } = await accept(edit, world.admin);
      expect(results).toMatchObject([{ st: 'applied' }]);
      expect(await rowOf(kind, edit.id)).toMatchObject({ submitted_by: world.admin, submitted_at: expect.any(String) });
      const [entry] = await entriesOf(edit.id);
      expect(entry).toMatchObject({
        subject_table: kind,
        detail: { user_id: author(), submitted_by: world.admin, accepted_by: world.admin },
      });
      const device = testDevice(db, reader);
      await device.pull();
      expect(device.rows.get(`${kind}/${edit.id}`)?.row).toMatchObject({ submitted_by: world.admin });
    },
  );

  test('marks the whole that a part belongs to, and nothing else of its author', async () => {
    expect(await rowOf('inspections', inspection)).toMatchObject({ submitted_by: world.admin });
    const [own] = await push(author(), { t: 'tasks', op: 'insert', patch: { ...place(), title: 'My own' } });
    expect(own).toMatchObject({ st: 'applied' });
    expect(await db.asAdmin(`select submitted_by, submitted_at from tasks where title = 'My own'`)).toEqual([
      { submitted_by: null, submitted_at: null },
    ]);
  });

  test('says so for good: neither its author nor who brought it takes it back, and nobody lays it on somebody else', async () => {
    const edit = insert('action_items', { ...place(), title: 'For good', submitted_by: world.colleague });
    await bring(edit);
    await accept(edit, world.admin);
    for (const person of [author(), world.admin, world.worker]) {
      await push(person, change('action_items', edit.id, { submitted_by: null, submitted_at: null }));
      await push(person, change('action_items', edit.id, { submitted_by: world.colleague }));
      await db.as(person, 'update action_items set submitted_by = null').catch(() => undefined);
    }
    expect(await rowOf('action_items', edit.id)).toMatchObject({ submitted_by: world.admin });
    const forged = randomUUID();
    await push(author(), {
      t: 'tasks',
      id: forged,
      op: 'insert',
      patch: { ...place(), title: 'Not brought', submitted_by: world.admin, submitted_at: AT },
    });
    expect(await rowOf('tasks', forged)).toMatchObject({ submitted_by: null, submitted_at: null });
  });

  test('changes of a record that were brought say so in its activity too; those its author made themselves do not', async () => {
    const id = randomUUID();
    await push(author(), { t: 'action_items', id, op: 'insert', patch: { ...place(), title: 'Moved' } });
    await push(author(), change('action_items', id, { priority: 'high' }));
    const edit = mutation(await change('action_items', id, { priority: 'low' }));
    await bring(edit);
    expect((await accept(edit, world.admin)).results).toMatchObject([{ st: 'applied' }]);
    const moves = await db.rpc<Record<string, unknown>[]>(reader, 'record_activity', {
      p_table: 'action_items',
      p_id: id,
    });
    expect(moves.map(({ by, after, submitted_by: submitter }) => [by, after, submitter])).toEqual([
      [author(), 'low', world.admin],
      [author(), 'high', null],
    ]);
    expect(await rowOf('action_items', id)).toMatchObject({ submitted_by: world.admin });
  });

  test('still says that it was brought when the account of who brought it is gone', async () => {
    const other = await adminNamed('leaver');
    const edit = insert('action_items', { ...place(), title: 'Left behind' });
    await bring(edit, other);
    await accept(edit, world.admin);
    expect(await entriesOf(edit.id)).toMatchObject([{ detail: { submitted_by: other, accepted_by: world.admin } }]);
    await db.asAdmin('update action_items set submitted_by = null where id = $1', [edit.id]);
    expect(await rowOf('action_items', edit.id)).toMatchObject({
      submitted_by: null,
      submitted_at: expect.any(String),
    });
  });
});
