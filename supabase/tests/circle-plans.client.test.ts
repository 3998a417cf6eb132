import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bring, push, relate, serveCircle, type CircleWorld, type State } from './circle-steps.ts';
import type { Client } from './people-by-client.ts';

let circle: CircleWorld;
let relationship: string;
beforeAll(async () => {
  circle = await serveCircle();
});
beforeEach(async () => {
  await circle.served.db.asAdmin('delete from inbox.delivery; delete from notifications');
  relationship = await relate(circle, 'mentor_coach');
});
afterAll(() => circle.served.stop());

const HOUR_MS = 3_600_000;
const SHARED = { scope: 'sessions', level: 'full', chosen: false } as const;
const inHours = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();
const person = () => circle.served.world.worker;
const helper = () => circle.served.world.stranger;

/** Plans a session for tomorrow, as its author does. @returns its id */
async function plan(client: Client, author: string, at = inHours(24)): Promise<string> {
  const id = randomUUID();
  const patch = {
    relationship_id: relationship,
    author_id: author,
    subject_id: person(),
    at,
    state: 'planned',
    note: 'The coast',
  };
  expect(await push(client, { t: 'circle_sessions', id, op: 'insert', patch })).toMatchObject({ st: 'applied' });
  return id;
}

const edit = (client: Client, id: string, patch: Record<string, unknown>, base: Record<string, unknown>, bv = 1) =>
  push(client, { t: 'circle_sessions', id, op: 'update', patch, base, bv });
const missed = { state: 'missed', reason: 'The train stood still' };
const wasPlanned = { state: 'planned', reason: '' };

const stateOf = async (id: string) =>
  (await circle.served.db.asAdmin('select state from circle_sessions where id = $1', [id]))[0]?.['state'];

/** What a person was told, the oldest first. */
const told = async (user: string, type = 'circle.session%') =>
  (
    await circle.served.db.asAdmin(
      `select type, params, path, is_read from notifications where user_id = $1 and type like $2 order by created_at, key`,
      [user, type],
    )
  ).map(row => `${String(row['type']).slice('circle.session'.length)}${row['is_read'] ? ' read' : ''}`);
const logged = async () =>
  (await circle.served.db.asAdmin(`select 1 from grant_reads where scope = 'sessions'`)).length;

describe('a planned session of a helper', () => {
  test('is heard of and seen by the person, and by nobody else', async () => {
    const id = await plan(circle.helper, helper());
    expect(await told(person())).toEqual(['_planned']);
    expect(await told(helper())).toEqual([]);
    const seen = async (client: Client) => (await client.from('circle_sessions').select('id')).data ?? [];
    expect(await seen(circle.subject)).toEqual([{ id }]);
    const { colleague, manager, visitor } = circle.served.clients;
    for (const client of [colleague, manager, visitor]) expect(await seen(client)).toEqual([]);
    for (const client of [colleague, manager])
      expect(await edit(client, id, missed, wasPlanned)).not.toMatchObject({ st: 'applied' });
    expect(await stateOf(id)).toBe('planned');
  });

  test('is moved and written down by its author; the person is told of each once', async () => {
    const at = inHours(24);
    const id = await plan(circle.helper, helper(), at);
    expect(await edit(circle.helper, id, { at: inHours(48) }, { at })).toMatchObject({ st: 'applied' });
    expect(await edit(circle.helper, id, { note: 'The coast, and rest' }, { note: 'The coast' }, 2)).toMatchObject({
      st: 'applied',
    });
    expect(await told(person())).toEqual(['_planned', '_changed']);
    const held = { state: 'held', note: 'Talked of rest' };
    expect(await edit(circle.helper, id, held, { state: 'planned', note: 'The coast, and rest' }, 3)).toMatchObject({
      st: 'applied',
    });
    expect(await told(person())).toEqual(['_planned', '_changed', '']);
  });

  test('is said by the person to have been missed, once, and nothing else of it is theirs', async () => {
    const id = await plan(circle.helper, helper());
    const refused = { st: 'rejected', code: '42501' };
    expect(await edit(circle.subject, id, { note: 'Other words' }, { note: 'The coast' })).toMatchObject(refused);
    const remove = { t: 'circle_sessions', id, op: 'delete', patch: {}, bv: 1 };
    expect(await push(circle.subject, remove)).toMatchObject(refused);
    expect(await edit(circle.subject, id, missed, wasPlanned)).toMatchObject({ st: 'applied' });
    expect(await told(helper())).toEqual(['_changed']);
    const again = await edit(circle.subject, id, { state: 'held' }, { state: 'missed' }, 2);
    expect(again).toMatchObject(refused);
    const { data } = await circle.helper.from('circle_sessions').select('state, reason');
    expect(data).toEqual([missed]);
    // What the person said of it is not taken away by the other.
    expect(await push(circle.helper, { ...remove, bv: 2 })).toMatchObject(refused);
    expect((await circle.subject.from('circle_sessions').select('id')).data).toEqual([{ id }]);
  });
});

test('what the person said of a session is rewritten by nobody; its words stay their author’s', async () => {
  const at = inHours(24);
  const id = await plan(circle.helper, helper(), at);
  const ill = { state: 'cancelled', reason: 'I am ill' };
  expect(await edit(circle.subject, id, ill, wasPlanned)).toMatchObject({ st: 'applied' });
  const refused = { st: 'rejected', code: '42501' };
  for (const [patch, base] of [
    [{ state: 'missed' }, { state: 'cancelled' }],
    [{ reason: 'Did not come' }, { reason: 'I am ill' }],
    [{ at: inHours(48) }, { at }],
    [{ state: 'planned' }, { state: 'cancelled' }],
  ] as const)
    expect(await edit(circle.helper, id, patch, base, 2)).toMatchObject(refused);
  expect(await edit(circle.helper, id, { note: 'Another time' }, { note: 'The coast' }, 2)).toMatchObject({
    st: 'applied',
  });
  const [row] = await circle.served.db.asAdmin(
    'select state, reason, concluded_by from circle_sessions where id = $1',
    [id],
  );
  expect(row).toEqual({ ...ill, concluded_by: person() });
});

describe('a planned session of the person', () => {
  const heard: [State, string[]][] = [
    ['granted', ['_planned']],
    ['not granted', []],
    ['revoked', []],
    ['expired', []],
  ];
  test.each(heard)(
    'is heard of by a helper with a grant that is %s: %j, and each hearing is logged',
    async (state, expected) => {
      await circle.served.db.asAdmin('delete from grant_reads');
      await bring(circle, state, relationship, SHARED);
      await plan(circle.subject, person());
      expect([await told(helper()), await told(person()), await logged()]).toEqual([expected, [], expected.length]);
    },
  );

  test('is mended by the person in a pause, of which the helper hears nothing', async () => {
    await bring(circle, 'granted', relationship, SHARED);
    const at = inHours(24);
    const id = await plan(circle.subject, person(), at);
    await circle.served.db.asAdmin(`update circle_relationships set state = 'paused' where id = $1`, [relationship]);
    await circle.served.db.asAdmin('delete from notifications; delete from inbox.sweep_mark; delete from grant_reads');
    expect(await edit(circle.subject, id, { at: inHours(48) }, { at })).toMatchObject({ st: 'applied' });
    expect([await told(helper()), await logged()]).toEqual([[], 0]);
  });

  test('is never a row of the helper, nor theirs to change, also under a grant', async () => {
    await bring(circle, 'granted', relationship, SHARED);
    const id = await plan(circle.subject, person());
    expect((await circle.helper.from('circle_sessions').select('id')).data).toEqual([]);
    expect(await edit(circle.helper, id, missed, wasPlanned)).not.toMatchObject({ st: 'applied' });
    expect(await stateOf(id)).toBe('planned');
  });
});

describe('by the clock', () => {
  const sweep = (now: string) => circle.served.db.asAdmin('select circle.sweep_sessions($1)', [now]);
  const setZone = () =>
    circle.served.db.asAdmin(
      `insert into user_preferences (user_id, timezone, notification_time) values ($1, 'Europe/Berlin', '08:30')
        on conflict (user_id) do update set timezone = 'Europe/Berlin', notification_time = '08:30'`,
      [person()],
    );
  const held = (author: string, at: string) =>
    circle.served.db.asAdmin(
      `insert into circle_sessions (relationship_id, subject_id, helper_id, author_id, at, state, created_at) values ($1, $2, $3, $4, $5, 'held', $5)`,
      [relationship, person(), helper(), author, at],
    );

  test('both are told an hour before, once, and not of one that was called off', async () => {
    const at = inHours(24);
    const id = await plan(circle.helper, helper(), at);
    const before = (minutes: number) => new Date(Date.parse(at) - minutes * 60_000).toISOString();
    await sweep(before(61));
    expect(await told(person(), '%soon')).toEqual([]);
    await sweep(before(60));
    await sweep(before(59));
    expect([await told(person(), '%soon'), await told(helper(), '%soon')]).toEqual([['_soon'], ['_soon']]);
    await edit(circle.helper, id, { state: 'cancelled' }, { state: 'planned' });
    expect(await told(person(), '%soon')).toEqual(['_soon read']);
    await circle.served.db.asAdmin('delete from notifications');
    await sweep(before(30));
    expect(await told(person(), '%soon')).toEqual([]);
  });

  test('of one the person planned, a helper without a grant is told nothing, and one with a grant is logged', async () => {
    const at = inHours(24);
    await plan(circle.subject, person(), at);
    const near = new Date(Date.parse(at) - HOUR_MS).toISOString();
    await sweep(near);
    expect([await told(person(), '%soon'), await told(helper(), '%soon')]).toEqual([['_soon'], []]);
    await circle.served.db.asAdmin('delete from notifications; delete from inbox.sweep_mark; delete from grant_reads');
    await circle.served.db.asAdmin(
      `insert into consent_grants (relationship_id, subject_id, helper_id, role, scope, level, valid_from)
        values ($1, $2, $3, 'mentor_coach', 'sessions', 'full', now())`,
      [relationship, person(), helper()],
    );
    await sweep(near);
    expect([await told(helper(), '%soon'), await logged()]).toEqual([['_soon'], 1]);
  });

  test('the rhythm reminds two days before the next one, at the person’s own time, once, unless one is planned', async () => {
    await setZone();
    await circle.served.db.asAdmin(`update circle_relationships set cadence_days = 14 where id = $1`, [relationship]);
    await held(person(), '2026-11-02T23:30:00Z');
    // 00:30 on the third in Berlin: due on the seventeenth, said on the fifteenth at half past eight.
    await sweep('2026-11-14T07:30:00Z');
    await sweep('2026-11-15T07:29:00Z');
    expect(await told(person())).toEqual([]);
    await sweep('2026-11-15T07:30:00Z');
    await sweep('2026-11-16T07:30:00Z');
    expect(await told(person())).toEqual(['_due']);
    // The helper was granted nothing, and wrote down nothing themselves.
    await sweep('2026-11-16T09:30:00Z');
    expect(await told(helper())).toEqual([]);
    await plan(circle.subject, person());
    expect(await told(person(), '%due')).toEqual(['_due read']);
    await circle.served.db.asAdmin('delete from notifications');
    await sweep('2026-11-15T07:30:00Z');
    expect(await told(person(), '%due')).toEqual([]);
  });

  test('a helper is reminded by the sessions they wrote themselves, and nobody in a pause or in quiet mode', async () => {
    await setZone();
    await circle.served.db.asAdmin(`update circle_relationships set cadence_days = 7 where id = $1`, [relationship]);
    await held(helper(), '2026-11-02T10:00:00Z');
    await circle.served.db.asAdmin(`update circle_relationships set state = 'paused' where id = $1`, [relationship]);
    await sweep('2026-11-07T09:00:00Z');
    expect([await told(person(), '%due'), await told(helper(), '%due')]).toEqual([[], []]);
    await circle.served.db.asAdmin(`update circle_relationships set state = 'active' where id = $1`, [relationship]);
    await circle.served.db.asAdmin(
      `insert into wellness_settings (user_id, quiet_until) values ($1, '2026-11-08T00:00:00Z')
        on conflict (user_id) do update set quiet_until = '2026-11-08T00:00:00Z'`,
      [person()],
    );
    await sweep('2026-11-07T09:00:00Z');
    expect([await told(person(), '%due'), await told(helper(), '%due')]).toEqual([[], ['_due']]);
  });
});
