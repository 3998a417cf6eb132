import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { holds, HISTORIES_TIMEOUT } from '@cairn/testing/histories.ts';
import { testDevice, type Edit } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';
import { setPlan } from './workflow-fixture.ts';

/** Rounds of deciding at once in `npm test`; `npm run soak -- ONLY=histories PROPERTY=approvals-at-once EACH=1000` runs more. */
const RUNS = 50;

setUpWorld();
let policies: PolicyFixture;
/** Further managers, who may approve. */
let boards: string[];
beforeAll(async () => {
  policies = new PolicyFixture(db, world);
  boards = await Promise.all(
    ['one', 'two', 'three', 'four'].map(async name => {
      const id = await db.person(`board-${name}@a.test`);
      await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'manager')`, [
        world.organization,
        id,
      ]);
      return id;
    }),
  );
});
beforeEach(async () => {
  await db.asAdmin('delete from notifications');
  await setPlan('enterprise');
});

const refused = { st: 'rejected', code: '42501' };
const requestRow = async (version: string) =>
  (await db.asAdmin('select * from approval_requests where id = $1', [await policies.requestOf(version)]))[0];
const versionState = async (id: string) =>
  (await db.asAdmin('select state from policy_versions where id = $1', [id]))[0]?.['state'];
const trailOf = async (version: string) =>
  db.asAdmin('select * from approval_decisions where request_id = $1 order by counted_at', [
    await policies.requestOf(version),
  ]);
const told = async (person: string) =>
  (await db.asAdmin('select type from notifications where user_id = $1', [person])).map(({ type }) => type);
const stage = (rule: string, people: string[], quorum?: number) => ({
  name: 'Board',
  rule,
  people,
  ...(quorum && { quorum }),
});

async function sent(stages: unknown): Promise<string> {
  const { version } = await policies.draft(`Text ${randomUUID()}`);
  await policies.submit(version, stages);
  return version;
}
async function delegate(from: string, to: string, hours: [number, number] = [-1, 24]): Promise<string> {
  const id = randomUUID();
  const at = (offset: number) => new Date(Date.now() + offset * 3_600_000).toISOString();
  const patch = {
    organization_id: world.organization,
    from_id: from,
    to_id: to,
    starts_at: at(hours[0]),
    ends_at: at(hours[1]),
  };
  const [result] = await testDevice(db, from).push({ t: 'approval_delegations', op: 'insert', id, patch });
  expect(result).toMatchObject({ st: 'applied' });
  return id;
}

describe('one person', () => {
  test('is one head of a quorum, also with the voice of somebody else; and nobody makes themselves a deputy', async () => {
    const [one = '', two = '', three = ''] = boards;
    const version = await sent([stage('quorum', [one, two, three], 2)]);
    const delegation_id = await delegate(one, two);
    await policies.decide(version, two, 'approve');
    await policies.decide(version, two, 'approve', { approver_id: one });
    expect(await trailOf(version)).toMatchObject([{ approver_id: two }, { approver_id: one, delegation_id }]);
    expect(await requestRow(version)).toMatchObject({ state: 'pending' });
    await policies.decide(version, three, 'approve');
    expect(await requestRow(version)).toMatchObject({ state: 'approved' });

    const patch = {
      organization_id: world.organization,
      from_id: three,
      to_id: world.admin,
      starts_at: new Date().toISOString(),
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
    };
    const made = await testDevice(db, world.admin).push({ t: 'approval_delegations', op: 'insert', patch });
    expect(made).toMatchObject([refused]);
    await db.asAdmin('update approval_delegations set revoked_at = now() where id = $1', [delegation_id]);
  });
});

test('two decisions of one person in one push end as in two: what ended a stage leaves nothing to decide', async () => {
  const [one = '', two = ''] = boards;
  const delegation = await delegate(one, two);
  const outcomes = [];
  for (const isOnePush of [true, false]) {
    const version = await sent([stage('any', [one, two])]);
    const decisions = [
      await policies.deciding(version, two, 'approve'),
      await policies.deciding(version, two, 'reject', { approver_id: one }),
    ];
    const device = testDevice(db, two);
    const pushes = isOnePush ? [decisions] : decisions.map(decision => [decision]);
    const results = [];
    for (const edits of pushes) results.push(...(await device.push(...edits)));
    const trail = (await trailOf(version)).map(({ decision }) => decision);
    outcomes.push({ sts: results.map(({ st }) => st), trail, state: (await requestRow(version))?.['state'] });
  }
  const [together, apart] = outcomes;
  expect(together).toEqual({ sts: ['applied', 'rejected'], trail: ['approve'], state: 'approved' });
  expect(together).toEqual(apart);
  await db.asAdmin('update approval_delegations set revoked_at = now() where id = $1', [delegation]);
});

describe('a delegation', () => {
  const change = async (person: string, id: string, patch: Record<string, unknown>) => {
    const [row] = await db.asAdmin('select *, version::int as v from approval_delegations where id = $1', [id]);
    const base = Object.fromEntries(Object.keys(patch).map(key => [key, row?.[key] ?? null]));
    const edit = { t: 'approval_delegations', op: 'update', id, patch, base, bv: Number(row?.['v']) } as const;
    return (await testDevice(db, person).push(edit))[0];
  };
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  const noted = (id: string) =>
    db.asAdmin('select act, actor_id from audit_entries where subject_id = $1 order by seq', [id]);

  test('only ends: it is not made longer, and what was revoked stays revoked; every change of its time is an entry', async () => {
    const [one = '', two = ''] = boards;
    const id = await delegate(one, two);
    expect(await change(one, id, { ends_at: hours(300 * 24) })).toMatchObject(refused);
    expect(await change(one, id, { ends_at: hours(12) })).toMatchObject({ st: 'applied' });
    expect(await change(one, id, { revoked_at: hours(0) })).toMatchObject({ st: 'applied' });
    expect(await change(one, id, { revoked_at: null })).toMatchObject(refused);
    expect(await change(one, id, { revoked_at: hours(1) })).toMatchObject(refused);
    expect(await noted(id)).toEqual(
      ['delegation.made', 'delegation.time_changed', 'delegation.revoked'].map(act => ({ act, actor_id: one })),
    );
  });

  test('is changed in nothing by the deputy, who may manage people, but given back', async () => {
    const [one = ''] = boards;
    const id = await delegate(one, world.admin);
    for (const patch of [{ ends_at: hours(300 * 24) }, { ends_at: hours(2) }, { reason: 'Mine' }])
      expect(await change(world.admin, id, patch)).toMatchObject(refused);
    expect(await change(world.admin, id, { revoked_at: hours(0) })).toMatchObject({ st: 'applied' });
    expect(await change(world.admin, id, { revoked_at: null })).toMatchObject(refused);
  });
});

describe('who wrote a text', () => {
  test('does not approve it where somebody else can, also when another person sent it in', async () => {
    const [one = '', two = ''] = boards;
    const { version } = await policies.draft('Text of two', 'By one');
    const submit = (stages: unknown) =>
      db.rpc<string>(one, 'submit_policy_version', { p_version: version, p_stages: JSON.stringify(stages) });
    await expect(submit([stage('any', [world.manager, two])])).rejects.toMatchObject({
      code: '22023',
      hint: 'own_request',
    });
    await db.rpc(two, 'hold_policy_edit_lock', { p_version: version });
    const words: Edit = { t: 'policy_versions', op: 'update', id: version, patch: { body: 'By two' }, bv: 1 };
    const wrote = await testDevice(db, two).push({ ...words, base: { body: 'By one' } });
    expect(['applied', 'merged']).toContain(wrote[0]?.st);
    await db.rpc(two, 'release_policy_edit_lock', { p_version: version });
    await expect(submit([stage('any', [two])])).rejects.toMatchObject({ hint: 'own_request' });
    await submit([stage('any', [boards[2] ?? ''])]);
    const delegation = await delegate(boards[2] ?? '', world.manager);
    expect(await policies.decide(version, world.manager, 'approve', { approver_id: boards[2] })).toMatchObject(refused);
    expect(await policies.decide(version, boards[2] ?? '', 'approve')).toMatchObject({ st: 'applied' });
    await expect(db.as(world.admin, 'select * from sync.policy_author')).rejects.toMatchObject({ code: '42501' });
    await db.asAdmin('update approval_delegations set revoked_at = now() where id = $1', [delegation]);
  });
});

describe('stages', () => {
  test('any, all and a quorum each end their stage with exactly as many voices as they ask for', async () => {
    const [one = '', two = '', three = ''] = boards;
    const version = await sent([
      stage('any', [one, two]),
      stage('all', [two, three]),
      stage('quorum', [one, two, three], 2),
    ]);
    const step = async (person: string) =>
      [await policies.decide(version, person, 'approve'), await requestRow(version)] as const;
    expect((await step(one))[1]).toMatchObject({ stage: 2, state: 'pending' });
    expect((await step(two))[1]).toMatchObject({ stage: 2, state: 'pending' });
    expect((await step(three))[1]).toMatchObject({ stage: 3, state: 'pending' });
    expect((await step(three))[1]).toMatchObject({ stage: 3, state: 'pending' });
    expect(await versionState(version)).toBe('in_review');
    expect((await step(one))[1]).toMatchObject({ stage: 3, state: 'approved' });
    expect(await versionState(version)).toBe('approved');
    expect(await policies.decide(version, two, 'approve')).toMatchObject(refused);
  });

  test('one no ends it, with its reason: changes asked for, or rejected and a draft again; then it may be sent anew', async () => {
    const [one = '', two = ''] = boards;
    const version = await sent([stage('all', [one, two])]);
    expect(await policies.decide(version, one, 'request_change', { reason: '  ' })).toMatchObject({
      st: 'rejected',
      code: '23514',
    });
    expect(await policies.decide(version, one, 'request_change')).toMatchObject({ st: 'applied' });
    expect([await versionState(version), (await requestRow(version))?.['state']]).toEqual([
      'change_requested',
      'change_requested',
    ]);
    expect(await told(world.manager)).toEqual(['approval.decided']);
    await policies.submit(version, [stage('any', [two])]);
    expect(await policies.decide(version, two, 'reject')).toMatchObject({ st: 'applied' });
    expect(await versionState(version)).toBe('draft');
    await policies.submit(version, [stage('any', [two])]);
    await db.rpc(world.manager, 'withdraw_approval', { p_request: await policies.requestOf(version) });
    expect([await versionState(version), (await requestRow(version))?.['state']]).toEqual(['draft', 'withdrawn']);
  });

  test('nobody decides who was not asked, twice, in a stage that is over, or on what they asked for themselves', async () => {
    const [one = '', two = ''] = boards;
    const version = await sent([stage('all', [one, two])]);
    expect(await policies.decide(version, world.admin, 'approve')).toMatchObject(refused);
    expect(await policies.decide(version, world.worker, 'approve')).toMatchObject({ st: 'rejected' });
    expect(await policies.decide(version, world.stranger, 'approve')).toMatchObject({ st: 'rejected' });
    expect(await policies.decide(version, one, 'approve', { approver_id: two })).toMatchObject(refused);
    expect(await policies.decide(version, one, 'approve', { stage: 2 })).toMatchObject(refused);
    // Whoever is named, it is the one who sent it.
    expect(await policies.decide(version, one, 'approve', { decided_by: two })).toMatchObject({ st: 'applied' });
    expect(await policies.decide(version, one, 'approve')).toMatchObject({ st: 'rejected', code: '23505' });
    expect(await trailOf(version)).toMatchObject([{ approver_id: one, decided_by: one }]);
    const { version: own } = await policies.draft('Own');
    await expect(policies.submit(own, [stage('any', [world.manager])])).rejects.toMatchObject({ hint: 'own_request' });
    await expect(policies.submit(own, [stage('any', [world.worker])])).rejects.toMatchObject({
      hint: 'approver_without_right',
    });
    for (const bad of [
      '{}',
      '[]',
      [stage('some', [one])],
      [stage('all', [])],
      [stage('quorum', [one], 2)],
      [stage('any', [one, one])],
      [stage('any', ['x'])],
    ])
      await expect(policies.submit(own, bad)).rejects.toMatchObject({ code: '22023' });
  });

  test('whoever is to decide is told, stage by stage, and no more once it is decided', async () => {
    const [one = '', two = ''] = boards;
    const version = await sent([stage('any', [one]), stage('any', [two])]);
    expect([await told(one), await told(two)]).toEqual([['approval.requested'], []]);
    await policies.decide(version, one, 'approve');
    expect(await told(two)).toEqual(['approval.requested']);
    const open = await db.asAdmin(`select from notifications where user_id = $1 and not is_read`, [one]);
    expect(open).toHaveLength(0);
  });
});

describe('deputies', () => {
  test("who stands in decides in the absent one's name while they are away; the trail names both and why they could", async () => {
    const [away = '', deputy = ''] = boards;
    const delegation = await delegate(away, deputy);
    const version = await sent([stage('all', [away])]);
    // Who is away is not disturbed.
    expect([await told(away), await told(deputy)]).toEqual([[], ['approval.requested']]);
    expect(await policies.decide(version, deputy, 'approve', { approver_id: away })).toMatchObject({ st: 'applied' });
    expect(await trailOf(version)).toMatchObject([
      { approver_id: away, decided_by: deputy, delegation_id: delegation },
    ]);
    expect(await versionState(version)).toBe('approved');
    await db.asAdmin('delete from approval_decisions; update approval_delegations set revoked_at = now()');
  });

  test('before it begins, after it ends, once it is revoked, and one step further, nobody stands in', async () => {
    const [away = '', deputy = '', third = ''] = boards;
    const attempt = async (person: string) => {
      const version = await sent([stage('all', [away])]);
      return policies.decide(version, person, 'approve', { approver_id: away });
    };
    await delegate(away, deputy, [1, 24]);
    expect(await attempt(deputy)).toMatchObject(refused);
    await delegate(away, deputy, [-24, -1]);
    expect(await attempt(deputy)).toMatchObject(refused);
    const open = await delegate(away, deputy);
    await delegate(deputy, third);
    expect(await attempt(third)).toMatchObject(refused);
    await testDevice(db, away).push({
      t: 'approval_delegations',
      op: 'update',
      id: open,
      patch: { revoked_at: new Date().toISOString() },
      base: { revoked_at: null },
    });
    expect(await attempt(deputy)).toMatchObject(refused);
    await db.asAdmin('update approval_delegations set revoked_at = now()');
  });

  test('R6.27 belongs to the enterprise plan: without it nobody is named on any way and a deputy decides nothing; what was given ends all the same', async () => {
    const [away = '', deputy = '', third = ''] = boards;
    const given = await delegate(away, deputy);
    const version = await sent([stage('all', [away])]);
    await setPlan('standard');
    expect(await policies.decide(version, deputy, 'approve', { approver_id: away })).toMatchObject(refused);
    // Who may decide is told: the person themselves, not a deputy who may not.
    await db.asAdmin('delete from notifications');
    await sent([stage('all', [away])]);
    expect([await told(away), await told(deputy)]).toEqual([['approval.requested'], []]);

    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const people = { from_id: away, to_id: third };
    const patch = { organization_id: world.organization, ...people, starts_at: at(-1), ends_at: at(1) };
    for (const by of [away, world.admin]) {
      const pushed = await testDevice(db, by).push({ t: 'approval_delegations', op: 'insert', patch });
      expect(pushed).toMatchObject([refused]);
      const row = `insert into approval_delegations (organization_id, from_id, to_id, starts_at, ends_at)
        values ('${world.organization}', '${away}', '${third}', now(), now() + interval '1 hour')`;
      await expect(db.as(by, row)).rejects.toMatchObject({ code: '42501' });
    }
    const named = 'select id from approval_delegations where (from_id, to_id) = ($1, $2)';
    expect(await db.asAdmin(named, [away, third])).toEqual([]);

    await setPlan('enterprise');
    expect(await policies.decide(version, deputy, 'approve', { approver_id: away })).toMatchObject({ st: 'applied' });
    await setPlan('standard');
    const revoked = { patch: { revoked_at: at(0) }, base: { revoked_at: null } };
    await testDevice(db, away).push({ t: 'approval_delegations', op: 'update', id: given, ...revoked });
    const ended = await db.asAdmin('select revoked_at is not null as ended from approval_delegations where id = $1', [
      given,
    ]);
    expect(ended).toEqual([{ ended: true }]);
    await setPlan('enterprise');
    await db.asAdmin('delete from approval_decisions; update approval_delegations set revoked_at = now()');
  });

  test('nobody sends somebody else away but who manages people, and nobody stands in for themselves', async () => {
    const [away = '', deputy = ''] = boards;
    const times = { starts_at: '2026-11-21T08:00:00Z', ends_at: '2026-11-28T08:00:00Z' };
    const edit = (from: string, to: string): Edit => ({
      t: 'approval_delegations',
      op: 'insert',
      patch: { organization_id: world.organization, from_id: from, to_id: to, ...times },
    });
    expect(await testDevice(db, deputy).push(edit(away, deputy))).toMatchObject([refused]);
    expect(await testDevice(db, away).push(edit(away, away))).toMatchObject([{ st: 'rejected', code: '23514' }]);
    expect(await testDevice(db, away).push(edit(away, world.stranger))).toMatchObject([refused]);
    expect(await testDevice(db, world.admin).push(edit(away, deputy))).toMatchObject([{ st: 'applied' }]);
    await db.asAdmin('update approval_delegations set revoked_at = now()');
  });
});

describe('at once', () => {
  test(
    'whoever decides at the same moment, also as deputy, a request ends once and every voice counts at most once',
    async () => {
      const [one = '', two = '', three = '', deputy = ''] = boards;
      await delegate(three, deputy);
      const voice = fc.constantFrom('approve', 'approve', 'approve', 'reject', 'request_change') as fc.Arbitrary<
        'approve' | 'reject'
      >;
      const plan = fc.record({
        rule: fc.constantFrom('any', 'all', 'quorum'),
        voices: fc.array(fc.record({ who: fc.constantFrom(one, two, three, deputy), voice }), {
          minLength: 3,
          maxLength: 8,
        }),
      });
      await holds(
        'approvals-at-once',
        RUNS,
        fc.asyncProperty(plan, async ({ rule, voices }) => {
          const version = await sent([stage(rule, [one, two, three], rule === 'quorum' ? 2 : undefined)]);
          const asked = new Set(voices.map(({ who }) => (who === deputy ? three : who)));
          const results = await Promise.all(
            voices.map(({ who, voice: decision }) =>
              policies.decide(version, who, decision, who === deputy ? { approver_id: three } : {}),
            ),
          );
          const trail = await trailOf(version);
          const request = await requestRow(version);
          const needed = { any: 1, all: 3, quorum: 2 }[rule] ?? 0;
          const yes = trail.filter(row => row['decision'] === 'approve').length;
          const no = trail.filter(row => row['decision'] !== 'approve');
          expect(results.filter(result => result?.st === 'applied')).toHaveLength(trail.length);
          expect(new Set(trail.map(row => row['approver_id'])).size).toBe(trail.length);
          expect(trail.length).toBeLessThanOrEqual(asked.size);
          expect(no.length).toBeLessThanOrEqual(1);
          expect(yes).toBeLessThanOrEqual(needed);
          const refusal = no[0]?.['decision'] === 'reject' ? 'rejected' : 'change_requested';
          const agreement = yes === needed ? 'approved' : 'pending';
          expect(request?.['state']).toBe(no.length === 1 ? refusal : agreement);
          const ends = {
            approved: 'approved',
            rejected: 'draft',
            change_requested: 'change_requested',
            pending: 'in_review',
          };
          expect(await versionState(version)).toBe(ends[String(request?.['state']) as keyof typeof ends]);
        }),
      );
    },
    HISTORIES_TIMEOUT,
  );
});
