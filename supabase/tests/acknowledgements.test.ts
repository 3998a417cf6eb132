import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acknowledgementId } from '@cairn/core/policies/acknowledge.ts';
import type { AcknowledgementReport } from '@cairn/core/policies/acknowledgement-report.ts';
import { policyStatus, type PolicyStatus } from '@cairn/core/policies/policy-status.ts';
import type { Row } from '@cairn/schema';
import type { Mutation, Receipt } from '@cairn/sync/transport/backend.ts';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { mutation, testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

/** Interleavings of the race in `npm test`; `npm run soak -- ONLY=histories PROPERTY=publish-race EACH=1000` runs more. */
const RUNS = 50;

setUpWorld();
let policies: PolicyFixture;
beforeAll(async () => {
  policies = new PolicyFixture(db, world);
});
beforeEach(() => db.asAdmin('delete from notifications'));

/** Before anything here was published. */
const AT = '2020-01-01T00:00:00Z';
const refused = { st: 'rejected', code: '42501' };
const acknowledgementOf = async (version: string, person: string) =>
  (
    await db.asAdmin('select * from policy_acknowledgements where version_id = $1 and user_id = $2', [version, person])
  )[0];
const reportOf = (policy: string, major?: number): Promise<AcknowledgementReport> =>
  db.rpc(world.manager, 'policy_acknowledgement_report', {
    p_policy: policy,
    ...(major !== undefined && { p_major: major }),
  });
const stateIn = async (policy: string, person: string, major?: number) =>
  (await reportOf(policy, major)).people.find(each => each.user_id === person)?.state ?? null;
/** What somebody was told of policies: an approval on the way is not this file's. */
const told = async (person: string) =>
  (
    await db.asAdmin(`select type from notifications where user_id = $1 and type like 'policy.%' order by created_at`, [
      person,
    ])
  ).map(({ type }) => type);

describe('a word', () => {
  test('is pinned to the version and the hash of what was shown, with device time and server time apart', async () => {
    const { version } = await policies.inForce('Word');
    const decided_at = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000).toISOString();
    expect(await policies.acknowledge(version, world.worker, { decided_at })).toMatchObject({
      st: 'applied',
      d: { received_at: expect.any(String) },
    });
    const row = await acknowledgementOf(version, world.worker);
    const [shown] = await db.asAdmin('select content_hash from policy_versions where id = $1', [version]);
    expect(row).toMatchObject({ state: 'acknowledged', version_id: version, content_hash: shown?.['content_hash'] });
    expect(new Date(String(row?.['decided_at'])).toISOString()).toBe(decided_at);
    expect(row?.['received_at']).not.toBeNull();
  });

  test("on anything else than what was published, unsigned, without a reason, or in somebody else's name is refused", async () => {
    const { version } = await policies.inForce('Strict');
    const { version: draft } = await policies.draft('Not yet');
    expect(await policies.acknowledge(version, world.worker, { content_hash: 'a'.repeat(64) })).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.acknowledge(version, world.worker, { signed_name: ' ' })).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.acknowledge(version, world.worker, { method: 'drawn' })).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.acknowledge(version, world.worker, { state: 'declined', reason: '' })).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.acknowledge(version, world.worker, { state: 'exempt' })).toMatchObject(refused);
    expect(await policies.acknowledge(version, world.worker, { user_id: world.colleague })).toMatchObject({
      st: 'rejected',
    });
    // Nobody takes the id of somebody else's word before them.
    expect(
      await policies.acknowledge(version, world.worker, {}, acknowledgementId(version, world.colleague)),
    ).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.acknowledge(version, world.stranger)).toMatchObject({ st: 'rejected' });
    expect(await policies.acknowledge(draft, world.worker)).toMatchObject({ st: 'rejected' });
    expect(await acknowledgementOf(version, world.worker)).toBeUndefined();
  });

  test('stays as it was signed; a no may become a yes; opened and signed without signal is one row', async () => {
    const { version } = await policies.inForce('Stays');
    const device = testDevice(db, world.worker);
    const id = acknowledgementId(version, world.worker);
    await policies.acknowledge(version, world.worker, {
      state: 'declined',
      method: null,
      signed_name: null,
      reason: 'Unclear',
    });
    const edit = async (patch: Record<string, unknown>) => {
      const row = await acknowledgementOf(version, world.worker);
      const base = Object.fromEntries(Object.keys(patch).map(key => [key, row?.[key] ?? null]));
      return (
        await device.push({ t: 'policy_acknowledgements', op: 'update', id, patch, base, bv: Number(row?.['version']) })
      )[0];
    };
    expect(await edit({ reason: null })).toMatchObject(refused);
    expect(await edit({ signed_name: 'Somebody else', content_hash: 'b'.repeat(64) })).toMatchObject(refused);
    expect(await edit({ state: 'acknowledged', method: 'typed', signed_name: 'Sam' })).toMatchObject({ st: 'applied' });
    expect(await edit({ signed_name: 'Somebody else' })).toMatchObject(refused);
    expect(await edit({ state: 'declined', reason: 'No' })).toMatchObject(refused);
    expect(await edit({ content_hash: 'b'.repeat(64) })).toMatchObject(refused);
    for (const later of [{ sections_read: 9 }, { sections: 1 }, { opened_at: AT }, { decided_at: AT }])
      expect(await edit(later)).toMatchObject(refused);
    const row = await acknowledgementOf(version, world.worker);
    const removal = await device.push({ t: 'policy_acknowledgements', op: 'delete', id, bv: Number(row?.['version']) });
    expect(removal).toMatchObject([refused]);
  });

  test('is told by a receipt as what it is: an opening and a no are no acknowledgement', async () => {
    const [first, second] = [await policies.inForce('Receipts'), await policies.inForce('Receipts, another')];
    const [opened, declined] = [
      await policies.reading(first.version, world.worker),
      await policies.reading(second.version, world.worker),
    ];
    const device = testDevice(db, world.worker);
    const decided_at = new Date().toISOString();
    const mutationOf = (op: 'insert' | 'update', id: string, fields: Pick<Mutation, 'patch'> & Partial<Mutation>) =>
      mutation({ t: 'policy_acknowledgements', op, id, ...fields });
    const contentsOf = async (...mids: string[]) => {
      const asked = { p_id: randomUUID(), p_device: null, p_mids: mids, p_device_at: decided_at };
      return (await db.rpc<Receipt>(world.worker, 'sync_receipt', asked)).contents;
    };

    const open = mutationOf('insert', opened.id, { patch: opened.patch });
    const ackFields = {
      state: 'acknowledged',
      method: 'typed',
      signed_name: 'Sam',
      decided_at,
      content_hash: opened.hash,
    };
    const base = { state: 'opened', method: null, signed_name: null, decided_at: null, content_hash: null };
    const sign = mutationOf('update', opened.id, { patch: ackFields, base, bv: 1 });
    expect(await device.push(open)).toMatchObject([{ st: 'applied' }]);
    expect(await contentsOf(open.mid)).toEqual({ policy_openings: 1 });
    expect(await device.push(sign)).toMatchObject([{ st: 'applied' }]);
    // Asked for late: what this receipt covers was an opening all the same.
    expect(await contentsOf(open.mid)).toEqual({ policy_openings: 1 });
    expect(await contentsOf(sign.mid)).toEqual({ policy_acknowledgements: 1 });
    expect(await contentsOf(open.mid, sign.mid)).toEqual({ policy_acknowledgements: 1 });

    const no = { state: 'declined', reason: 'Unclear', decided_at, content_hash: declined.hash };
    const decline = mutationOf('insert', declined.id, { patch: { ...declined.patch, ...no } });
    expect(await device.push(decline)).toMatchObject([{ st: 'applied' }]);
    expect(await contentsOf(decline.mid, open.mid)).toEqual({ policy_declines: 1, policy_openings: 1 });
  });

  test('has times that can be: not before its version was published, nor days after it arrived', async () => {
    const { version } = await policies.inForce('Clocks');
    const [shown] = await db.asAdmin('select published_at from policy_versions where id = $1', [version]);
    await policies.acknowledge(version, world.worker, { opened_at: AT, decided_at: AT });
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      opened_at: shown?.['published_at'],
      decided_at: shown?.['published_at'],
    });
    const far = '2199-01-01T00:00:00Z';
    await policies.acknowledge(version, world.colleague, { opened_at: far, decided_at: far });
    const days = `select decided_at - received_at <= interval '1 day' as fits, opened_at < now() + interval '2 days' as opened
      from policy_acknowledgements where version_id = $1 and user_id = $2`;
    expect(await db.asAdmin(days, [version, world.colleague])).toEqual([{ fits: true, opened: true }]);
  });

  test('that arrives after a newer major counts for nothing, is kept as it was signed, and is owed anew; after a minor it counts', async () => {
    const { policy, version } = await policies.inForce('Late');
    await policies.ask(policy);
    const minor = await policies.next(policy, 'minor', 'Late, a comma moved');
    await policies.publish(minor);
    expect(await policies.acknowledge(version, world.worker)).toMatchObject({ st: 'applied' });
    expect(await stateIn(policy, world.worker)).toBe('acknowledged');
    const major = await policies.next(policy, 'major', 'Late, all new');
    await policies.publish(major);
    expect(await policies.acknowledge(minor, world.colleague)).toMatchObject({ st: 'applied', d: { state: 'void' } });
    expect(await acknowledgementOf(minor, world.colleague)).toMatchObject({ state: 'void', signed_name: 'Sam Worker' });
    expect([await stateIn(policy, world.worker), await stateIn(policy, world.colleague)]).toEqual([
      'requested',
      'requested',
    ]);
    // The proof of the earlier major still stands.
    expect(await stateIn(policy, world.worker, 1)).toBe('acknowledged');
    expect(await acknowledgementOf(version, world.worker)).toMatchObject({
      state: 'acknowledged',
      version_id: version,
    });
  });
});

describe('who owes', () => {
  test('is asked by role, site, team, name or all, from publishing on; publishing writes no row for anybody', async () => {
    const { policy, version } = await policies.inForce('Asked');
    const people = async () =>
      (await reportOf(policy)).people
        .filter(({ owed }) => owed)
        .map(({ user_id: id }) => id)
        .toSorted();
    const everybody = [world.admin, world.manager, world.worker, world.colleague, world.auditor].toSorted();
    expect(await people()).toEqual([]);
    const [team] = await db.asAdmin(`select id from teams where organization_id = $1`, [world.organization]);
    for (const [audience, who] of [
      [{ kind: 'people', ids: [world.auditor] }, [world.auditor]],
      [{ kind: 'sites', ids: [world.south] }, [world.auditor, world.colleague]],
      [{ kind: 'teams', ids: [String(team?.['id'])] }, [world.auditor, world.colleague, world.worker]],
      [{ kind: 'roles', ids: ['manager'] }, [world.auditor, world.colleague, world.worker, world.manager]],
      [{ kind: 'all' }, everybody],
    ] as const) {
      await policies.ask(policy, audience);
      expect(await people()).toEqual([...who].toSorted());
    }
    await policies.acknowledge(version, world.worker);
    const count = async () =>
      (await db.asAdmin('select count(*)::int as n from policy_acknowledgements where policy_id = $1', [policy]))[0]?.[
        'n'
      ];
    const before = await count();
    await policies.publish(await policies.next(policy, 'major', 'Asked anew'));
    expect(await count()).toBe(before);
    expect(await stateIn(policy, world.worker)).toBe('requested');
  });

  test('the device works out what the report says, whatever was asked and said', async () => {
    const audience = fc.constantFrom<Record<string, unknown>>(
      { kind: 'all' },
      { kind: 'roles', ids: ['member'] },
      { kind: 'sites', ids: [world.north] },
      { kind: 'people', ids: [world.worker] },
      { kind: 'people', ids: [world.colleague] },
    );
    const ackFields = fc.constantFrom('nothing', 'acknowledged', 'declined');
    await fc.assert(
      fc.asyncProperty(
        fc.array(audience, { maxLength: 3 }),
        ackFields,
        fc.boolean(),
        async (audiences, mutationOf, isNewMajor) => {
          const { policy, version } = await policies.inForce('Alike');
          for (const each of audiences) await policies.ask(policy, each, 14);
          if (mutationOf !== 'nothing')
            await policies.acknowledge(
              version,
              world.worker,
              mutationOf === 'declined' ? { state: mutationOf, reason: 'No' } : {},
            );
          if (isNewMajor) await policies.publish(await policies.next(policy, 'major', 'Alike, new'));
          const here = await onDevice(policy, world.worker);
          const there = (await reportOf(policy)).people.find(each => each.user_id === world.worker);
          expect([here.isOwed, here.state]).toEqual([there?.owed ?? false, there?.state ?? 'none']);
          expect(here.dueAt === null ? null : Date.parse(here.dueAt)).toBe(
            there?.due_at ? Math.floor(Date.parse(there.due_at)) : null,
          );
        },
      ),
      { numRuns: 12 },
    );
  });

  test('an exemption has a reason, comes from who publishes, and ends with the major', async () => {
    const { policy } = await policies.inForce('Exempt');
    await policies.ask(policy);
    const exempt = (person: string, reason: string) =>
      db.rpc(person, 'exempt_from_policy', { p_policy: policy, p_user: world.worker, p_reason: reason });
    await expect(exempt(world.manager, ' ')).rejects.toMatchObject({ hint: 'reason' });
    await expect(exempt(world.worker, 'I am busy')).rejects.toMatchObject({ code: '42501' });
    const own = { p_policy: policy, p_user: world.manager, p_reason: 'I am busy' };
    await expect(db.rpc(world.manager, 'exempt_from_policy', own)).rejects.toMatchObject({
      code: '42501',
      hint: 'own',
    });
    await exempt(world.manager, 'On leave');
    expect(await stateIn(policy, world.worker)).toBe('exempt');
    await policies.publish(await policies.next(policy, 'major', 'Exempt no more'));
    expect(await stateIn(policy, world.worker)).toBe('requested');
  });

  test('is told once, three days before, and when it is late; a word settles it, a no is told to who answers for it', async () => {
    const { policy, version } = await policies.inForce('Told');
    await db.asAdmin(`update acknowledgement_campaigns set state = 'ended'`);
    await policies.ask(policy, { kind: 'people', ids: [world.worker, world.colleague] }, 14);
    const sweep = (days: number) =>
      db.asAdmin(`select policy.sweep_acknowledgements(now() + make_interval(days => $1))`, [days]);
    await sweep(0);
    await sweep(0);
    expect(await told(world.worker)).toEqual(['policy.requested']);
    expect(await told(world.admin)).toEqual([]);
    await policies.acknowledge(version, world.colleague);
    await sweep(12);
    await sweep(12);
    await sweep(15);
    await sweep(40);
    expect(await told(world.worker)).toEqual(['policy.requested', 'policy.due_soon', 'policy.overdue']);
    expect(await told(world.colleague)).toEqual(['policy.requested']);
    await db.asAdmin('update policies set owner_id = $2 where id = $1', [policy, world.admin]);
    await policies.acknowledge(version, world.worker, {
      state: 'declined',
      reason: 'Unclear',
      method: null,
      signed_name: null,
    });
    expect(await told(world.admin)).toEqual(['policy.declined']);
    const open = await db.asAdmin('select from notifications where not is_read and user_id = $1', [world.worker]);
    expect(open).toHaveLength(0);
  });

  test('only who may see it sees the report', async () => {
    const { policy } = await policies.inForce('Seen');
    for (const person of [world.worker, world.stranger, null])
      await expect(db.rpc(person, 'policy_acknowledgement_report', { p_policy: policy })).rejects.toMatchObject({
        code: '42501',
      });
    await expect(db.rpc(world.auditor, 'policy_acknowledgement_report', { p_policy: policy })).resolves.toMatchObject({
      major: 1,
    });
  });

  test('of who is limited to sites names the people of their sites, and says so', async () => {
    const { policy } = await policies.inForce('Limited');
    await policies.ask(policy);
    const ackFields = async () => {
      const { people, is_limited: isLimited } = await reportOf(policy);
      const has = (person: string) => people.some(({ user_id: id }) => id === person);
      return { isLimited, north: has(world.worker), south: has(world.colleague), own: has(world.manager) };
    };
    const limit = (isLimited: boolean) =>
      db.asAdmin('update organization_members set site_limited = $3 where user_id = $1 and organization_id = $2', [
        world.manager,
        world.organization,
        isLimited,
      ]);
    expect(await ackFields()).toEqual({ isLimited: false, north: true, south: true, own: true });
    await limit(true);
    expect(await ackFields()).toEqual({ isLimited: true, north: false, south: false, own: false });
    const place = [world.organization, world.south, world.manager];
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', place);
    expect(await ackFields()).toEqual({ isLimited: true, north: false, south: true, own: true });
    await limit(false);
  });
});

async function onDevice(policyId: string, person: string): Promise<PolicyStatus> {
  const device = testDevice(db, person);
  await device.pull();
  const rows = (table: string) =>
    [...device.rows].filter(([key]) => key.startsWith(`${table}/`)).map(([, { row }]) => row);
  const ofPolicy = (table: string) => rows(table).filter(row => row['policy_id'] === policyId);
  const mine = (table: string) =>
    rows(table).filter(row => row['user_id'] === person && row['organization_id'] === world.organization);
  const nulled = (row: Record<string, unknown>) => ({ deleted_at: null, due_days: null, ...row });
  const policy = rows('policies').find(row => row['id'] === policyId);
  const majors = new Map(ofPolicy('policy_versions').map(row => [row['id'], row['major']]));
  const [member] = mine('organization_members');
  return policyStatus({
    policy: nulled(policy ?? {}) as unknown as Row<'policies'>,
    campaigns: ofPolicy('acknowledgement_campaigns').map(nulled) as unknown as Row<'acknowledgement_campaigns'>[],
    belonging: {
      userId: person,
      role: String(member?.['role']),
      joinedAt: String(member?.['joined_at']),
      siteIds: mine('site_members').map(row => String(row['site_id'])),
      teamIds: mine('team_members').map(row => String(row['team_id'])),
    },
    acknowledgements: ofPolicy('policy_acknowledgements').filter(
      row => majors.get(row['version_id']) === policy?.['current_major'],
    ) as unknown as Row<'policy_acknowledgements'>[],
  });
}

describe('publishing at the same moment', () => {
  test(
    'every word points at exactly the version whose hash was shown and counts only for the major it met; what is owed anew is owed once',
    async () => {
      const people = [world.worker, world.colleague, world.auditor, world.admin];
      const race = fc.record({
        change: fc.constantFrom<'major' | 'minor'>('major', 'minor'),
        acknowledgements: fc.array(fc.record({ who: fc.constantFrom(...people), after: fc.nat(6) }), {
          minLength: 1,
          maxLength: 6,
        }),
        publishAfter: fc.nat(6),
      });
      await holds(
        'publish-race',
        RUNS,
        fc.asyncProperty(race, async ({ change, acknowledgements, publishAfter }) => {
          const { policy, version } = await policies.inForce('Race');
          await policies.ask(policy, { kind: 'people', ids: people });
          const next = await policies.next(policy, change, 'Race, next');
          await policies.approve(next);
          const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms));
          await Promise.all([
            pause(publishAfter).then(() => db.rpc(world.manager, 'publish_policy_version', { p_version: next })),
            ...acknowledgements.map(({ who, after }) => pause(after).then(() => policies.acknowledge(version, who))),
          ]);
          const [shown] = await db.asAdmin('select content_hash from policy_versions where id = $1', [version]);
          const rows = await db.asAdmin(
            `select a.*, a.received_at < p.major_since as was_first from policy_acknowledgements a
            join policies p on p.id = a.policy_id where p.id = $1`,
            [policy],
          );
          const who = new Set<unknown>(acknowledgements.map(each => each.who));
          expect([rows.length, new Set(rows.map(row => row['user_id']))]).toEqual([who.size, who]);
          const report = await reportOf(policy);
          for (const row of rows) {
            const counts = change === 'minor' || row['was_first'] === true;
            const pinned = { version_id: version, content_hash: shown?.['content_hash'], signed_name: 'Sam Worker' };
            expect(row).toMatchObject({ ...pinned, state: counts ? 'acknowledged' : 'void' });
            const mine = report.people.filter(each => each.user_id === row['user_id']);
            expect(mine).toMatchObject([{ owed: true, state: change === 'minor' ? 'acknowledged' : 'requested' }]);
          }
        }),
      );
    },
    HISTORIES_TIMEOUT,
  );
});
