import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addSession,
  bring,
  give,
  helperDevice,
  logged,
  push,
  read,
  relate,
  serveCircle,
  type CircleWorld,
} from './circle-steps.ts';
import type { Client } from './people-by-client.ts';

let circle: CircleWorld;
beforeAll(async () => {
  circle = await serveCircle();
});
afterAll(() => circle.served.stop());

describe('whose the circle is', () => {
  test('nobody but the subject grants, widens or takes up again what was taken back', async () => {
    const relationship = await relate(circle, 'mentor_coach');
    const full = { scope: 'habits', level: 'full', item_ids: null };
    expect(await give(circle, circle.helper, relationship, full)).toMatchObject({ st: 'rejected', code: '42501' });
    expect(
      await give(circle, circle.helper, relationship, { ...full, subject_id: circle.served.world.stranger }),
    ).toMatchObject({
      st: 'rejected',
    });
    const id = await bring(circle, 'revoked', relationship, { scope: 'habits', level: 'full', chosen: false });
    for (const client of [circle.helper, circle.subject]) {
      const back = {
        t: 'consent_grants',
        id,
        op: 'update',
        patch: { revoked_at: null },
        base: { revoked_at: null },
        bv: 2,
      };
      expect((await push(client, back)).st).not.toBe('applied');
    }
    expect((await read(circle.helper, relationship)).parts).toEqual([]);
  });

  test('without the call no row of the person reaches a helper, an administrator of their employer, or support', async () => {
    const relationship = await relate(circle, 'mentor_coach');
    for (const scope of ['goals', 'habits', 'tasks', 'sessions'] as const)
      await bring(circle, 'granted', relationship, { scope, level: 'full', chosen: false });
    await addSession(circle, relationship);
    const { db, world } = circle.served;
    const owned = await db.asAdmin(
      `select table_name as name from information_schema.columns c
       where table_schema = 'public' and column_name = 'user_id'
         and table_name ~ '^(goal|habit|wellness|note_key|cohort_consent)'`,
    );
    const tables = owned.map(({ name }) => String(name));
    expect(tables).toEqual(
      expect.arrayContaining(['goals', 'goal_check_ins', 'habits', 'habit_entries', 'wellness_check_ins', 'note_keys']),
    );
    for (const client of [circle.helper, circle.served.clients.manager, await circle.served.signIn('admin')]) {
      for (const table of tables) {
        const { data } = await client.from(table).select('*').eq('user_id', world.worker);
        expect([table, data]).toEqual([table, []]);
      }
      expect((await client.from('action_items').select('id').eq('id', circle.task)).data).toEqual([]);
      expect((await client.from('circle_sessions').select('id')).data).toEqual([]);
    }
    const device = helperDevice(circle);
    await device.pull();
    const pulled = JSON.stringify([...device.rows.values()].map(({ row }) => row));
    for (const never of ['"Walk"', 'Walk the coast path', 'Call the dentist', 'Talked of the coast', '112.375'])
      expect(pulled).not.toContain(never);
    expect(pulled).toContain(relationship);
    const { error } = await circle.served.clients.manager.rpc('read_circle', { p_relationship: relationship });
    expect(error?.code).toBe('42501');
    const { data: grants } = await circle.served.clients.manager.from('consent_grants').select('*');
    expect(grants).toEqual([]);
  });

  test('what was read offline arrives later with both times; nobody writes down a read of somebody else, or removes one', async () => {
    const relationship = await relate(circle, 'accountability_partner');
    const grant = await bring(circle, 'granted', relationship, { scope: 'wellness', level: 'ok', chosen: false });
    const at = new Date(Date.now() - 3_600_000).toISOString();
    const id = randomUUID();
    const note = {
      t: 'grant_reads',
      id,
      op: 'insert',
      patch: { grant_id: grant, helper_id: circle.served.world.stranger, read_at: at },
    };
    expect(await push(circle.helper, note)).toMatchObject({ st: 'applied' });
    const { data } = await circle.subject
      .from('grant_reads')
      .select('offline, read_at, received_at, scope')
      .eq('id', id)
      .single();
    expect(data).toMatchObject({ offline: true, scope: 'wellness' });
    expect(Date.parse(String(data?.received_at)) - Date.parse(String(data?.read_at))).toBeGreaterThan(3_000_000);
    const forged = { ...note, id: randomUUID(), patch: { ...note.patch, helper_id: circle.served.world.worker } };
    expect(await push(circle.subject, forged)).toMatchObject({ st: 'rejected' });
    expect((await push(circle.helper, { ...note, op: 'delete', patch: {}, bv: 1 })).st).not.toBe('applied');
    expect(
      await circle.served.db.asAdmin('select 1 from grant_reads where id = $1 and deleted_at is null', [id]),
    ).toHaveLength(1);
  });

  test('an invitation says what will be seen, begins with exactly that, and works once', async () => {
    await circle.served.db.asAdmin('delete from circle_relationships');
    const wanted = [{ scope: 'habits', level: 'full', item_ids: [circle.habit] }];
    const made = await circle.subject.rpc('invite_to_circle', {
      p_role: 'accountability_partner',
      p_purpose: 'Winter',
      p_wanted: wanted,
    });
    const { token } = made.data as { token: string };
    const seen = await circle.helper.rpc('circle_invitation', { p_token: token });
    expect(seen.data).toMatchObject({
      role: 'accountability_partner',
      purpose: 'Winter',
      wanted: [{ scope: 'habits', items: 1 }],
    });
    expect(JSON.stringify(seen.data)).not.toContain('Walk');
    expect((await circle.subject.rpc('circle_invitation', { p_token: token })).error?.code).toBe('42501');
    expect((await circle.served.clients.visitor.rpc('circle_invitation', { p_token: token })).error?.code).toBe(
      '42501',
    );
    const joined = await circle.helper.rpc('answer_circle_invitation', { p_token: token, p_accept: true });
    const { relationship } = joined.data as { relationship: string };
    expect(JSON.stringify(await read(circle.helper, relationship))).toContain('Walk');
    const again = await circle.served.clients.colleague.rpc('answer_circle_invitation', {
      p_token: token,
      p_accept: true,
    });
    expect(again.error?.code).toBe('42501');
    const wide = await circle.subject.rpc('invite_to_circle', {
      p_role: 'accountability_partner',
      p_purpose: '',
      p_wanted: [{ scope: 'wellness', level: 'summary' }],
    });
    expect(wide.error?.code).toBe('22023');
  });

  test('a nudge and its reply reach the other side alone, and nobody outside the circle writes', async () => {
    const relationship = await relate(circle, 'accountability_partner');
    const say = (client: Client, from: string) =>
      push(client, {
        t: 'circle_messages',
        id: randomUUID(),
        op: 'insert',
        patch: {
          relationship_id: relationship,
          from_id: from,
          body: 'Keep walking',
          written_at: new Date().toISOString(),
        },
      });
    expect(await say(circle.helper, circle.served.world.stranger)).toMatchObject({ st: 'applied' });
    expect(await say(circle.subject, circle.served.world.worker)).toMatchObject({ st: 'applied' });
    expect(await say(circle.served.clients.manager, circle.served.world.manager)).toMatchObject({ st: 'rejected' });
    expect(await say(circle.helper, circle.served.world.worker)).toMatchObject({ st: 'rejected' });
    expect((await circle.served.clients.manager.from('circle_messages').select('*')).data).toEqual([]);
    const told = await circle.served.db.asAdmin(
      `select user_id, params from notifications where type = 'circle.message'`,
    );
    expect(new Set(told.map(row => row['user_id']))).toEqual(
      new Set([circle.served.world.stranger, circle.served.world.worker, circle.served.world.auditor]),
    );
    expect(JSON.stringify(told)).not.toContain('Keep walking');
  });

  test('an invitation promises nothing that could not be granted, and what has ended meanwhile is left out', async () => {
    await circle.served.db.asAdmin('delete from circle_relationships');
    const invite = (wanted: unknown[], role = 'mentor_coach') =>
      circle.subject.rpc('invite_to_circle', { p_role: role, p_purpose: '', p_wanted: wanted });
    const chosen = (item_ids: unknown[]) =>
      invite([{ scope: 'habits', level: 'full', item_ids }], 'accountability_partner');
    const many = Array.from({ length: 600 }, () => randomUUID());
    for (const refused of [await chosen(many), await chosen(['Walk']), await chosen([circle.habit, circle.habit])])
      expect(refused.error?.code).toBe('22023');
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const made = await invite([
      { scope: 'habits', level: 'full', until: soon },
      { scope: 'wellness', level: 'ok' },
    ]);
    const { token, id } = made.data as { token: string; id: string };
    // Days pass before it is opened.
    await circle.served.db.asAdmin(
      `update circle_invitations set wanted = jsonb_set(wanted, '{0,until}', '"2026-01-01T00:00:00Z"') where id = $1`,
      [id],
    );
    const seen = await circle.helper.rpc('circle_invitation', { p_token: token });
    expect(seen.data).toMatchObject({ wanted: [{ scope: 'wellness' }] });
    const joined = await circle.helper.rpc('answer_circle_invitation', { p_token: token, p_accept: true });
    const { relationship } = joined.data as { relationship: string };
    expect((await read(circle.helper, relationship)).parts).toMatchObject([{ scope: 'wellness' }]);
  });

  test('a relationship is ended, not removed, by either side', async () => {
    const relationship = await relate(circle, 'mentor_coach');
    const remove = { t: 'circle_relationships', id: relationship, op: 'delete', patch: {}, bv: 1 };
    for (const client of [circle.helper, circle.subject])
      expect(await push(client, remove)).toMatchObject({ st: 'rejected', code: '42501' });
    const end = { t: 'circle_relationships', id: relationship, op: 'update', patch: { state: 'ended' }, bv: 1 };
    expect(await push(circle.helper, { ...end, base: { state: 'active' } })).toMatchObject({ st: 'applied' });
  });

  test('nobody is flooded: a hundred words a day to one person, and the other side can still answer', async () => {
    const relationship = await relate(circle, 'accountability_partner');
    const { db, world } = circle.served;
    await db.asAdmin(
      `insert into circle_messages (relationship_id, subject_id, helper_id, from_id, body, written_at)
       select $1, $2, $3, $3, 'Again ' || n, now() from generate_series(1, 100) n`,
      [relationship, world.worker, world.stranger],
    );
    const say = (client: Client, from_id: string) =>
      push(client, {
        t: 'circle_messages',
        id: randomUUID(),
        op: 'insert',
        patch: { relationship_id: relationship, from_id, body: 'One more', written_at: '2026-11-01T00:00:00Z' },
      });
    expect(await say(circle.helper, world.stranger)).toMatchObject({ st: 'rejected', code: 'P0001' });
    expect(await say(circle.subject, world.worker)).toMatchObject({ st: 'applied' });
  });

  test('whoever leaves an organisation keeps goals, habits, check-ins and their circle', async () => {
    const { world } = circle.served;
    const relationship = await relate(circle, 'mentor_coach');
    await bring(circle, 'granted', relationship, { scope: 'habits', level: 'full', chosen: false });
    const held = async () => {
      const own = ['goals', 'goal_milestones', 'goal_check_ins', 'habits', 'habit_entries', 'wellness_check_ins'];
      const counts: [string, number][] = [];
      for (const table of own) counts.push([table, (await circle.subject.from(table).select('id')).data?.length ?? 0]);
      return counts;
    };
    const before = await held();
    expect(before.every(([, count]) => count > 0)).toBe(true);
    const left = await circle.subject.rpc('leave_organization', { p_organization: world.organization });
    expect(left.error).toBeNull();
    expect((await circle.subject.from('organizations').select('id').eq('id', world.organization)).data).toEqual([]);
    expect(await held()).toEqual(before);
    expect((await read(circle.helper, relationship)).parts).toHaveLength(1);
  });

  test('the end of an account takes the circle along; a helper who goes leaves the record of what they read', async () => {
    const { db, world } = circle.served;
    const relationship = await relate(circle, 'mentor_coach');
    const grant = await bring(circle, 'granted', relationship, { scope: 'wellness', level: 'ok', chosen: false });
    await read(circle.helper, relationship);
    await db.asAdmin('select circle.end_circle($1)', [world.stranger]);
    expect(await logged(circle, grant)).toBe(1);
    expect(await db.asAdmin('select state from circle_relationships where id = $1', [relationship])).toEqual([
      { state: 'ended' },
    ]);
    await db.asAdmin('select delete_account($1)', [world.worker]);
    for (const table of ['goals', 'habits', 'wellness_check_ins', 'note_keys', 'habit_entries', 'cohort_consents']) {
      expect(await db.asAdmin(`select 1 from ${table} where user_id = $1`, [world.worker])).toEqual([]);
    }
    expect(await db.asAdmin('select 1 from consent_grants')).toEqual([]);
  });
});
