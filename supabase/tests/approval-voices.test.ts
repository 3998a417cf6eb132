import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { derivedId } from '@cairn/base/id.ts';
import { push, rowOf } from './edits.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';
import { setPlan } from './workflow-fixture.ts';

setUpWorld();
let desk: PolicyFixture;
let one: string;
let two: string;
let three: string;
beforeAll(async () => {
  desk = new PolicyFixture(db, world);
  [one = '', two = '', three = ''] = await Promise.all(
    ['one', 'two', 'three'].map(async name => {
      const id = await db.person(`${name}@voices.test`);
      const member = `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'manager')`;
      await db.asAdmin(member, [world.organization, id]);
      return id;
    }),
  );
});
beforeEach(async () => {
  await db.asAdmin('delete from notifications; delete from approval_decisions; delete from approval_delegations');
  await setPlan('enterprise');
});

const applied = { st: 'applied' };
const refused = { st: 'rejected', code: '42501' };
const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
const deputy = (from: string, to: string) =>
  db.asAdmin(
    'insert into approval_delegations (organization_id, from_id, to_id, starts_at, ends_at) values ($1, $2, $3, $4, $5)',
    [world.organization, from, to, at(-1), at(1)],
  );
const setRole = async (person: string, role: string) => {
  const set = 'update organization_members set role = $3 where organization_id = $1 and user_id = $2';
  await db.asAdmin(set, [world.organization, person, role]);
  await setPlan('enterprise'); // which is reckoned anew with each change of a member
};
async function sent(...stages: [rule: string, people: string[], quorum?: number][]): Promise<string> {
  const { version } = await desk.draft(`Text ${randomUUID()}`);
  await desk.submit(
    version,
    stages.map(([rule, people, quorum]) => ({ name: '', rule, people, ...(quorum && { quorum }) })),
  );
  return version;
}
const stateOf = async (version: string) => (await rowOf('approval_requests', await desk.requestOf(version)))['state'];
const told = async (person: string) =>
  (await db.asAdmin('select type from notifications where user_id = $1', [person])).map(({ type }) => type);

describe('a voice', () => {
  test('that ended is spoken by nobody', async () => {
    await deputy(one, two);
    const version = await sent(['any', [one]]);
    await setRole(one, 'member');
    expect(await desk.decide(version, two, 'approve', { approver_id: one })).toMatchObject(refused);
    await setRole(one, 'manager');
    expect(await desk.decide(version, two, 'approve', { approver_id: one })).toMatchObject(applied);
  });

  test('of one head is one, in a stage of all and over stages, while another could speak', async () => {
    await deputy(one, two);
    const all = await sent(['all', [one, two]]);
    expect(await desk.decide(all, two, 'approve', { approver_id: one })).toMatchObject(refused);
    expect(await desk.decide(all, two, 'approve')).toMatchObject(applied);
    expect(await desk.decide(all, two, 'approve', { approver_id: one })).toMatchObject(refused);
    expect(await stateOf(all)).toBe('pending');
    expect(await desk.decide(all, one, 'approve')).toMatchObject(applied);
    expect(await stateOf(all)).toBe('approved');

    const stages = await sent(['any', [three]], ['quorum', [one, world.admin], 1]);
    await deputy(three, two);
    expect(await desk.decide(stages, two, 'approve', { approver_id: three })).toMatchObject(applied);
    expect(await desk.decide(stages, two, 'approve', { approver_id: one })).toMatchObject(refused);
    expect(await desk.decide(stages, one, 'approve')).toMatchObject(applied);
    expect(await stateOf(stages)).toBe('approved');
  });

  test('is given to a deputy who may decide; else whoever was asked is told, and nobody learns a title they may not read', async () => {
    await deputy(one, world.worker);
    await sent(['any', [one]]);
    expect([await told(one), await told(world.worker)]).toEqual([['approval.requested'], []]);
    await db.asAdmin('delete from notifications');
    await deputy(one, two);
    await sent(['any', [one]]);
    expect([await told(one), await told(two), await told(world.worker)]).toEqual([[], ['approval.requested'], []]);
    await db.asAdmin('delete from notifications; delete from inbox.sweep_mark');
    await setRole(two, 'member');
    await db.asAdmin('select inbox.sweep_approvals()');
    expect([await told(two), await told(world.worker)]).toEqual([[], []]);
    await setRole(two, 'manager');
  });
});

describe('a risk', () => {
  const limit = (person: string, limited: boolean) =>
    db.asAdmin('update organization_members set site_limited = $3 where organization_id = $1 and user_id = $2', [
      world.organization,
      person,
      limited,
    ]);
  const asking = (action: string, more: object = {}) =>
    db.rpc<string>(world.worker, 'ask_to_accept_risk', {
      p_action: action,
      p_until: at(24 * 30).slice(0, 10),
      p_reason: 'The part comes in March',
      ...more,
    });
  const decide = (person: string, request: string) =>
    push(person, {
      t: 'approval_decisions',
      op: 'insert',
      id: derivedId(request, `stage/1/${person}`),
      patch: { request_id: request, stage: 1, approver_id: person, decision: 'approve', at: at(0) },
    });

  test('is asked of who reads the item; where others read requests, they learn neither title nor reason', async () => {
    await setPlan('enterprise');
    await limit(three, true);
    const place = { organization_id: world.organization, site_id: world.north };
    const id = randomUUID();
    const secret = { ...place, title: 'Secret of the north', created_by: world.worker };
    expect(await push(world.worker, { t: 'action_items', id, op: 'insert', patch: secret })).toMatchObject([applied]);
    await expect(asking(id, { p_people: [three] })).rejects.toMatchObject({ hint: 'approver_without_right' });
    const request = await rowOf('approval_requests', await asking(id));
    expect(JSON.stringify(request)).not.toMatch(/Secret|March/);
    expect(JSON.stringify(request['stages'])).not.toContain(three);
    expect(await told(three)).toEqual([]);
    await deputy(one, three);
    const forOne = derivedId(String(request['id']), `stage/1/${one}`);
    const patch = { request_id: request['id'], stage: 1, approver_id: one, decision: 'approve', at: at(0) };
    expect(await push(three, { t: 'approval_decisions', op: 'insert', id: forOne, patch })).toMatchObject([refused]);
    expect(await decide(one, String(request['id']))).toMatchObject([applied]);
    await limit(three, false);
    const open = randomUUID();
    const patchOpen = { ...secret, title: 'Known to all' };
    await push(world.worker, { t: 'action_items', id: open, op: 'insert', patch: patchOpen });
    expect(await rowOf('approval_requests', await asking(open))).toMatchObject({
      title: 'Known to all',
      note: 'The part comes in March',
    });
  });
});
