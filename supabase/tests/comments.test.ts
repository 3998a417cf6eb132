import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { type Edit, testDevice } from './device.ts';
import { change, push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

const at = '2026-11-21T09:00:00.000Z';
const applied = { st: 'applied' };
const forbidden = { st: 'rejected', code: '42501' };
const missing = { st: 'rejected', code: '23503' };
type CommentSubject = { table: string; id: string };
const say = ({ table, id }: CommentSubject, more: Record<string, unknown> = {}): Edit & { id: string } => ({
  t: 'comments',
  op: 'insert',
  id: randomUUID(),
  patch: { subject_table: table, subject_id: id, body: 'Which one?', written_at: at, ...more },
});
const places = (): Record<string, CommentSubject> => ({
  'action item': { table: 'action_items', id: world.action },
  task: { table: 'tasks', id: world.task },
  'issue report': { table: 'issue_reports', id: world.report },
});
const told = async (person: string, type: string) =>
  (
    await db.asAdmin('select params, path from notifications where user_id = $1 and type = $2 order by created_at', [
      person,
      type,
    ])
  ).map(row => ({ ...Object(row['params']), path: row['path'] }));

describe('who says something at a record', () => {
  test.each(['action item', 'task', 'issue report'])(
    '%s: whoever works on what they see, in their own name',
    async what => {
      const place = places()[what] ?? { table: '', id: '' };
      const own = say(place, { author_id: world.manager, organization_id: randomUUID() });
      expect(await push(world.worker, own)).toMatchObject([
        { st: 'applied', d: { author_id: world.worker, organization_id: world.organization } },
      ]);
      // An auditor reads; who does not see the record is told no more than that there is none.
      expect(await push(world.auditor, say(place))).toMatchObject([forbidden]);
      for (const person of [world.colleague, world.stranger])
        expect(await push(person, say(place))).toMatchObject([missing]);
      const phone = testDevice(db, world.manager);
      await phone.pull();
      expect(phone.has('comments', own.id)).toBe(true);
      const other = testDevice(db, world.colleague);
      await other.pull();
      expect(other.has('comments', own.id)).toBe(false);
    },
  );

  test('what is said at a draft of a policy stays among those who write, also once everybody reads it', async () => {
    const edit = say({ table: 'policy_versions', id: world.policyDraft });
    expect(await push(world.worker, edit)).toMatchObject([missing]);
    expect(await push(world.manager, edit)).toMatchObject([applied]);
    const inForce = say({ table: 'policy_versions', id: world.policyVersion }, { body: 'Too strict' });
    expect(await push(world.manager, inForce)).toMatchObject([applied]);
    const phone = testDevice(db, world.worker);
    await phone.pull();
    expect(phone.has('policy_versions', world.policyVersion)).toBe(true);
    expect(phone.has('comments', inForce.id)).toBe(false);
    const files = say({ table: 'policy_versions', id: world.policyDraft }, { media_ids: [randomUUID()] });
    expect(await push(world.manager, files)).toMatchObject([{ st: 'rejected', code: '23514' }]);
  });

  test('only its author changes it or takes it away, anybody there ticks it off, nobody moves it', async () => {
    const note = say({ table: 'tasks', id: world.task });
    await push(world.worker, note);
    const change = (patch: Record<string, unknown>, base: Record<string, unknown>): Edit => ({
      t: 'comments',
      op: 'update',
      id: note.id,
      bv: 1,
      patch,
      base,
    });
    expect(await push(world.manager, change({ body: 'No' }, { body: 'Which one?' }))).toMatchObject([forbidden]);
    const names = change({ mention_ids: [world.admin] }, { mention_ids: [] });
    expect(await push(world.manager, names)).toMatchObject([forbidden]);
    expect(await push(world.manager, { t: 'comments', op: 'delete', id: note.id, bv: 1 })).toMatchObject([forbidden]);
    const moved = change({ subject_id: world.action }, { subject_id: world.task });
    expect(await push(world.worker, moved)).not.toMatchObject([applied]);
    const done = change({ resolved_at: at, resolved_by: world.admin }, { resolved_at: null, resolved_by: null });
    expect(await push(world.manager, done)).toMatchObject([{ st: 'applied', d: { resolved_by: world.manager } }]);
  });

  test('other words are not what a colleague ticked off; times are those of a clock that could be right', async () => {
    const note = say({ table: 'tasks', id: world.task }, { written_at: '2199-01-01T00:00:00Z' });
    await push(world.worker, note);
    const written = Date.parse(String((await rowOf('comments', note.id))['written_at']));
    expect(written).toBeLessThanOrEqual(Date.now());
    const tick = { resolved_at: '2001-01-01T00:00:00Z' };
    await push(world.manager, change('comments', note.id, tick));
    const ticked = await rowOf('comments', note.id);
    expect(Date.parse(String(ticked['resolved_at']))).toBeGreaterThanOrEqual(written);
    await push(world.worker, change('comments', note.id, { mention_ids: [world.admin] }));
    expect(await rowOf('comments', note.id)).toMatchObject({ resolved_by: world.manager });
    await push(world.worker, change('comments', note.id, { body: 'Something else' }));
    expect(await rowOf('comments', note.id)).toMatchObject({ resolved_at: null, resolved_by: null });
    await push(world.worker, change('comments', note.id, tick));
    await push(world.worker, change('comments', note.id, { body: 'And once more' }));
    expect(await rowOf('comments', note.id)).toMatchObject({ resolved_by: world.worker });
  });

  test('comments go where their record goes, and go and come back with it', async () => {
    const task = randomUUID();
    await db.asAdmin(
      `insert into tasks (id, organization_id, site_id, title, created_by) values ($1, $2, $3, 'Move me', $4)`,
      [task, world.organization, world.north, world.manager],
    );
    const note = say({ table: 'tasks', id: task });
    await push(world.manager, note);
    const holds = async (person: string) => {
      const phone = testDevice(db, person);
      await phone.pull();
      return phone.has('comments', note.id);
    };
    expect([await holds(world.worker), await holds(world.colleague)]).toEqual([true, false]);
    await db.asAdmin('update tasks set site_id = $2 where id = $1', [task, world.south]);
    expect([await holds(world.worker), await holds(world.colleague)]).toEqual([false, true]);
    await db.asAdmin('update tasks set deleted_at = now() where id = $1', [task]);
    expect(await holds(world.colleague)).toBe(false);
    expect(await push(world.manager, say({ table: 'tasks', id: task }))).toMatchObject([missing]);
    await db.asAdmin('update tasks set deleted_at = null where id = $1', [task]);
    expect(await holds(world.colleague)).toBe(true);
  });
});

describe('who is told', () => {
  test('people who are named, and nobody who does not see the record; outsiders cannot be named', async () => {
    const place = { table: 'action_items', id: world.action };
    const named = say(place, { mention_ids: [world.manager, world.colleague] });
    expect(await push(world.worker, named)).toMatchObject([applied]);
    const expected = { title: 'Mend it', by: 'worker', path: `/action-items/${world.action}` };
    expect(await told(world.manager, 'comment.mentioned')).toMatchObject([expected]);
    expect(await told(world.colleague, 'comment.mentioned')).toEqual([]);
    expect(await told(world.worker, 'comment.mentioned')).toEqual([]);
    expect(await push(world.worker, say(place, { mention_ids: [world.stranger] }))).toMatchObject([forbidden]);
    // The same push again tells nobody twice, and words are in no notification.
    const all = await db.asAdmin(`select params::text as words from notifications where type like 'comment.%'`);
    expect(all.some(({ words }) => String(words).includes('Which one?'))).toBe(false);
  });

  test('an auditor of one site hears no title of another, by a name said there or otherwise', async () => {
    const auditor = await db.person(`${randomUUID()}@a.test`);
    await db.asAdmin(
      `insert into organization_members (organization_id, user_id, role, site_limited) values ($1, $2, 'auditor', true)`,
      [world.organization, auditor],
    );
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.south,
      auditor,
    ]);
    const place = { table: 'action_items', id: world.action };
    expect(await push(world.worker, say(place, { mention_ids: [auditor] }))).toMatchObject([applied]);
    const notify = (person: string) =>
      db.asAdmin(`select inbox.notify($1, 'action.escalated', 'x', '/tasks', '{"title":"Mend it"}', $2, $3) as id`, [
        person,
        world.action,
        world.organization,
      ]);
    for (const person of [auditor, world.colleague]) expect(await notify(person)).toEqual([{ id: null }]);
    expect(await db.asAdmin('select type from notifications where user_id = $1', [auditor])).toEqual([]);
    const reach = `select p from inbox.people_with('place.all', $1, $2) p where p in ($3, $4)`;
    expect(await db.asAdmin(reach, [world.organization, world.north, auditor, world.auditor])).toEqual([
      { p: world.auditor },
    ]);
    // Who reads all of the company is told.
    expect(await notify(world.auditor)).not.toEqual([{ id: null }]);
  });

  test('who stands on the record, spoke there or follows it; not who said no', async () => {
    const task = randomUUID();
    await db.asAdmin(
      `insert into tasks (id, organization_id, site_id, title, created_by, assignee_id) values ($1, $2, $3, 'Talk', $4, $5)`,
      [task, world.organization, world.north, world.admin, world.worker],
    );
    const place = { table: 'tasks', id: task };
    const wish = (person: string, isFollowing: boolean): Edit => ({
      t: 'record_follows',
      op: 'insert',
      id: derivedId(person, `follow/${task}`),
      patch: { user_id: person, subject_table: 'tasks', subject_id: task, is_following: isFollowing },
    });
    expect(await push(world.auditor, wish(world.auditor, true))).toMatchObject([applied]);
    expect(await push(world.admin, wish(world.admin, false))).toMatchObject([applied]);
    await push(world.manager, say(place));
    const about = async (person: string) =>
      (await told(person, 'comment.added')).filter(({ title }) => title === 'Talk').length;
    expect(await Promise.all([world.worker, world.auditor, world.admin, world.colleague].map(about))).toEqual([
      1, 1, 0, 0,
    ]);
    await push(world.worker, say(place));
    expect(await about(world.manager)).toBe(1);
    await db.asAdmin(`update tasks set status = 'in_progress' where id = $1`, [task]);
    expect(await told(world.auditor, 'record.moved')).toMatchObject([{ title: 'Talk', path: `/tasks/${task}` }]);
    expect(await told(world.worker, 'record.moved')).toEqual([]);
  });

  test('nobody follows for somebody else, under an id of somebody else, or what they do not see', async () => {
    const wish = (user: string, subject: string, id = derivedId(user, `follow/${subject}`)): Edit => ({
      t: 'record_follows',
      op: 'insert',
      id,
      patch: { user_id: user, subject_table: 'tasks', subject_id: subject, is_following: true },
    });
    expect(await push(world.worker, wish(world.manager, world.task))).toMatchObject([forbidden]);
    expect(await push(world.worker, wish(world.worker, world.task, randomUUID()))).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
    for (const person of [world.colleague, world.stranger])
      expect(await push(person, wish(person, world.task))).toMatchObject([missing]);
  });
});

describe('what changed on a record', () => {
  const activity = async (person: string, table: string, id: string) =>
    db.rpc<{ field: string; before: string | null; after: string | null; by: string | null }[]>(
      person,
      'record_activity',
      { p_table: table, p_id: id },
    );

  test('states and people as they were, of words only that they changed, for whoever sees the record', async () => {
    const task = randomUUID();
    await db.asAdmin(
      `insert into tasks (id, organization_id, site_id, title, created_by) values ($1, $2, $3, 'Log', $4)`,
      [task, world.organization, world.north, world.worker],
    );
    const change = (bv: number, patch: Record<string, unknown>, base: Record<string, unknown>): Edit => ({
      t: 'tasks',
      op: 'update',
      id: task,
      bv,
      patch,
      base,
    });
    await push(world.worker, change(1, { status: 'in_progress' }, { status: 'todo' }));
    await push(world.worker, change(2, { notes: 'My private words' }, { notes: null }));
    await push(world.worker, change(3, { notes: 'Other words' }, { notes: 'My private words' }));
    const log = await activity(world.manager, 'tasks', task);
    expect(log).toMatchObject([
      { field: 'notes', before: null, after: null, by: world.worker },
      { field: 'status', before: 'todo', after: 'in_progress', by: world.worker },
    ]);
    expect(JSON.stringify(log)).not.toContain('words');
    for (const person of [world.colleague, world.stranger]) expect(await activity(person, 'tasks', task)).toEqual([]);
    await expect(activity(world.manager, 'profiles', world.worker)).rejects.toMatchObject({ code: '22023' });
  });
});

test('whoever is named in the second of two comments hears nothing of the first, pushed together or apart', async () => {
  const heard = [];
  for (const isOnePush of [true, false]) {
    const id = randomUUID();
    const here = { organization_id: world.organization, site_id: world.north, title: 'Two comments' };
    await push(world.worker, { t: 'action_items', op: 'insert', id, patch: here });
    const place = { table: 'action_items', id };
    const comments = [say(place), say(place, { mention_ids: [world.manager] })];
    for (const edits of isOnePush ? [comments] : comments.map(one => [one])) await push(world.worker, ...edits);
    const rows = await db.asAdmin('select type from notifications where user_id = $1 and subject_id = $2', [
      world.manager,
      id,
    ]);
    heard.push(rows.map(({ type }) => type));
  }
  expect(heard).toEqual([['comment.mentioned'], ['comment.mentioned']]);
});
