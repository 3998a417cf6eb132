import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { addRow } from './add-row.ts';
import type { Edit } from './device.ts';
import { change, photo, place, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

/** What is written anew with its record, in one statement while others wait for the feed of the place, is so many at most. */
setUpWorld();

const applied = { st: 'applied' };
const many = { st: 'rejected', code: '23514' };
const missing = { st: 'rejected', code: '23503' };

/** Tables whose rows a trigger changes by the id of another record, and what bounds how many there are of one. */
const CHILDREN: Record<string, string> = {
  'comment.follow_subject comments': 'comment.limit_comments',
  'task.adopt_task_items task_items': 'task.limit_steps',
  'inspection.move_with_inspection inspection_answers': 'inspection.limit_parts',
  'inspection.move_with_inspection media': 'inspection.limit_files',
  'inspection.follow_inspection inspection_events': 'inspection.log_answer_change and inspection.limit_states',
  'inspection.follow_inspection presence_entries': 'inspection.limit_parts',
  'inspection.discard_presence presence_entries': 'inspection.limit_parts',
  'form.replan_schedules_of_form schedules': 'whoever publishes forms; 2000 of a person',
  'form.replan_schedules_of_form inspections': 'the dates of those schedules',
  'schedule.plan_on_new_version inspections': 'the dates of those schedules',
  'compliance.remove_controls controls': 'whoever manages frameworks; 5000 of an edition',
  'policy.remove_policy_drafts policy_versions': 'those who write the policy',
  'policy.remove_policy_drafts approval_requests': 'one of a version',
  'brief.brief_relationship_moved triad_brief_copies': 'one of a week and a person',
  'marketplace.notify_facts_changed pack_versions': 'a draft is one',
  'inbox.commented notifications': 'those a comment names: 20, and who follows',
};

test('no trigger changes the rows of a child by the id of its parent, but of children that are bounded', async () => {
  const functions = await db.asAdmin(
    `select distinct n.nspname || '.' || p.proname as name, p.prosrc as body from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where p.prorettype = 'trigger'::regtype and n.nspname not in ('pg_catalog', 'information_schema', 'public')`,
  );
  const found = functions.flatMap(({ name, body }) =>
    [...String(body).matchAll(/update public\.(\w+)([^;]*);/g)]
      .filter(([, , rest = '']) => /\b(?!id\b)\w+_id = new\.id\b|new\.id::text \|\|/.test(rest))
      .map(([, table]) => `${String(name)} ${String(table)}`),
  );
  expect([...new Set(found)].toSorted()).toEqual(Object.keys(CHILDREN).toSorted());
  const known = await db.asAdmin(
    `select n.nspname || '.' || p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace`,
  );
  const names = new Set(known.map(({ name }) => name));
  const bounds = Object.values(CHILDREN).flatMap(bound => bound.match(/\b\w+\.\w+\b/g) ?? []);
  expect(bounds.filter(bound => !names.has(bound))).toEqual([]);
});

/** Adds rows as they would stand there, without what each of them would set off. */
async function fill(table: string, columns: string, values: string, parameters: unknown[]): Promise<void> {
  await db.asAdmin(`alter table ${table} disable trigger user`);
  await db.asAdmin(`insert into ${table} (${columns}) select ${values}`, parameters);
  await db.asAdmin(`alter table ${table} enable trigger user`);
}

describe('comments', () => {
  const comment = (id: string): Edit => ({
    t: 'comments',
    op: 'insert',
    patch: { subject_table: 'action_items', subject_id: id, body: 'Seen' },
  });
  const item = (more: Record<string, unknown> = {}) =>
    addRow(db, 'action_items', { ...place(), title: 'Mend it', created_by: world.worker, ...more });
  const fillWith = (id: string, person: string, from: number, to: number) =>
    fill(
      'comments',
      'organization_id, subject_table, subject_id, body, author_id, written_at, deleted_at, scopes',
      `$1, 'action_items', $2, 'x', $3, now(), now(), '{x}' from generate_series($4::integer, $5::integer)`,
      [world.organization, id, person, from, to],
    );

  test('are 1000 of a record and 250 of a person, those taken away counted', async () => {
    const id = await item();
    await fillWith(id, world.worker, 1, 249);
    expect(await push(world.worker, comment(id))).toMatchObject([applied]);
    expect(await push(world.worker, comment(id))).toMatchObject([many]);
    await fillWith(id, world.admin, 251, 999);
    expect(await push(world.manager, comment(id))).toMatchObject([applied]);
    expect(await push(world.manager, comment(id))).toMatchObject([many]);
    // Who does not see the record is told no more than that there is none.
    for (const person of [world.colleague, world.stranger])
      expect(await push(person, comment(id))).toMatchObject([missing]);
    // What the server brings, as a guest's word, has room beside them.
    const fields = { organization_id: world.organization, subject_table: 'action_items', subject_id: id, body: 'Done' };
    const imported = {
      ...fields,
      outside_name: 'Guest',
      written_at: new Date().toISOString(),
      mention_ids: [],
      media_ids: [],
    };
    await addRow(db, 'comments', { ...imported, created_at: imported.written_at });
    await fillWith(id, world.admin, 1002, 2000);
    await expect(addRow(db, 'comments', { ...imported, created_at: imported.written_at })).rejects.toMatchObject({
      code: '23514',
    });
  });

  test('are 2000 of a person a day', async () => {
    const id = await item();
    for (let n = 0; n < 8; n += 1) await fillWith(await item(), world.worker, 1, 250);
    expect(await push(world.worker, comment(id))).toMatchObject([many]);
    await db.asAdmin(`update comments set created_at = now() - interval '2 days' where author_id = $1`, [world.worker]);
    expect(await push(world.worker, comment(id))).toMatchObject([applied]);
  });

  test('that were taken away, or whose audience stays, are left alone when their record is given to somebody else', async () => {
    const id = await item();
    expect(await push(world.worker, comment(id))).toMatchObject([applied]);
    await fillWith(id, world.worker, 1, 49);
    const versions = async () => {
      const rows = await db.asAdmin('select id, version from comments where subject_id = $1', [id]);
      return new Map(rows.map(row => [row['id'], row['version']]));
    };
    const before = await versions();
    expect(await push(world.worker, change('action_items', id, { assignee_id: world.manager }))).toMatchObject([
      applied,
    ]);
    const after = await versions();
    expect([...after].filter(([key, version]) => before.get(key) !== version)).toHaveLength(1);
    const told = await db.asAdmin(
      `select id from sync.change where tbl = 'comments' and scope like '%' || $1 || '%' and id in (select id from comments where subject_id = $2)`,
      [world.manager, id],
    );
    expect(told).toHaveLength(1);
  });
});

describe('steps of a task', () => {
  const step = (id: string): Edit => ({
    t: 'task_items',
    op: 'insert',
    patch: { organization_id: world.organization, task_id: id, title: 'Look', position: 0 },
  });
  const fillWith = async (id: string, person: string, from: number, to: number, scopes?: string[]) =>
    fill(
      'task_items',
      'organization_id, task_id, title, position, created_by, deleted_at, scopes',
      `$1, $2, 'x', n, $3, now(), $6 from generate_series($4::integer, $5::integer) n`,
      [world.organization, id, person, from, to, scopes ?? (await rowOf('tasks', id))['scopes']],
    );

  test('are 1000 of it and 500 of a person; of a task out of sight only one’s own count', async () => {
    const id = await addRow(db, 'tasks', { ...place(), title: 'Check', created_by: world.worker });
    await fillWith(id, world.worker, 1, 499);
    expect(await push(world.worker, step(id))).toMatchObject([applied]);
    expect(await push(world.worker, step(id))).toMatchObject([many]);
    await fillWith(id, world.admin, 501, 999);
    expect(await push(world.manager, step(id))).toMatchObject([applied]);
    expect(await push(world.manager, step(id))).toMatchObject([many]);
    expect(await push(world.colleague, step(id))).toMatchObject([applied]);
  });

  test('that were taken away are left alone when it is given to somebody else', async () => {
    const id = await addRow(db, 'tasks', { ...place(), title: 'Check', created_by: world.worker });
    expect(await push(world.worker, step(id))).toMatchObject([applied]);
    await fillWith(id, world.worker, 1, 9);
    expect(await push(world.worker, change('tasks', id, { assignee_id: world.manager }))).toMatchObject([applied]);
    const rows = await db.asAdmin(
      'select version, deleted_at is null as is_there from task_items where task_id = $1 and version > 1',
      [id],
    );
    expect(rows).toMatchObject([{ is_there: true }]);
  });
});

describe('what belongs to an inspection', () => {
  const inspection = () =>
    addRow(db, 'inspections', {
      ...place(),
      form_id: world.form,
      form_version_id: world.formVersion,
      title: 'Walk',
      status: 'in_progress',
      conducted_by: world.worker,
    });
  const answer = (id: string, question: string): Edit => ({
    t: 'inspection_answers',
    op: 'insert',
    id: derivedId(id, `answer/${question}`),
    patch: { ...place(), inspection_id: id, question, value: 1, answered_at: new Date().toISOString() },
  });

  test('is 10,000 answers, sent one by one or together, and as many corrections', async () => {
    const id = await inspection();
    await fill(
      'inspection_answers',
      'id, organization_id, site_id, inspection_id, question, answered_by, answered_at',
      `gen_random_uuid(), $1, $2, $3, 'q' || n, $4, now() from generate_series(1, 9998) n`,
      [world.organization, world.north, id, world.worker],
    );
    const sent = ['a', 'b', 'c', 'd'].map(question => answer(id, question));
    expect(await push(world.worker, ...sent)).toMatchObject([applied, applied, many, many]);
    const corrected = async (value: number) =>
      (await push(world.worker, change('inspection_answers', derivedId(id, 'answer/a'), { value })))[0];
    expect(await corrected(2)).toMatchObject(applied);
    await fill(
      'inspection_events',
      'organization_id, site_id, conductor_id, inspection_id, kind, question, by_id, at, created_at',
      `$1, $2, $4, $3, 'answer', 'q' || n, $4, now(), now() - interval '1 hour' from generate_series(1, 10000) n`,
      [world.organization, world.north, id, world.worker],
    );
    expect(
      await push(world.worker, change('inspection_answers', derivedId(id, 'answer/b'), { value: 2 })),
    ).toMatchObject([many]);
  });

  /** Files of a person on it, as if they had come. */
  const fillFiles = (id: string | null, person: string, count: number) =>
    fill(
      'media',
      'id, organization_id, site_id, inspection_id, kind, mime, bytes, sha256, captured_by, captured_at',
      `gen_random_uuid(), $1, $2, $3, 'photo', 'image/png', 10, repeat('a', 64), $4, now() from generate_series(1, $5::integer) n`,
      [world.organization, world.north, id, person, count],
    );

  test('is 5000 files of who does it', async () => {
    const id = await inspection();
    await fillFiles(id, world.worker, 4999);
    const sent = [photo({ inspection_id: id }), photo({ inspection_id: id }), photo()];
    expect(await push(world.worker, ...sent)).toMatchObject([applied, many, applied]);
  });

  test('is as few files where they are put on it later', async () => {
    const id = await inspection();
    await fillFiles(id, world.worker, 4999);
    const loose = [photo(), photo()];
    expect(await push(world.worker, ...loose)).toMatchObject([applied, applied]);
    const moved = loose.map(({ id: file }) => change('media', String(file), { inspection_id: id }));
    expect(await push(world.worker, ...moved)).toMatchObject([applied, many]);
  });

  test('is 500 files of a colleague, 2000 of all of them, and nobody uses up those of who does it', async () => {
    const id = await inspection();
    await fillFiles(id, world.manager, 499);
    const theirs = [photo({ inspection_id: id }), photo({ inspection_id: id })];
    expect(await push(world.manager, ...theirs)).toMatchObject([applied, many]);
    await fillFiles(id, world.admin, 1500);
    expect(await push(world.manager, photo({ inspection_id: id }))).toMatchObject([many]);
    await fillFiles(id, world.colleague, 4000);
    expect(await push(world.worker, photo({ inspection_id: id }))).toMatchObject([applied]);
  });

  test('is left alone where it was taken away, or stands there already, when the inspection moves', async () => {
    const id = await inspection();
    const sent = [1, 2, 3].map(() => photo({ inspection_id: id }));
    expect(await push(world.worker, ...sent, answer(id, 'a'))).toMatchObject([applied, applied, applied, applied]);
    const files = sent.map(({ id: file }) => String(file));
    await db.asAdmin('update media set deleted_at = now() where id = any ($1)', [files.slice(1)]);
    const versions = async () =>
      (await db.asAdmin('select version from media where inspection_id = $1 order by id', [id])).map(({ version }) =>
        Number(version),
      );
    const before = await versions();
    await db.asAdmin('update inspections set site_id = $2 where id = $1', [id, world.south]);
    const after = await versions();
    expect(after.filter((version, n) => version !== before[n])).toHaveLength(1);
    // What comes back stands where its inspection stands by then.
    await db.asAdmin('update media set deleted_at = null where id = any ($1)', [files]);
    const places = await db.asAdmin('select distinct site_id from media where inspection_id = $1', [id]);
    expect(places).toEqual([{ site_id: world.south }]);
  });

  test('is 500 lines of one person about its state and signatures, and somebody else decides still', async () => {
    const id = await inspection();
    await fill(
      'inspection_events',
      'organization_id, site_id, conductor_id, inspection_id, kind, by_id, at',
      `$1, $2, $4, $3, case when n > 250 then 'state' else 'signature' end, $4, now() from generate_series(1, 498) n`,
      [world.organization, world.north, id, world.worker],
    );
    const to = (status: string) => change('inspections', id, { status });
    expect(await push(world.worker, to('scheduled'))).toMatchObject([applied]);
    expect(await push(world.worker, to('in_progress'))).toMatchObject([many]);
    expect(await push(world.manager, to('in_progress'))).toMatchObject([applied]);
  });
});

test('of one colleague’s open action items so many are made by one person', async () => {
  const item = (assignee_id: string): Edit => ({
    t: 'action_items',
    op: 'insert',
    patch: { ...place(), title: 'Mend it', assignee_id },
  });
  await fill(
    'action_items',
    'organization_id, site_id, title, assignee_id, created_by',
    `$1, $2, 'x', $3, $4 from generate_series(1, 4999 - (select count(*) from action_items where assignee_id = $3 and created_by = $4 and closed_at is null)) n`,
    [world.organization, world.north, world.manager, world.worker],
  );
  expect(await push(world.worker, item(world.manager))).toMatchObject([applied]);
  expect(await push(world.worker, item(world.manager))).toMatchObject([many]);
  expect(await push(world.worker, item(world.worker))).toMatchObject([applied]);
  expect(await push(world.admin, item(world.manager))).toMatchObject([applied]);
});
