import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { policyHash } from '@cairn/core/policies/policy-hash.ts';
import { nextVersionId } from '@cairn/core/policies/write-policy.ts';
import type { VersionState } from '@cairn/core/policies/version-states.ts';
import { testDevice, type Edit } from './device.ts';
import { push } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let policies: PolicyFixture;
beforeAll(async () => {
  policies = new PolicyFixture(db, world);
});
beforeEach(() => db.asAdmin('delete from notifications'));

const versionRow = async (id: string) => (await db.asAdmin('select * from policy_versions where id = $1', [id]))[0];
const policyRow = async (id: string) => (await db.asAdmin('select * from policies where id = $1', [id]))[0];
const refused = { st: 'rejected', code: '42501' };
/** From a state to those a version may move to. */
const versionMoves: Record<VersionState, readonly VersionState[]> = {
  // Published at once: in a private space only.
  draft: ['in_review', 'published'],
  in_review: ['approved', 'change_requested', 'draft'],
  change_requested: ['in_review', 'published'],
  approved: ['published', 'draft'],
  published: ['superseded', 'archived'],
  superseded: [],
  archived: ['published'],
};
const states = Object.keys(versionMoves).filter((state): state is VersionState => state in versionMoves);

test('a version moves from a state to these and no others', async () => {
  for (const from of states)
    for (const to of states) {
      const [row] = await db.asAdmin('select policy.version_may_become($1, $2) as may', [from, to]);
      expect([from, to, row?.['may']]).toEqual([from, to, versionMoves[from].includes(to)]);
    }
});

describe('what is written', () => {
  test('drafts reach whoever may read drafts and nobody else; what is in force reaches everybody', async () => {
    const { policy, version } = await policies.draft('Crane work');
    for (const [who, sees] of [
      ['manager', true],
      ['admin', true],
      ['worker', false],
      ['auditor', false],
      ['stranger', false],
    ] as const) {
      const device = testDevice(db, world[who]);
      await device.pull();
      expect([who, device.has('policies', policy), device.has('policy_versions', version)]).toEqual([who, sees, sees]);
    }
    await policies.publish(version);
    const worker = testDevice(db, world.worker);
    await worker.pull();
    expect(worker.has('policy_versions', version)).toBe(true);
    const stranger = testDevice(db, world.stranger);
    await stranger.pull();
    expect(stranger.has('policies', policy)).toBe(false);
  });

  test('a member who becomes a manager gets the drafts, and loses them with the role', async () => {
    const { version } = await policies.draft('Ladders');
    const device = testDevice(db, world.colleague);
    await device.pull();
    expect(device.has('policy_versions', version)).toBe(false);
    const role = (name: string) =>
      db.asAdmin('update organization_members set role = $2 where user_id = $1 and organization_id = $3', [
        world.colleague,
        name,
        world.organization,
      ]);
    await role('manager');
    await device.pull();
    expect(device.has('policy_versions', version)).toBe(true);
    await role('member');
    await device.pull();
    expect(device.has('policy_versions', version)).toBe(false);
  });

  test('the hash of a version is what the device works out for the same words', async () => {
    const { version } = await policies.draft('Grüße', 'Zeile eins\n\n„Zitat“ 🪜');
    const row = await versionRow(version);
    expect(row?.['content_hash']).toBe(policyHash({ title: 'Grüße', body: 'Zeile eins\n\n„Zitat“ 🪜' }));
  });

  test('a member writes no policy; a device sets no state, number or hash', async () => {
    const id = randomUUID();
    const patch = { organization_id: world.organization, title: 'Mine' };
    expect(await push(world.worker, { t: 'policies', op: 'insert', id, patch })).toMatchObject([refused]);
    const { policy, version } = await policies.draft('Forged', 'x', {
      state: 'published',
      major: 9,
      minor: 9,
      content_hash: 'f'.repeat(64),
    });
    expect(await versionRow(version)).toMatchObject({
      state: 'draft',
      major: null,
      content_hash: policyHash({ title: 'Forged', body: 'x' }),
    });
    expect(await policyRow(policy)).toMatchObject({ state: 'draft', current_version_id: null });
  });

  test('what was sent for approval and what was published never change', async () => {
    const { version } = await policies.draft('Fixed');
    await policies.submit(version);
    const edit = (): Edit => ({
      t: 'policy_versions',
      op: 'update',
      id: version,
      patch: { body: 'other' },
      base: { body: 'Words of Fixed' },
    });
    expect(await push(world.manager, edit())).toMatchObject([refused]);
    await policies.decide(version, world.admin, 'approve');
    expect(await push(world.manager, edit())).toMatchObject([refused]);
    await db.rpc(world.manager, 'publish_policy_version', { p_version: version });
    expect(await push(world.manager, edit())).toMatchObject([refused]);
    const removal: Edit = {
      t: 'policy_versions',
      op: 'delete',
      id: version,
      bv: Number((await versionRow(version))?.['version']),
    };
    expect(await push(world.manager, removal)).toMatchObject([refused]);
    await expect(db.asAdmin(`update policy_versions set body = 'other' where id = $1`, [version])).rejects.toThrow(
      'never changes',
    );
  });

  test('two people who write the same words meet a conflict, never a silent loss; the pen keeps others out until it is taken over', async () => {
    const { version } = await policies.draft('Shared');
    const edit = (body: string): Edit => ({
      t: 'policy_versions',
      op: 'update',
      id: version,
      patch: { body },
      base: { body: 'Words of Shared' },
    });
    expect(await db.rpc(world.admin, 'hold_policy_edit_lock', { p_version: version })).toMatchObject({ mine: true });
    expect(await db.rpc(world.manager, 'hold_policy_edit_lock', { p_version: version })).toMatchObject({
      mine: false,
      holder: world.admin,
    });
    expect(await push(world.manager, edit('by the manager'))).toMatchObject([refused]);
    expect(
      await db.rpc(world.manager, 'hold_policy_edit_lock', { p_version: version, p_take_over: true }),
    ).toMatchObject({
      mine: true,
    });
    expect(await push(world.manager, edit('by the manager'))).toMatchObject([{ st: 'merged' }]);
    expect(await push(world.admin, edit('by the administrator'))).toMatchObject([{ st: 'conflict', kind: 'fields' }]);
    await db.rpc(world.manager, 'release_policy_edit_lock', { p_version: version });
    expect(await versionRow(version)).toMatchObject({ editing_by: null, body: 'by the manager' });
    await db.asAdmin(
      `update policy_versions set editing_by = $2, editing_since = now() - interval '11 minutes' where id = $1`,
      [version, world.admin],
    );
    expect(await db.rpc(world.manager, 'hold_policy_edit_lock', { p_version: version })).toMatchObject({ mine: true });
  });

  test('what comes next stands once, also when two devices begin it without signal', async () => {
    const { policy, version } = await policies.inForce('Once');
    const next = nextVersionId(policy, version);
    const begin = (id: string): Edit => ({
      t: 'policy_versions',
      op: 'insert',
      id,
      patch: {
        organization_id: world.organization,
        policy_id: policy,
        title: 'Once',
        body: 'Words of Once',
        change: 'minor',
        based_on_id: version,
      },
    });
    expect(await push(world.manager, begin(next))).toMatchObject([{ st: 'applied' }]);
    expect(await push(world.admin, begin(next))).toMatchObject([{ st: 'merged' }]);
    expect(await push(world.admin, begin(randomUUID()))).toMatchObject([{ st: 'rejected', code: '23505' }]);
  });
});

describe('putting in force', () => {
  test('a company publishes what was approved; the first is 1.0, a minor one 1.1, a major one 2.0, and the one before is superseded', async () => {
    const { policy, version } = await policies.draft('Numbers');
    const early = db.rpc(world.manager, 'publish_policy_version', { p_version: version });
    await expect(early).rejects.toMatchObject({ code: '23514' });
    expect(await policies.publish(version)).toEqual({ major: 1, minor: 0 });
    const since = (await policyRow(policy))?.['major_since'];
    const minor = await policies.next(policy, 'minor', 'Words of Numbers, mended');
    expect(await policies.publish(minor)).toEqual({ major: 1, minor: 1 });
    expect(await policyRow(policy)).toMatchObject({ current_version_id: minor, current_major: 1, major_since: since });
    const major = await policies.next(policy, 'major', 'Other words');
    expect(await policies.publish(major)).toEqual({ major: 2, minor: 0 });
    expect((await policyRow(policy))?.['major_since']).not.toEqual(since);
    expect(await versionRow(minor)).toMatchObject({ state: 'superseded' });
    expect(await versionRow(version)).toMatchObject({ state: 'superseded', major: 1, minor: 0 });
  });

  test('whoever asks for the pen of what was just sent for approval is told that nobody writes it', async () => {
    const { version } = await policies.draft('Too late');
    await policies.approve(version);
    const answer = await db.rpc(world.manager, 'hold_policy_edit_lock', { p_version: version, p_take_over: true });
    expect(answer).toEqual({ mine: false, holder: null, since: null });
    expect(await versionRow(version)).toMatchObject({ editing_by: null });
  });

  test('a member, a stranger and a visitor decide nothing', async () => {
    const { policy, version } = await policies.draft('Closed');
    for (const [name, args] of [
      ['publish_policy_version', { p_version: version }],
      ['submit_policy_version', { p_version: version, p_stages: '[]' }],
      ['reopen_policy_version', { p_version: version }],
      ['hold_policy_edit_lock', { p_version: version }],
      ['release_policy_edit_lock', { p_version: version }],
      ['archive_policy', { p_policy: policy }],
      ['exempt_from_policy', { p_policy: policy, p_user: world.worker, p_reason: 'x' }],
      ['policy_acknowledgement_report', { p_policy: policy }],
    ] as const)
      for (const person of [world.worker, world.stranger, null])
        await expect(db.rpc(person, name, args)).rejects.toMatchObject({ code: '42501' });
    expect(await versionRow(version)).toMatchObject({ state: 'draft', editing_by: null });
  });

  test('in a private space a principle is put in force at once', async () => {
    const [privateSpace] = await db.asAdmin(`select id from organizations where kind = 'private' and created_by = $1`, [
      world.worker,
    ]);
    const own = new PolicyFixture(db, { ...world, organization: String(privateSpace?.['id']), manager: world.worker });
    const { version } = await own.draft('I stop before I am tired');
    expect(await db.rpc(world.worker, 'publish_policy_version', { p_version: version })).toEqual({
      major: 1,
      minor: 0,
    });
  });

  test('two who publish at once put it in force once', async () => {
    const { version } = await policies.draft('Race');
    await policies.approve(version);
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        db.rpc(index % 2 === 0 ? world.manager : world.admin, 'publish_policy_version', { p_version: version }),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await versionRow(version)).toMatchObject({ major: 1, minor: 0 });
  });

  test('out of force and back again; a draft is removed with its words, what was in force is not', async () => {
    const { policy, version } = await policies.inForce('Archive');
    await db.rpc(world.manager, 'archive_policy', { p_policy: policy });
    expect(await policyRow(policy)).toMatchObject({ state: 'archived' });
    expect(await versionRow(version)).toMatchObject({ state: 'archived' });
    await db.rpc(world.manager, 'archive_policy', { p_policy: policy, p_archived: false });
    expect(await policyRow(policy)).toMatchObject({ state: 'published', archived_at: null });
    const removal = async (id: string): Promise<Edit> => ({
      t: 'policies',
      op: 'delete',
      id,
      bv: Number((await policyRow(id))?.['version']),
    });
    expect(await push(world.manager, await removal(policy))).toMatchObject([refused]);
    const draft = await policies.draft('Gone');
    expect(await push(world.manager, await removal(draft.policy))).toMatchObject([{ st: 'applied' }]);
    expect((await versionRow(draft.version))?.['deleted_at']).not.toBeNull();
  });
});
