import { randomUUID } from 'node:crypto';
import { derivedId } from '@cairn/base/id.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addSession, bring, push, read, relate, serveCircle, type CircleWorld } from './circle-steps.ts';
import type { Client } from './people-by-client.ts';

let circle: CircleWorld;
beforeAll(async () => {
  circle = await serveCircle();
});
afterAll(() => circle.served.stop());

const AT = '2026-11-21T08:00:00.000Z';
const STEP = { id: randomUUID(), title: 'Walk on Sunday', due_on: '2026-11-29' };

/** Both sides push a session the same way; who writes it is the author. */
const write = (client: Client, relationship: string, author: string, part: Record<string, unknown> = {}) =>
  push(client, {
    t: 'circle_sessions',
    id: randomUUID(),
    op: 'insert',
    patch: {
      relationship_id: relationship,
      author_id: author,
      subject_id: circle.served.world.worker,
      at: AT,
      note: 'Agreed on Sunday',
      next_steps: [STEP],
      ...part,
    },
  });

describe('a session', () => {
  test('that a helper writes is theirs and the person’s; one the person writes is read under a grant alone', async () => {
    const { subject, helper, served } = circle;
    const relationship = await relate(circle, 'mentor_coach');
    expect(await write(helper, relationship, served.world.stranger)).toMatchObject({ st: 'applied' });
    await addSession(circle, relationship);
    const notes = async (client: Client) =>
      ((await client.from('circle_sessions').select('note').order('at')).data ?? []).map(row => row.note);
    expect(await notes(subject)).toEqual(['Agreed on Sunday', 'Talked of the coast']);
    expect(await notes(helper)).toEqual(['Agreed on Sunday']);
    expect(await notes(served.clients.manager)).toEqual([]);
    await bring(circle, 'granted', relationship, { scope: 'sessions', level: 'full', chosen: false });
    const [part] = (await read(helper, relationship)).parts;
    expect(JSON.stringify(part?.data)).toContain('Talked of the coast');
  });

  test('is written by one of the two, in a role that has sessions, while they have to do with each other', async () => {
    const { helper, served } = circle;
    const { stranger, worker, manager } = served.world;
    const mentor = await relate(circle, 'mentor_coach');
    expect(await write(helper, mentor, worker)).toMatchObject({ st: 'rejected', code: '42501' });
    expect(await write(served.clients.manager, mentor, manager)).toMatchObject({ st: 'rejected', code: '42501' });
    expect(await write(helper, mentor, stranger, { next_steps: [{ title: 'No id' }] })).toMatchObject({
      code: '22023',
    });
    await served.db.asAdmin(`update circle_relationships set state = 'paused'`);
    expect(await write(helper, mentor, stranger)).toMatchObject({ st: 'rejected', code: '42501' });
    const operator = await relate(circle, 'triad_intelligence_operator');
    expect(await write(helper, operator, stranger)).toMatchObject({ st: 'rejected', code: '42501' });
  });
});

describe('acting for somebody', () => {
  const act = (relationship: string, p_act: string, p_item: string, p_title?: string) =>
    circle.helper.rpc('act_for', { p_relationship: relationship, p_act, p_item, ...(p_title && { p_title }) });
  const acting = { scope: 'tasks', level: 'act', chosen: false } as const;

  test('does one thing in their private space, in their name, and both read who did it for whom', async () => {
    const { served, subject, helper, task } = circle;
    const relationship = await relate(circle, 'managed_admin');
    expect((await act(relationship, 'task_done', task)).error?.code).toBe('42501');
    await bring(circle, 'granted', relationship, acting);
    expect((await act(relationship, 'task_done', task)).error).toBeNull();
    const wanted = randomUUID();
    const { data: added, error } = await act(relationship, 'task_added', wanted, 'Renew the passport');
    expect(error).toBeNull();
    expect(added).not.toBe(wanted);
    const rows = await served.db.asAdmin('select id, status, created_by from action_items where id = any ($1)', [
      [task, added],
    ]);
    expect(rows.map(row => [row['id'] === task, row['status'], row['created_by'] === served.world.worker])).toEqual(
      expect.arrayContaining([
        [true, 'closed', true],
        [false, 'open', true],
      ]),
    );
    for (const client of [subject, helper]) {
      const { data } = await client.from('circle_acts').select('act, title, helper_id, subject_id').order('at');
      expect(data).toEqual([
        {
          act: 'task_done',
          title: 'Call the dentist',
          helper_id: served.world.stranger,
          subject_id: served.world.worker,
        },
        {
          act: 'task_added',
          title: 'Renew the passport',
          helper_id: served.world.stranger,
          subject_id: served.world.worker,
        },
      ]);
    }
  });

  test('reaches nothing of an organisation and nothing of anybody else, and is over when the grant is', async () => {
    const { served, helper, subject } = circle;
    const relationship = await relate(circle, 'managed_admin');
    const grant = await bring(circle, 'granted', relationship, acting);
    for (const item of [served.world.action, randomUUID()]) {
      expect((await act(relationship, 'task_done', item)).error?.code).toBe('42501');
    }
    const rest = { t: 'consent_grants', id: grant, op: 'update', bv: 1 };
    await push(subject, { ...rest, patch: { revoked_at: AT }, base: { revoked_at: null } });
    expect((await act(relationship, 'task_added', randomUUID(), 'Late')).error?.code).toBe('42501');
    const { data } = await helper.from('action_items').select('id').eq('title', 'Late');
    expect(data).toEqual([]);
  });

  test('says nothing of an id of others: a task has one of its own, whether that stands for something or not', async () => {
    const { db, world } = circle.served;
    const relationship = await relate(circle, 'managed_admin');
    await bring(circle, 'granted', relationship, acting);
    const corrective = derivedId(world.inspection, `action/${randomUUID()}`);
    const without = await act(relationship, 'task_added', corrective, 'Is it there?');
    await db.asAdmin(
      `insert into action_items (id, organization_id, title, status, priority, created_by) values ($1, $2, 'Theirs', 'open', 'low', $3)`,
      [corrective, world.organization, world.manager],
    );
    const within = await act(relationship, 'task_added', corrective, 'Is it there?');
    expect([without.error, within.error]).toEqual([null, null]);
    expect([without.data, within.data]).not.toContain(corrective);
    const [theirs] = await db.asAdmin('select title from action_items where id = $1', [corrective]);
    expect(theirs).toEqual({ title: 'Theirs' });
  });

  test('asks for no second step of the person, which the session of the helper cannot have', async () => {
    const { db, world } = circle.served;
    const relationship = await relate(circle, 'managed_admin');
    await bring(circle, 'granted', relationship, acting);
    const factor = randomUUID();
    await db.asAdmin(
      `insert into auth.mfa_factors (id, user_id, factor_type, status) values ($1, $2, 'totp', 'verified')`,
      [factor, world.worker],
    );
    const { data: item, error } = await act(relationship, 'task_added', randomUUID(), 'Post the letter');
    const answers = [error];
    for (const step of ['task_done', 'task_reopened'])
      answers.push((await act(relationship, step, String(item))).error);
    await db.asAdmin('delete from auth.mfa_factors where id = $1', [factor]);
    expect(answers).toEqual([null, null, null]);
  });

  test('is granted for a month at most', async () => {
    const relationship = await relate(circle, 'managed_admin');
    const id = await bring(circle, 'granted', relationship, acting);
    await circle.served.db.asAdmin(`update consent_grants set valid_until = null where id = $1`, [id]);
    const [row] = await circle.served.db.asAdmin(
      `select valid_until <= created_at + interval '31 days' as bound from consent_grants where id = $1`,
      [id],
    );
    expect(row?.['bound']).toBe(true);
  });
});
