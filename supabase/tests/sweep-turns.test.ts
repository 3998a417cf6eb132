import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { entryId } from '@cairn/core/habits/save-habit.ts';
import { addRow } from './add-row.ts';
import { testDevice } from './device.ts';
import { push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';
import { setPlan } from './workflow-fixture.ts';

/** What one account piles up takes nobody else's turn: budgets, turns and bounds of what is told by the clock. */
setUpWorld();

let desk: PolicyFixture;
let pair: string;
beforeAll(async () => {
  desk = new PolicyFixture(db, world);
  const [given] = await db.asAdmin('select id from circle_relationships where subject_id = $1 limit 1', [world.worker]);
  pair = String(given?.['id']);
});

/** The seconds of a round: none, as after a search that took longer than they are. */
const seconds = (count: number) =>
  db.asAdmin(
    `create or replace function inbox.sweep_deadline() returns timestamptz language sql volatile set search_path = '' as $$
       select clock_timestamp() + interval '${count} seconds' $$`,
  );
beforeEach(() =>
  db.asAdmin(
    'delete from notifications; delete from inbox.sweep_mark; delete from habits; update wellness_settings set check_in_at = null',
  ),
);
afterEach(() => seconds(2));

const toldOf = async (type: string): Promise<string[]> =>
  (await db.asAdmin('select user_id from notifications where type = $1 order by user_id', [type])).map(row =>
    String(row['user_id']),
  );
const both = () => [world.worker, world.stranger].toSorted();
const NOW = '2026-11-21T20:00:00Z';
const habit = (person: string, more: Record<string, unknown> = {}) =>
  addRow(db, 'habits', {
    user_id: person,
    name: 'Walk',
    kind: 'yes_no',
    target_kind: 'at_least',
    times: 1,
    per_days: 1,
    position: 0,
    started_on: '2026-11-01',
    remind_at: '20:00',
    ...more,
  });
const setUtc = (person: string) =>
  db.asAdmin(
    `insert into user_preferences (user_id, timezone, notification_time) values ($1, 'UTC', '20:00')
      on conflict (user_id) do update set timezone = 'UTC', notification_time = '20:00'`,
    [person],
  );

describe('with no second left when the search is over, one of each is told of', () => {
  beforeAll(async () => {
    await setUtc(world.worker);
    await setUtc(world.stranger);
  });
  beforeEach(() => seconds(-1));

  test('habits: one of each person, the rest in later rounds', async () => {
    for (let n = 0; n < 20; n += 1) await habit(world.worker);
    await habit(world.stranger);
    await db.asAdmin('select growth.sweep_growth($1)', [NOW]);
    expect(await toldOf('habit.reminder')).toEqual(both());
    await db.asAdmin('select growth.sweep_growth($1)', [NOW]);
    expect(await toldOf('habit.reminder')).toHaveLength(3);
  });

  test('check-ins', async () => {
    await db.asAdmin(
      `insert into wellness_settings (user_id, check_in_at) select unnest($1::uuid[]), '20:00'
        on conflict (user_id) do update set check_in_at = '20:00'`,
      [both()],
    );
    await db.asAdmin('select growth.sweep_growth($1)', ['2026-11-22T20:00:00Z']);
    expect(await toldOf('wellness.reminder')).toEqual(both());
  });

  test('acknowledgements: policy by policy, and the next round begins with those that had no turn', async () => {
    await db.asAdmin(`update acknowledgement_campaigns set state = 'ended'`);
    for (const title of ['One', 'Two', 'Three']) {
      const { policy } = await desk.inForce(title);
      await desk.ask(policy, { kind: 'people', ids: [world.worker] }, 14);
    }
    const rounds: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await db.asAdmin('select policy.sweep_acknowledgements()');
      rounds.push((await toldOf('policy.requested')).length);
    }
    expect(rounds).toEqual([1, 2, 3]);
  });

  test('approvals: request by request', async () => {
    await db.asAdmin(`update approval_requests set state = 'withdrawn' where state = 'pending'`);
    for (const title of ['Four', 'Five']) {
      const { version } = await desk.draft(title);
      await desk.submit(version, [{ name: '', rule: 'all', people: [world.admin] }]);
    }
    await db.asAdmin('delete from notifications');
    const rounds: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await db.asAdmin('select inbox.sweep_approvals()');
      rounds.push((await toldOf('approval.requested')).length);
    }
    expect(rounds).toEqual([1, 2]);
  });
});

describe('a habit', () => {
  test('has one entry a day, by its derived id alone; two devices make one of it', async () => {
    const id = await habit(world.worker);
    const entry = (value: string, key: string = entryId(id, '2026-11-20')) => ({
      t: 'habit_entries' as const,
      id: key,
      op: 'insert' as const,
      patch: { user_id: world.worker, habit_id: id, day: '2026-11-20', value },
    });
    expect(await push(world.worker, entry('done', randomUUID()))).toMatchObject([
      { st: 'rejected', code: '23514', msg: 'id_is_derived' },
    ]);
    expect((await push(world.worker, entry('no')))[0]?.st).toBe('applied');
    expect((await push(world.worker, entry('done')))[0]?.st).not.toBe('rejected');
    const moved = { t: 'habit_entries' as const, id: entryId(id, '2026-11-20'), op: 'update' as const, bv: 1 };
    expect(
      await push(world.worker, { ...moved, patch: { day: '2026-11-19' }, base: { day: '2026-11-20' } }),
    ).toMatchObject([{ st: 'rejected' }]);
    expect(await db.asAdmin('select day::text from habit_entries where habit_id = $1', [id])).toEqual([
      { day: '2026-11-20' },
    ]);
  });

  test('with an amount counts the days it counted when each was looked at alone', async () => {
    for (const [n, rule] of [
      { target_kind: 'at_least', target: 5, per_days: 3 },
      { target_kind: 'at_least', target: 0, per_days: 2 },
      { target_kind: 'at_most', target: 4, per_days: 4 },
      { target_kind: 'at_least', target: 2, per_days: 1 },
    ].entries()) {
      const id = await habit(world.worker, { kind: 'number', ...rule, remind_at: null });
      const said = new Map<number, number | null>();
      for (let day = 1; day <= 28; day += 1) {
        if ((day * 7 + n) % 3 === 0) continue;
        said.set(day, (day * 5 + n) % 6 === 0 ? null : (day * 5 + n) % 4);
      }
      await db.asAdmin(
        `insert into habit_entries (user_id, habit_id, day, value, amount)
           select $1, $2, ('2026-11-' || lpad(key, 2, '0'))::date, 'done', value::numeric from jsonb_each_text($3)`,
        [world.worker, id, Object.fromEntries(said)],
      );
      const { target, per_days: stretch, target_kind: kind } = rule;
      const sum = (from: number, until: number) =>
        [...said].reduce((all, [day, amount]) => all + (day >= from && day <= until ? (amount ?? 0) : 0), 0);
      const counts = (day: number) => (said.get(day) ?? 0) > 0 || target === 0;
      const meets = (day: number) =>
        kind === 'at_most'
          ? sum(day - stretch + 1, day) <= target
          : counts(day) &&
            [...said.keys()].some(
              from => from > day - stretch && from <= day && counts(from) && sum(from, from + stretch - 1) >= target,
            );
      const wanted = [...said.keys()].filter(day => day >= 10 && day <= 20 && meets(day));
      const rows = await db.asAdmin(
        `select extract(day from day)::int as day from growth.habit_days_done($1, '2026-11-10', '2026-11-20') where habit_id = $2 order by 1`,
        [world.worker, id],
      );
      expect(rows.map(row => row['day'])).toEqual(wanted);
    }
  });

  test('is reminded of with 199 others at most', async () => {
    await db.asAdmin(
      `insert into habits (user_id, name, started_on, remind_at) select $1, 'Walk', '2026-11-01', '20:00' from generate_series(1, 200)`,
      [world.worker],
    );
    const more = (remind_at: string | null) => ({
      t: 'habits' as const,
      op: 'insert' as const,
      patch: { user_id: world.worker, name: 'One more', started_on: '2026-11-01', remind_at },
    });
    expect(await push(world.worker, more('20:00'), more(null))).toMatchObject([
      { st: 'rejected', code: '23514' },
      { st: 'applied' },
    ]);
  });
});

describe('bounds', () => {
  test('a policy asks by 50 campaigns at once', async () => {
    const { policy } = await desk.inForce('Asked often');
    await db.asAdmin(
      `insert into acknowledgement_campaigns (organization_id, policy_id, audience) select $1, $2, '{"kind": "all"}' from generate_series(1, 50)`,
      [world.organization, policy],
    );
    const patch = { organization_id: world.organization, policy_id: policy, audience: { kind: 'all' } };
    const ask = () => push(world.admin, { t: 'acknowledgement_campaigns', op: 'insert', patch });
    expect(await ask()).toMatchObject([{ st: 'rejected', code: '23514' }]);
    await db.asAdmin(
      `update acknowledgement_campaigns set state = 'ended' where id in (select id from acknowledgement_campaigns where policy_id = $1 limit 1)`,
      [policy],
    );
    expect(await ask()).toMatchObject([{ st: 'applied' }]);
    await db.asAdmin(`update acknowledgement_campaigns set state = 'ended'`);
  });

  test('a person names 50 deputies at once; each stands in once, whatever was given twice', async () => {
    await setPlan('enterprise');
    const window = { starts_at: '2026-01-01T00:00:00Z', ends_at: '2026-12-31T00:00:00Z' };
    await db.asAdmin(
      `insert into approval_delegations (organization_id, from_id, to_id, starts_at, ends_at)
         select $1, $2, $3, now() - interval '1 day', now() + interval '1 day' from generate_series(1, 50)`,
      [world.organization, world.worker, world.colleague],
    );
    const patch = { organization_id: world.organization, from_id: world.worker, to_id: world.admin, ...window };
    const name = () => push(world.worker, { t: 'approval_delegations', op: 'insert', patch });
    expect(await name()).toMatchObject([{ st: 'rejected', code: '23514' }]);
    const deputies = await db.asAdmin('select to_id, delegation_id from approval.deputies_of($1, $2)', [
      world.organization,
      world.worker,
    ]);
    expect(deputies).toHaveLength(1);
    const one = await db.asAdmin('select approval.deputises_for($1, $2, $3) as id', [
      world.organization,
      world.worker,
      world.colleague,
    ]);
    expect(one).toHaveLength(1);
    await db.asAdmin('update approval_delegations set revoked_at = now()');
    expect(await name()).toMatchObject([{ st: 'applied' }]);
    await db.asAdmin('delete from approval_delegations');
  });

  test('of sessions 50 a day; of several ahead at once the next one is told of, and no other pair waits', async () => {
    const [row] = await db.asAdmin('select helper_id as id from circle_relationships where id = $1', [pair]);
    const person = { relationship_id: pair, subject_id: world.worker, helper_id: row?.['id'] };
    const [second] = await db.asAdmin(
      `insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'mentor_coach') returning id`,
      [world.stranger, world.colleague],
    );
    const theirs = { relationship_id: second?.['id'], subject_id: world.stranger, helper_id: world.colleague };
    const soon = { state: 'planned', note: '', next_steps: [], created_at: '2026-11-01T08:00:00Z' };
    for (let n = 0; n < 10; n += 1)
      await addRow(db, 'circle_sessions', {
        ...person,
        ...soon,
        author_id: world.worker,
        at: `2026-11-21T20:1${n}:00Z`,
      });
    await addRow(db, 'circle_sessions', { ...theirs, ...soon, author_id: world.stranger, at: '2026-11-21T20:50:00Z' });
    await db.asAdmin('delete from notifications');
    await seconds(-1);
    await db.asAdmin('select circle.sweep_sessions($1)', [NOW]);
    await db.asAdmin('select circle.sweep_sessions($1)', [NOW]);
    expect((await toldOf('circle.session_soon')).filter(id => id === world.worker)).toHaveLength(1);
    expect(await toldOf('circle.session_soon')).toContain(world.stranger);

    await db.asAdmin(`update circle_sessions set created_at = now() where relationship_id = $1`, [pair]);
    for (let n = 0; n < 40; n += 1)
      await addRow(db, 'circle_sessions', {
        ...person,
        ...soon,
        created_at: new Date().toISOString(),
        author_id: world.worker,
        at: `2199-01-01T20:${10 + n}:00Z`,
      });
    const patch = { ...person, author_id: world.worker, at: '2199-01-02T08:00:00Z', state: 'planned' };
    const { helper_id: _, ...own } = patch;
    expect(await push(world.worker, { t: 'circle_sessions', op: 'insert', patch: own })).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
  });

  test('of sessions each of the two has their own: 50 a day, and 100 ahead', async () => {
    const [row] = await db.asAdmin('select helper_id as id from circle_relationships where id = $1', [pair]);
    const person = { relationship_id: pair, subject_id: world.worker, helper_id: row?.['id'] };
    await db.asAdmin('delete from circle_sessions');
    const write = async (author: string, count: number, more: Record<string, unknown>) => {
      for (let n = 0; n < count; n += 1)
        await addRow(db, 'circle_sessions', { ...person, note: '', next_steps: [], author_id: author, ...more });
    };
    const held = { state: 'held', at: '2026-11-20T08:00:00Z', created_at: new Date().toISOString() };
    await write(String(row?.['id']), 50, held);
    const add = (patch: Record<string, unknown>) => {
      const own = { relationship_id: pair, subject_id: world.worker, author_id: world.worker, ...patch };
      return push(world.worker, { t: 'circle_sessions', op: 'insert', patch: own });
    };
    const past = { state: 'held', at: '2026-11-20T08:00:00Z' };
    expect(await add(past)).toMatchObject([{ st: 'applied' }]);
    const ahead = { state: 'planned', at: '2199-01-02T08:00:00Z' };
    await write(world.worker, 99, { ...ahead, created_at: '2026-11-01T08:00:00Z' });
    expect(await add(ahead)).toMatchObject([{ st: 'applied' }]);
    expect(await add(ahead)).toMatchObject([{ st: 'rejected', code: '23514' }]);
    expect(await add(past)).toMatchObject([{ st: 'applied' }]);
    const [one] = await db.asAdmin(`select id from circle_sessions where author_id = $1 and state = 'held'`, [
      world.worker,
    ]);
    const planned = { t: 'circle_sessions', op: 'update', id: String(one?.['id']), bv: 1 } as const;
    expect(await push(world.worker, { ...planned, patch: ahead, base: past })).toMatchObject([
      { st: 'rejected', code: '23514' },
    ]);
    await write(world.worker, 48, held);
    expect(await add(past)).toMatchObject([{ st: 'rejected', code: '23514' }]);
  });

  test('of questionnaires 20 a person, told one after the other', async () => {
    await setUtc(world.worker);
    const [space] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.worker,
    ]);
    const made = { organization_id: space?.['id'], name: 'Two weeks', category: 'wellness', state: 'published' };
    for (let n = 0; n < 20; n += 1) await addRow(db, 'forms', { ...made, created_by: world.worker });
    const patch = { ...made, state: 'published' };
    expect(await push(world.worker, { t: 'forms', op: 'insert', patch })).not.toMatchObject([{ st: 'applied' }]);
    const later = new Date(Date.now() + 15 * 86_400_000).toISOString().slice(0, 10);
    for (const minute of ['00', '01', '02'])
      await db.asAdmin('select growth.sweep_questionnaires($1)', [`${later}T20:${minute}:00Z`]);
    expect(await toldOf('wellness.look')).toEqual([world.worker, world.worker, world.worker]);
  });
});

describe('the access log', () => {
  const grant = (more: Record<string, unknown> = {}) =>
    db.asAdmin('select helper_id as id from circle_relationships where id = $1', [pair]).then(([row]) =>
      addRow(db, 'consent_grants', {
        relationship_id: pair,
        subject_id: world.worker,
        helper_id: row?.['id'],
        role: 'mentor_coach',
        scope: 'habits',
        level: 'full',
        valid_from: '2026-11-20T08:00:00Z',
        ...more,
      }),
    );
  const helper = async () =>
    String((await db.asAdmin('select helper_id as id from circle_relationships where id = $1', [pair]))[0]?.['id']);
  const readAt = async (id: string, read_at: string, key: string = randomUUID()) => {
    const person = await helper();
    const patch = { grant_id: id, helper_id: person, read_at };
    return (await testDevice(db, person).push({ t: 'grant_reads', id: key, op: 'insert', patch }))[0];
  };
  const reads = (id: string) =>
    db.asAdmin('select offline, times, read_at from grant_reads where grant_id = $1 order by read_at', [id]);

  test('has one entry of a grant in five minutes, which counts', async () => {
    const id = await grant();
    const note = (at: string) =>
      db.asAdmin('select circle.note_read(g, $2) from consent_grants g where g.id = $1', [id, at]);
    for (const at of ['2026-11-21T08:00:00Z', '2026-11-21T08:04:59Z', '2026-11-21T08:05:00Z']) await note(at);
    expect(await reads(id)).toMatchObject([{ times: 2 }, { times: 1 }]);
    const [bucket] = [Math.floor(Date.now() / 300_000)];
    expect(await readAt(id, '2026-11-21T09:00:00Z', derivedId(id, `read/${bucket}`))).toMatchObject({
      st: 'rejected',
    });
  });

  test('takes from a device 300 entries a day of a grant, in its time and thirty days after', async () => {
    const id = await grant();
    expect(await readAt(id, '2026-01-01T08:00:00Z')).toMatchObject({ st: 'applied' });
    expect((await reads(id)).map(row => new Date(String(row['read_at'])).toISOString())).toEqual([
      '2026-11-19T08:00:00.000Z',
    ]);
    await db.asAdmin(
      `insert into grant_reads (grant_id, relationship_id, subject_id, helper_id, offline, read_at)
         select g.id, g.relationship_id, g.subject_id, g.helper_id, true, now() from consent_grants g, generate_series(1, 299) where g.id = $1`,
      [id],
    );
    expect(await readAt(id, '2026-11-21T09:00:00Z')).toMatchObject({ st: 'rejected', code: '23514' });
    const past = await grant({ valid_from: '2026-01-01T08:00:00Z', revoked_at: '2026-03-01T08:00:00Z' });
    expect(await readAt(past, '2026-03-20T09:00:00Z')).toMatchObject({ st: 'applied' });
    expect(await readAt(past, '2026-04-20T09:00:00Z')).toMatchObject({ st: 'rejected', code: '42501' });
  });
});
