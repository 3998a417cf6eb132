import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();
beforeEach(() => db.asAdmin('delete from notifications; delete from notification_choices'));

type StoredNotification = { type: string; params: Record<string, unknown>; path: string; is_read: boolean };

const told = async (person: string): Promise<StoredNotification[]> =>
  (await db.asAdmin(
    'select type, params, path, is_read from notifications where user_id = $1 and deleted_at is null order by created_at, type',
    [person],
  )) as StoredNotification[];
const typesOf = async (person: string) => (await told(person)).map(row => row.type);
const unreadOf = async (person: string) => (await told(person)).filter(row => !row.is_read).map(row => row.type);

const notify = (
  person: string,
  key: string = randomUUID(),
  type = 'action.assigned',
  organization: string | null = null,
) =>
  db.asAdmin(`select inbox.notify($1, $2, $3, '/tasks', '{"title":"Brake"}', null, $4) as id`, [
    person,
    type,
    key,
    organization,
  ]);

const deliveries = async (person: string) =>
  db.asAdmin(
    `select d.channel, d.cadence, d.state from inbox.delivery d where d.user_id = $1 order by d.created_at, d.channel`,
    [person],
  );

/** A manager's new action item for the worker. */
async function assign(fields: Record<string, unknown> = {}): Promise<string> {
  const id = randomUUID();
  const patch = {
    organization_id: world.organization,
    site_id: world.north,
    title: 'Mend the brake',
    priority: 'medium',
  };
  const [result] = await testDevice(db, world.manager).push({
    t: 'action_items',
    id,
    op: 'insert',
    patch: { ...patch, assignee_id: world.worker, status: 'assigned', ...fields },
  });
  expect(result?.st).toBe('applied');
  return id;
}

const change = (person: string, id: string, patch: Record<string, unknown>, base: Record<string, unknown>) =>
  testDevice(db, person).push({ t: 'action_items', id, op: 'update', patch, base, bv: 1 });

describe('what is told', () => {
  test('an assigned action item is told to whoever it is for, with who gave it, and reaches their devices', async () => {
    const id = await assign();
    expect(await told(world.worker)).toEqual([
      {
        type: 'action.assigned',
        params: { title: 'Mend the brake', by: 'manager' },
        path: `/action-items/${id}`,
        is_read: false,
      },
    ]);
    expect(await typesOf(world.manager)).toEqual([]);
    const device = testDevice(db, world.worker);
    await device.pull();
    expect([...device.rows.keys()].filter(key => key.startsWith('notifications/'))).toHaveLength(1);
  });

  test('nobody is told of what they gave themselves', async () => {
    await testDevice(db, world.worker).push({
      t: 'action_items',
      op: 'insert',
      patch: { organization_id: world.organization, site_id: world.north, title: 'Mine', assignee_id: world.worker },
    });
    expect(await typesOf(world.worker)).toEqual([]);
  });

  test('a critical one is a matter of safety', async () => {
    await assign({ priority: 'critical' });
    expect(await typesOf(world.worker)).toEqual(['action.critical']);
  });

  test('given to somebody else and back, each is told, and the others need not read on', async () => {
    await db.asAdmin(
      'insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3) on conflict do nothing',
      [world.organization, world.north, world.colleague],
    );
    const id = await assign();
    await change(world.manager, id, { assignee_id: world.colleague }, { assignee_id: world.worker });
    expect([await unreadOf(world.worker), await unreadOf(world.colleague)]).toEqual([[], ['action.assigned']]);
    await change(world.manager, id, { assignee_id: world.worker }, { assignee_id: world.colleague });
    expect([await unreadOf(world.worker), await unreadOf(world.colleague)]).toEqual([['action.assigned'], []]);
  });

  test('a closed action item needs no telling any more', async () => {
    const id = await assign();
    await change(world.manager, id, { status: 'not_valid' }, { status: 'assigned' });
    expect(await unreadOf(world.worker)).toEqual([]);
  });

  test('due within a day and late are each told once, however often the clock strikes', async () => {
    const id = await assign({ due_at: '2026-12-01T12:00:00Z' });
    await db.asAdmin(`update action_items set created_at = '2026-11-01T00:00:00Z' where id = $1`, [id]);
    const sweep = (now: string) => db.asAdmin('select inbox.sweep($1)', [now]);
    await sweep('2026-11-30T11:59:00Z');
    expect(await typesOf(world.worker)).toEqual(['action.assigned']);
    await sweep('2026-11-30T12:00:00Z');
    await Promise.all([sweep('2026-11-30T12:01:00Z'), sweep('2026-11-30T12:01:00Z')]);
    expect(await unreadOf(world.worker)).toEqual(['action.assigned', 'action.due_soon']);
    await sweep('2026-12-01T12:00:01Z');
    await sweep('2026-12-01T12:01:00Z');
    expect(await unreadOf(world.worker)).toEqual(['action.assigned', 'action.overdue']);
  });

  test('a failed inspection is told to the reviewers of its place when it is received, once', async () => {
    const patch = { status: 'finalised', result: 'fail', finished_at: '2026-11-21T09:00:00Z' };
    const device = testDevice(db, world.worker);
    const edit = { t: 'inspections' as const, id: world.inspection, op: 'update' as const, patch, bv: 1 };
    await device.push({ ...edit, base: { status: 'in_progress', result: null, finished_at: null } });
    expect([await typesOf(world.manager), await typesOf(world.admin)]).toEqual([
      ['inspection.failed'],
      ['inspection.failed'],
    ]);
    expect([await typesOf(world.worker), await typesOf(world.colleague), await typesOf(world.auditor)]).toEqual([
      [],
      [],
      [],
    ]);
    await db.asAdmin(`update inspections set score = 1 where id = $1`, [world.inspection]);
    expect(await typesOf(world.manager)).toEqual(['inspection.failed']);
  });

  test('an edit that was refused is told once, one that waits for a choice until it is made', async () => {
    const device = testDevice(db, world.worker);
    const mid = randomUUID();
    const forged = { t: 'sites' as const, id: world.north, op: 'update' as const, patch: { name: 'Mine' }, mid };
    await device.push(forged);
    await device.push(forged);
    expect(await typesOf(world.worker)).toEqual(['sync.refused']);
    const id = await assign();
    await change(world.manager, id, { title: 'A' }, { title: 'Mend the brake' });
    const [answer] = await change(world.worker, id, { title: 'B' }, { title: 'Mend the brake' });
    expect(await unreadOf(world.worker)).toEqual(['sync.refused', 'action.assigned', 'sync.conflict']);
    const cid = answer?.st === 'conflict' ? answer.cid : '';
    await device.push({ t: 'action_items', id, op: 'resolve', conflict: cid });
    expect(await unreadOf(world.worker)).toEqual(['sync.refused', 'action.assigned']);
  });

  test('several edits that wait for a choice are told once; told anew once it was read, and settled with the last of them', async () => {
    const device = testDevice(db, world.worker);
    const conflicts: string[] = [];
    const disagree = async () => {
      const id = await assign();
      await change(world.manager, id, { title: 'A' }, { title: 'Mend the brake' });
      const [answer] = await change(world.worker, id, { title: 'B' }, { title: 'Mend the brake' });
      conflicts.push(answer?.st === 'conflict' ? answer.cid : '');
      return id;
    };
    const settle = (id: string, conflict = '') => device.push({ t: 'action_items', id, op: 'resolve', conflict });
    const waiting = async () => (await unreadOf(world.worker)).filter(type => type === 'sync.conflict').length;
    const [first, second] = [await disagree(), await disagree()];
    expect(await waiting()).toBe(1);
    await settle(first, conflicts[0]);
    expect(await waiting()).toBe(1);
    await db.asAdmin(`update notifications set is_read = true where user_id = $1 and type = 'sync.conflict'`, [
      world.worker,
    ]);
    const third = await disagree();
    expect(await waiting()).toBe(1);
    await settle(third, conflicts[2]);
    expect(await waiting()).toBe(1);
    await settle(second, conflicts[1]);
    expect(await waiting()).toBe(0);
    expect((await typesOf(world.worker)).filter(type => type === 'sync.conflict')).toHaveLength(2);
  });

  test('a sign-in from a browser not seen before is told; the first one and a known one are not', async () => {
    const person = await db.person('device@a.test');
    const signIn = (agent: string) =>
      db.asAdmin('insert into auth.sessions (id, user_id, user_agent) values (gen_random_uuid(), $1, $2)', [
        person,
        agent,
      ]);
    await signIn('Firefox');
    await signIn('Firefox');
    expect(await typesOf(person)).toEqual([]);
    await signIn('Chrome');
    await signIn('Chrome');
    expect(await told(person)).toEqual([
      { type: 'security.new_device', params: { agent: 'Chrome' }, path: '/profile', is_read: false },
    ]);
  });

  test('who signs in again and again, each time as another device, is told at once and of all others once', async () => {
    const person = await db.person('devices@a.test');
    // In one transaction: it does not go across the end of ten minutes.
    await db.asAdmin(
      `insert into auth.sessions (id, user_id, user_agent)
       select gen_random_uuid(), $1, 'agent ' || n from generate_series(0, 7) n`,
      [person],
    );
    expect((await told(person)).map(({ params }) => params)).toEqual([
      { agent: 'agent 1' },
      { agent: 'agent 2', more: 5 },
    ]);
    const emails = await db.asAdmin(
      `select due_at > now() as later from inbox.delivery where user_id = $1 and channel = 'email' order by created_at, due_at`,
      [person],
    );
    expect(emails.map(({ later }) => later)).toEqual([false, true]);
  });

  test('who joins is told to those who manage people there; a private space has nobody to tell', async () => {
    const person = await db.person('newcomer@a.test');
    expect(await typesOf(person)).toEqual([]);
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      world.organization,
      person,
    ]);
    expect((await told(world.admin)).map(row => row.params)).toEqual([{ name: 'newcomer', organization: 'acme' }]);
    expect([await typesOf(world.manager), await typesOf(person)]).toEqual([[], []]);
  });

  test('a fault in telling never refuses the work it tells of', async () => {
    await db.asAdmin(`alter table notifications add constraint broken check (type <> 'action.assigned') not valid`);
    await assign();
    await db.asAdmin('alter table notifications drop constraint broken');
    expect(await typesOf(world.worker)).toEqual([]);
  });
});

describe('told exactly once', () => {
  test('the same key tells once, also when many tell at the same time', async () => {
    const key = randomUUID();
    await Promise.all(Array.from({ length: 8 }, () => notify(world.worker, key)));
    expect(await typesOf(world.worker)).toHaveLength(1);
    expect(await deliveries(world.worker)).toHaveLength(1);
  });

  test('work that is taken back tells nobody', async () => {
    const attempt = db.asAdmin(
      `do $$ begin perform inbox.notify('${world.worker}', 'action.assigned', 'x', '/tasks'); raise exception 'no'; end $$`,
    );
    await expect(attempt).rejects.toThrow('no');
    expect(await typesOf(world.worker)).toEqual([]);
  });

  test('an organisation tells its members only, and takes what it told along when they leave', async () => {
    await notify(world.stranger, 'a', 'action.assigned', world.organization);
    expect(await typesOf(world.stranger)).toEqual([]);
    const leaver = await db.person('leaver@a.test');
    await db.asAdmin('insert into organization_members (organization_id, user_id) values ($1, $2)', [
      world.organization,
      leaver,
    ]);
    await notify(leaver, 'b', 'action.assigned', world.organization);
    const device = testDevice(db, leaver);
    await device.pull();
    const held = () => [...device.rows.keys()].filter(key => key.startsWith('notifications/')).length;
    expect(held()).toBe(1);
    await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
      leaver,
      world.organization,
    ]);
    await device.pull();
    expect(held()).toBe(0);
    const mail = await db.asAdmin(`select * from inbox.claim('email', now() + interval '2 days')`);
    expect(mail.filter(row => row['person'] === leaver)).toEqual([]);
  });
});

describe('read state', () => {
  const mark = (person: string, id: unknown) =>
    testDevice(db, person).push({
      t: 'notifications',
      id: String(id),
      op: 'update',
      patch: { is_read: true },
      base: { is_read: false },
      bv: 1,
    });

  test('two devices that read the same thing without signal make no conflict', async () => {
    const [row] = await notify(world.worker);
    const [first] = await mark(world.worker, row?.['id']);
    const [second] = await mark(world.worker, row?.['id']);
    expect([first?.st, second?.st]).toEqual(['applied', 'merged']);
  });

  test('nobody marks for somebody else, and no device changes what was told', async () => {
    const [row] = await notify(world.worker);
    const [other] = await mark(world.manager, row?.['id']);
    expect(other?.st).toBe('conflict');
    const device = testDevice(db, world.worker);
    const id = String(row?.['id']);
    await device.push({
      t: 'notifications',
      id,
      op: 'update',
      patch: { path: '/else', params: {}, is_read: true },
      base: { is_read: false },
      bv: 1,
    });
    expect(await told(world.worker)).toMatchObject([{ path: '/tasks', params: { title: 'Brake' }, is_read: true }]);
    const [made] = await device.push({ t: 'notifications', op: 'insert', patch: { is_read: false } });
    expect(made?.st).toBe('rejected');
  });

  test('reading in the app cancels the mail that has not gone out', async () => {
    const [row] = await notify(world.worker);
    expect(await deliveries(world.worker)).toEqual([{ channel: 'email', cadence: 'daily', state: 'waiting' }]);
    await mark(world.worker, row?.['id']);
    expect(await deliveries(world.worker)).toEqual([{ channel: 'email', cadence: 'daily', state: 'cancelled' }]);
    expect(await db.asAdmin(`select * from inbox.claim('email', now() + interval '2 days')`)).toEqual([]);
  });
});

describe('who chose what', () => {
  const choose = (type: string, channel: string, cadence: string) =>
    testDevice(db, world.worker).push({
      t: 'notification_choices',
      op: 'insert',
      patch: { user_id: world.worker, type, channel, cadence },
    });

  test('a choice holds for what comes and for what already waits', async () => {
    await notify(world.worker);
    await choose('action.assigned', 'email', 'off');
    expect(await deliveries(world.worker)).toEqual([{ channel: 'email', cadence: 'daily', state: 'cancelled' }]);
    await notify(world.worker);
    expect(await deliveries(world.worker)).toHaveLength(1);
  });

  test('what concerns safety and security is not to be chosen, and goes out at once in quiet hours too', async () => {
    const [refused] = await choose('action.critical', 'email', 'off');
    expect(refused?.st).toBe('rejected');
    await db.asAdmin(
      `update user_preferences set quiet_hours_enabled = true, quiet_hours_start = '00:00', quiet_hours_end = '23:59', email_notifications = false`,
    );
    await notify(world.worker, 'k', 'action.critical');
    const mail = await db.asAdmin(`select type, cadence from inbox.claim('email')`);
    expect(mail).toEqual([{ type: 'action.critical', cadence: 'immediate' }]);
    await db.asAdmin(`update user_preferences set quiet_hours_enabled = false, email_notifications = true`);
  });

  test('mail switched off altogether and the switch for deadlines are kept to', async () => {
    await db.asAdmin(`update user_preferences set notification_settings = '{"task_deadlines": false}'`);
    await notify(world.worker, 'due', 'action.due_soon');
    await notify(world.worker, 'given');
    expect(await deliveries(world.worker)).toHaveLength(1);
    await db.asAdmin(`update user_preferences set email_notifications = false`);
    expect(await deliveries(world.worker)).toMatchObject([{ state: 'cancelled' }]);
    await db.asAdmin(`update user_preferences set email_notifications = true, notification_settings = '{}'`);
  });

  test('other hours move what waits', async () => {
    await notify(world.worker);
    await db.asAdmin(`update user_preferences set notification_time = '17:15', timezone = 'Asia/Kathmandu'`);
    const [row] = await db.asAdmin(
      `select (due_at at time zone 'Asia/Kathmandu')::time::text as local from inbox.delivery`,
    );
    expect(row).toEqual({ local: '17:15:00' });
  });
});

describe('handing out what goes out', () => {
  const claimAll = () => db.asAdmin(`select delivery, person from inbox.claim('email', now() + interval '2 days')`);

  test('two servers that ask at the same time never get the same mail, and one person only from one of them', async () => {
    const people = [world.worker, world.manager, world.admin, world.colleague];
    for (const person of people) for (let n = 0; n < 5; n++) await notify(person);
    const rounds = await Promise.all(Array.from({ length: 6 }, claimAll));
    const all = rounds.flat().map(row => row['delivery']);
    expect([all.length, new Set(all).size]).toEqual([20, 20]);
    for (const person of people) {
      expect(rounds.filter(rows => rows.some(row => row['person'] === person))).toHaveLength(1);
    }
  });

  test('what a dead server had claimed is never sent again', async () => {
    await notify(world.worker);
    expect(await claimAll()).toHaveLength(1);
    expect(await claimAll()).toEqual([]);
    await db.asAdmin(`select inbox.sweep(now() + interval '11 minutes')`);
    expect(await claimAll()).toEqual([]);
    expect(await db.asAdmin('select state, error from inbox.delivery')).toEqual([
      { state: 'failed', error: 'unknown' },
    ]);
  });

  test('what surely did not go out is tried again, later each time, five times in all', async () => {
    await notify(world.worker);
    const waits: number[] = [];
    for (let n = 0; n < 5; n++) {
      const [row] = await claimAll();
      await db.asAdmin(`select inbox.record_delivery(array[$1::uuid], 'again', 'refused')`, [row?.['delivery']]);
      const [left] = await db.asAdmin(
        'select state, round(extract(epoch from due_at - now()) / 60)::int as wait from inbox.delivery',
      );
      if (left?.['state'] === 'waiting') waits.push(Number(left['wait']));
    }
    expect(waits).toEqual([1, 4, 16, 64]);
    expect(await db.asAdmin('select state from inbox.delivery')).toEqual([{ state: 'failed' }]);
  });
});

describe('push subscriptions', () => {
  const save = (person: string, endpoint: string) =>
    db.rpc(person, 'save_push_subscription', {
      p_endpoint: endpoint,
      p_p256dh: 'B'.repeat(87),
      p_auth: 'a'.repeat(22),
    });
  const targets = async (person: string) =>
    (await db.asAdmin('select endpoint from inbox.push_targets($1) order by 1', [person])).map(row => row['endpoint']);

  test('a browser belongs to whoever signed in there last, and only they can take it away', async () => {
    await save(world.worker, 'https://push.test/1');
    await save(world.manager, 'https://push.test/1');
    expect([await targets(world.worker), await targets(world.manager)]).toEqual([[], ['https://push.test/1']]);
    await db.rpc(world.worker, 'remove_push_subscription', { p_endpoint: 'https://push.test/1' });
    expect(await targets(world.manager)).toHaveLength(1);
    await db.rpc(world.manager, 'remove_push_subscription', { p_endpoint: 'https://push.test/1' });
    expect(await targets(world.manager)).toEqual([]);
  });

  test('it ends with the sign-in that asked for it', async () => {
    const session = randomUUID();
    await db.asAdmin('insert into auth.sessions (id, user_id) values ($1, $2)', [session, world.worker]);
    await save(world.worker, 'https://push.test/2');
    await db.asAdmin('update inbox.push_subscription set session_id = $1', [session]);
    expect(await targets(world.worker)).toHaveLength(1);
    await db.asAdmin('delete from auth.sessions where id = $1', [session]);
    expect(await targets(world.worker)).toEqual([]);
  });

  test('an address that is none and keys that are none are refused', async () => {
    await expect(save(world.worker, 'file:///etc/passwd')).rejects.toMatchObject({ code: '23514' });
    await expect(
      db.rpc(world.worker, 'save_push_subscription', { p_endpoint: 'https://push.test/3', p_p256dh: 'x', p_auth: 'y' }),
    ).rejects.toMatchObject({ code: '23514' });
  });
});
