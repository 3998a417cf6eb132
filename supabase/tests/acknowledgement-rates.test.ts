import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AcknowledgementReport } from '@cairn/core/policies/acknowledgement-report.ts';
import { figuresOf } from '@cairn/core/policies/acknowledgement-report.ts';
import type { RateAnswer } from '@cairn/core/policies/acknowledgement-rates.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(() => {
  policies = new PolicyFixture(db, world);
});
// Nothing else was ever asked or counted, and today is the first day: what is counted is what a test made.
beforeEach(async () => {
  await db.asAdmin('delete from rates.acknowledgement_day');
  await db.asAdmin('delete from acknowledgement_campaigns');
  await db.asAdmin('delete from rates.counting_start');
  await db.asAdmin('delete from user_preferences');
});

const DAY_MS = 86_400_000;
/** ISO instant: noon (UTC) so many days from today; noon, that no test depends on the hour it runs at. */
const inDays = (days: number) => new Date(Math.floor(Date.now() / DAY_MS + days) * DAY_MS + DAY_MS / 2).toISOString();
const dayOf = (instant: string) => instant.slice(0, 10);
const sweep = async (now: string, budget = '1 hour') =>
  Number((await db.asAdmin('select rates.sweep($1, $2) as n', [now, budget]))[0]?.['n']);
const rates = (more: Record<string, unknown> = {}, by: string | null = world.manager) =>
  db.rpc<RateAnswer>(by, 'acknowledgement_rates', { p_organization: world.organization, ...more });
const figures = async (more: Record<string, unknown> = {}) =>
  (await rates(more)).days.map(({ asked, done, overdue }) => [asked, done, overdue]);
const asked = async (audience: unknown = { kind: 'all' }, days: number | null = 14) => {
  const made = await policies.inForce(`Rate ${randomUUID()}`);
  return { ...made, campaign: await policies.ask(made.policy, audience, days) };
};
const counted = () =>
  db.asAdmin(
    'select place_id, day::text, policy_id, asked, done, overdue from rates.acknowledgement_day order by 1, 2, 3',
  );

/** What is counted of one day, anew, as it stood at this time of it. */
const countedOf = async (daysAgo: number) => {
  await db.asAdmin('delete from rates.acknowledgement_day');
  const at = new Date(Date.now() - daysAgo * DAY_MS).toISOString();
  await db.asAdmin('select rates.count_day($1, $2, $3)', [world.organization, dayOf(at), at]);
  return counted();
};

describe('the end of a day', () => {
  test('stands as the report says it does, policy by policy and in all', async () => {
    const [first, second] = [await asked(), await asked({ kind: 'people', ids: [world.worker, world.colleague] })];
    await policies.acknowledge(first.version, world.worker);
    await policies.acknowledge(second.version, world.worker, {
      state: 'declined',
      method: null,
      signed_name: null,
      reason: 'No',
    });
    await db.rpc(world.manager, 'exempt_from_policy', {
      p_policy: first.policy,
      p_user: world.colleague,
      p_reason: 'On leave',
    });
    await sweep(inDays(2));
    for (const { policy } of [first, second]) {
      const report = await db.rpc<AcknowledgementReport>(world.manager, 'policy_acknowledgement_report', {
        p_policy: policy,
      });
      const { asked: all, acknowledged, exempt } = figuresOf(report.people);
      expect((await figures({ p_policy: policy }))[0]).toEqual([all, acknowledged + exempt, 0]);
    }
    expect((await figures())[0]).toEqual([7, 2, 0]);
  });

  test('counts as overdue whose day has passed without a word, also who declined, and not before', async () => {
    const made = await asked({ kind: 'people', ids: [world.worker, world.colleague, world.admin] }, 2);
    await policies.acknowledge(made.version, world.worker);
    await policies.acknowledge(made.version, world.admin, {
      state: 'declined',
      method: null,
      signed_name: null,
      reason: 'No',
    });
    await sweep(inDays(4));
    const days = await figures();
    expect([days[0], days.at(-1)]).toEqual([
      [3, 1, 0],
      [3, 1, 2],
    ]);
  });

  test('is told by site and by team, and of nobody who does not belong there', async () => {
    const made = await asked();
    await policies.acknowledge(made.version, world.worker);
    const [team] = await db.asAdmin('select team_id from team_members where user_id = $1', [world.worker]);
    const at = async (table: string, column: string, id: unknown) =>
      (
        await db.asAdmin(`select count(*)::int as n from ${table} where ${column} = $1 and deleted_at is null`, [id])
      )[0]?.['n'];
    await sweep(inDays(2));
    const [north, south] = [
      await at('site_members', 'site_id', world.north),
      await at('site_members', 'site_id', world.south),
    ];
    expect((await figures({ p_place: world.north }))[0]).toEqual([north, 1, 0]);
    expect((await figures({ p_place: world.south }))[0]).toEqual([south, 0, 0]);
    expect((await figures({ p_place: team?.['team_id'] }))[0]).toEqual([
      await at('team_members', 'team_id', team?.['team_id']),
      1,
      0,
    ]);
  });
});

describe('a day that was missed', () => {
  test('stands as it stood then: people, places, roles, campaigns and majors that changed since', async () => {
    const made = await asked();
    const byRole = await asked({ kind: 'roles', ids: ['member'] }, null);
    const later = await asked();
    await policies.acknowledge(made.version, world.worker);
    // Everything so far was three days ago.
    for (const [table, columns] of [
      ['rates.belonging', ['since']],
      ['rates.request_period', ['since']],
      ['rates.in_force', ['since', 'major_since']],
      ['acknowledgement_campaigns', ['starts_at']],
      ['policy_acknowledgements', ['received_at']],
    ] as const)
      await db.asAdmin(
        `update ${table} set ${columns.map(each => `${each} = ${each} - interval '3 days'`).join(', ')}`,
      );
    const before = await countedOf(2);
    await db.asAdmin('update site_members set deleted_at = now() where user_id = $1 and site_id = $2', [
      world.worker,
      world.north,
    ]);
    await db.asAdmin(`update organization_members set role = 'manager' where user_id = $1 and organization_id = $2`, [
      world.colleague,
      world.organization,
    ]);
    await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
      world.auditor,
      world.organization,
    ]);
    await db.asAdmin(`update acknowledgement_campaigns set state = 'ended' where id = $1`, [later.campaign]);
    await policies.publish(await policies.next(made.policy, 'major', 'All new'));
    expect(await countedOf(2)).toEqual(before);
    expect(before.length).toBeGreaterThan(4);
    const now = await countedOf(0);
    expect(now.find(row => row['policy_id'] === later.policy)).toBeUndefined();
    const here = (policy: string) =>
      now.find(row => row['policy_id'] === policy && row['place_id'] === world.organization);
    expect(here(made.policy)).toMatchObject({ asked: 4, done: 0 });
    expect(here(byRole.policy)).toMatchObject({ asked: 1 });
    await db.asAdmin('update organization_members set deleted_at = null where user_id = $1 and organization_id = $2', [
      world.auditor,
      world.organization,
    ]);
    await db.asAdmin(`update organization_members set role = 'member' where user_id = $1 and organization_id = $2`, [
      world.colleague,
      world.organization,
    ]);
    await db.asAdmin('update site_members set deleted_at = null where user_id = $1 and site_id = $2', [
      world.worker,
      world.north,
    ]);
  });

  test('is caught up, each once, and what is said after its end changes nothing of it', async () => {
    const made = await asked();
    expect(await sweep(inDays(-1))).toBe(0);
    expect(await sweep(inDays(5))).toBe(5);
    const then = await counted();
    await policies.acknowledge(made.version, world.worker);
    expect(await sweep(inDays(5))).toBe(0);
    expect(await counted()).toEqual(then);
    expect(new Set(then.map(row => row['day'])).size).toBe(5);
    expect((await rates()).until).toBe(dayOf(inDays(4)));
  });

  test('is counted by one of several servers, a portion at a time', async () => {
    await asked();
    expect(await sweep(inDays(9), '0')).toBe(1);
    const ran = await Promise.all(Array.from({ length: 4 }, () => sweep(inDays(9))));
    expect(ran.reduce((sum, n) => sum + n, 0)).toBe(8);
    const days = (await counted()).filter(row => row['place_id'] === world.organization).map(row => row['day']);
    expect([days.length, new Set(days).size]).toEqual([9, 9]);
  });
});

test('what was before anything was kept is learnt from the rows: versions, campaigns and people by their own dates', async () => {
  const made = await asked({ kind: 'people', ids: [world.worker, world.colleague] }, 2);
  await policies.publish(await policies.next(made.policy, 'major', 'All new'));
  await policies.acknowledge(made.version, world.worker);
  const dated = async (table: string, column: string, ago: string, where: string) =>
    db.asAdmin(`update ${table} set ${column} = now() - interval '${ago}' where ${where}`);
  await dated('organization_members', 'joined_at', '90 days', `organization_id = '${world.organization}'`);
  await dated('acknowledgement_campaigns', 'starts_at', '9 days', `id = '${made.campaign}'`);
  await dated('policy_versions', 'published_at', '9 days', `policy_id = '${made.policy}' and major = 1`);
  await dated('policy_versions', 'published_at', '3 days', `policy_id = '${made.policy}' and major = 2`);
  const late = `state = 'acknowledged', received_at = now() - interval '6 days'`;
  await db.asAdmin(`update policy_acknowledgements set ${late} where policy_id = $1`, [made.policy]);
  await db.asAdmin('select rates.backfill_history($1)', [world.organization]);
  expect(await sweep(inDays(0))).toBe(9);
  const days = await figures({ p_policy: made.policy });
  expect([days[0], days[4], days[5], days.at(-1)]).toEqual([
    [2, 0, 0],
    [2, 1, 1],
    [2, 1, 1],
    [2, 0, 2],
  ]);
});

test('a day is over when most administrators say so, and not in the minutes after it', async () => {
  await db.asAdmin(`insert into user_preferences (user_id, timezone) values ($1, 'Pacific/Auckland')`, [world.admin]);
  await asked();
  const [next] = await db.asAdmin('select ends_at from rates.counting_start where organization_id = $1', [
    world.organization,
  ]);
  const ends = new Date(String(next?.['ends_at']));
  const clock = ends.toLocaleTimeString('en-GB', { timeZone: 'Pacific/Auckland' });
  expect([clock, (await rates()).zone]).toEqual(['00:00:00', 'Pacific/Auckland']);
  expect(await sweep(new Date(ends.getTime() + 4 * 60_000).toISOString())).toBe(0);
  expect(await sweep(new Date(ends.getTime() + 6 * 60_000).toISOString())).toBe(1);
});

describe('the rates', () => {
  test('are for whoever may see the report: not for members, other organisations and visitors, nor by any table', async () => {
    const { policy } = await asked();
    await sweep(inDays(2));
    for (const by of [world.manager, world.admin, world.auditor])
      expect((await rates({}, by)).days.length).toBeGreaterThan(0);
    for (const by of [world.worker, world.colleague, world.stranger, null])
      await expect(rates({}, by)).rejects.toMatchObject({ code: '42501' });
    const [theirs] = await db.asAdmin(
      `select organization_id from organization_members m join organizations o on o.id = m.organization_id
        where m.user_id = $1 and o.kind = 'company'`,
      [world.stranger],
    );
    const foreign = { p_organization: theirs?.['organization_id'], p_policy: policy };
    expect((await db.rpc<RateAnswer>(world.stranger, 'acknowledgement_rates', foreign)).days).toEqual([]);
    const place = db.rpc(world.stranger, 'acknowledgement_rates', { ...foreign, p_place: world.north });
    await expect(place).rejects.toMatchObject({ code: '42501' });
    for (const table of ['acknowledgement_day', 'belonging', 'asking', 'in_force', 'counting'])
      for (const person of [world.admin, world.stranger, null])
        await expect(db.as(person, `select * from rates.${table}`)).rejects.toMatchObject({ code: '42501' });
  });

  test('of a manager who is limited to sites are those of their sites', async () => {
    await asked();
    await sweep(inDays(2));
    await db.asAdmin(
      'update organization_members set site_limited = true where user_id = $1 and organization_id = $2',
      [world.manager, world.organization],
    );
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.south,
      world.manager,
    ]);
    const mine = await rates();
    expect([mine.is_limited, mine.place, mine.places.map(({ id }) => id)]).toEqual([true, world.south, [world.south]]);
    for (const p_place of [world.north, world.organization])
      await expect(rates({ p_place })).rejects.toMatchObject({ code: '42501' });
  });
});
