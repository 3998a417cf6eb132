import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';
import { PackFixture } from './pack-fixture.ts';
import { PolicyFixture } from './policy-fixture.ts';
import { REMOTE } from './world-packs.ts';
import { makeWorld, type World } from './world.ts';

let db: TestDatabase;
let world: World;
let packs: PackFixture;
beforeAll(async () => {
  db = await freshDatabase();
  world = await makeWorld(db);
  packs = await PackFixture.open(db, world);
});
afterAll(() => db.drop());

const [remote] = REMOTE.policies;
const NEW_BODY = '## Rules\n\n{{company}} lends the laptop and {{officer}} counts it.\n\nLock it.\n';
const SECOND = {
  ...REMOTE,
  variables: [...REMOTE.variables, { key: 'officer', label: 'Who looks after devices' }],
  policies: [
    { ...remote, body: NEW_BODY },
    { key: 'visits', title: 'Visitors', body: 'Sign in.' },
  ],
};
const officer = { p_variables: JSON.stringify({ officer: 'Kim' }) };

/** A pack that a company has, and its next version. */
async function updated(contents: unknown = SECOND) {
  const { pack, version } = await packs.listed(REMOTE);
  await packs.install(world.admin, version, { company: 'ACME' });
  const second = await packs.next(pack, '1.1.0', contents, 'Who counts');
  await packs.list(second);
  return { pack, second };
}
const seen = async (pack: string) => ({ p_seen: (await packs.policyOf(pack))['content_hash'] });
const versionsOf = async (pack: string) =>
  db.asAdmin(
    `select distinct x.pack_number, i.version_id from pack_items x join pack_installs i using (pack_id, organization_id) where pack_id = $1`,
    [pack],
  );

describe('a later version of a pack', () => {
  test('nothing changes by itself; each document is decided on, and then the company stands at that version', async () => {
    const { pack, second } = await updated();
    expect((await packs.policyOf(pack))['body']).toBe('## Rules\n\nACME lends the laptop.\n\nLock it.\n');
    const body = 'ACME lends the laptop, and Kim counts it.';
    expect(await packs.take(second, 'remote', 'take', { p_body: body, ...(await seen(pack)), ...officer })).toBe(false);
    expect(await packs.policyOf(pack)).toMatchObject({ body, state: 'draft', title: 'Remote work' });
    expect(await packs.take(second, 'visits', 'add')).toBe(false);
    expect(await packs.take(second, 'desk', 'keep', { p_kind: 'form' })).toBe(false);
    expect(await packs.take(second, 'list', 'keep', { p_kind: 'task' })).toBe(true);
    expect(await versionsOf(pack)).toEqual([{ pack_number: '1.1.0', version_id: second }]);
    expect(await packs.items(pack)).toHaveLength(4);
  });

  test('words that somebody changed since they were looked at are not overwritten', async () => {
    const { pack, second } = await updated();
    const before = await seen(pack);
    const { id } = await packs.policyOf(pack);
    await db.asAdmin(`update policy_versions set body = 'Ours' where id = $1`, [id]);
    const taking = packs.take(second, 'remote', 'take', { p_body: NEW_BODY, ...before, ...officer });
    await expect(taking).rejects.toMatchObject({ code: '23514', hint: 'changed' });
    expect((await packs.policyOf(pack))['body']).toBe('Ours');
    await packs.take(second, 'remote', 'keep', officer);
    expect((await packs.policyOf(pack))['body']).toBe('Ours');
  });

  test('a policy in force keeps its words: the update is a draft of its next version', async () => {
    const { pack, second } = await updated();
    const { id, policy_id: policy } = await packs.policyOf(pack);
    await new PolicyFixture(db, world).publish(String(id));
    await packs.take(second, 'remote', 'take', { p_body: 'Next', ...(await seen(pack)), ...officer });
    const rows = await db.asAdmin(
      'select state, body from policy_versions where policy_id = $1 order by major nulls last',
      [policy],
    );
    expect(rows).toEqual([
      { state: 'published', body: '## Rules\n\nACME lends the laptop.\n\nLock it.\n' },
      { state: 'draft', body: 'Next' },
    ]);
  });

  test('what is being approved, and what somebody else is writing, stays', async () => {
    const { pack, second } = await updated();
    const { id } = await packs.policyOf(pack);
    await db.rpc(world.manager, 'hold_policy_edit_lock', { p_version: id });
    const take = async () => packs.take(second, 'remote', 'take', { p_body: 'x', ...(await seen(pack)), ...officer });
    await expect(take()).rejects.toMatchObject({ hint: 'pen' });
    await db.rpc(world.manager, 'release_policy_edit_lock', { p_version: id });
    await new PolicyFixture(db, world).submit(String(id));
    await expect(take()).rejects.toMatchObject({ hint: 'state' });
  });

  test('a form that was changed here is not overwritten; one that was not gets the new questions as a draft', async () => {
    const next = { ...REMOTE, forms: [{ ...REMOTE.forms[0], definition: { items: [], title: 'New' } }] };
    const { pack, second } = await updated(next);
    const [{ target_id: form } = {}] = await packs.items(pack);
    const draft = async () => (await db.asAdmin('select definition from form_drafts where form_id = $1', [form]))[0];
    await db.asAdmin(`update form_drafts set definition = '{"items": [], "title": "Ours"}' where form_id = $1`, [form]);
    const take = () => packs.take(second, 'desk', 'take', { p_kind: 'form' });
    await expect(take()).rejects.toMatchObject({ hint: 'changed' });
    expect(await draft()).toEqual({ definition: { items: [], title: 'Ours' } });
    await db.asAdmin(`update form_drafts set definition = '{"items": []}' where form_id = $1`, [form]);
    await take();
    expect(await draft()).toEqual({ definition: { items: [], title: 'New' } });
  });

  test('somebody who may not install decides on nothing, and nobody goes back to an older version', async () => {
    const { pack, version } = await packs.listed(REMOTE);
    const second = await packs.next(pack, '1.1.0', SECOND);
    await packs.list(second);
    await packs.install(world.admin, second, { company: 'ACME', officer: 'Kim' });
    await expect(packs.take(version, 'remote', 'keep')).rejects.toMatchObject({ code: '42501' });
    const asked = {
      p_organization: world.organization,
      p_version: second,
      p_kind: 'policy',
      p_key: 'remote',
      p_how: 'keep',
    };
    await expect(db.rpc(world.manager, 'take_pack_item', asked)).rejects.toMatchObject({ code: '42501' });
    await expect(db.rpc(world.stranger, 'take_pack_item', asked)).rejects.toMatchObject({ code: '42501' });
  });
});

test('who installs packs but writes no policies and forms takes nothing of them up, in no words', async () => {
  const { pack, version } = await packs.listed(REMOTE);
  const values = { company: 'ACME', officer: 'Kim' };
  await packs.install(world.admin, version, values);
  const second = await packs.next(pack, '1.1.0', SECOND);
  await packs.list(second);
  const partner = await db.person('partner@packs.test');
  await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')`, [
    world.organization,
    partner,
  ]);
  await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'partner')`, [partner]);
  const take = (p_how: string) =>
    db.rpc(partner, 'take_pack_item', {
      p_organization: world.organization,
      p_version: second,
      p_kind: 'policy',
      p_key: 'remote',
      p_how,
      p_body: 'Pay me',
    });
  for (const how of ['take', 'add']) await expect(take(how)).rejects.toMatchObject({ code: '42501', hint: 'right' });
});

describe('ratings', () => {
  test('a company that installed a pack rates it once; its maker and whoever did not install it do not', async () => {
    const { pack, version } = await packs.listed(REMOTE);
    const rate = (person: string, organization: string, stars: number) =>
      db.rpc(person, 'rate_pack', { p_organization: organization, p_pack: pack, p_stars: stars });
    const refused = { code: '42501' };
    await expect(rate(world.admin, world.organization, 5)).rejects.toMatchObject(refused);
    await packs.install(world.admin, version, { company: 'ACME' });
    await expect(rate(world.stranger, packs.company, 5)).rejects.toMatchObject(refused);
    await expect(rate(world.manager, world.organization, 5)).rejects.toMatchObject(refused);
    await expect(rate(world.admin, world.organization, 6)).rejects.toMatchObject({ code: '23514' });
    await rate(world.admin, world.organization, 2);
    await rate(world.admin, world.organization, 4);
    const [row] = await db.asAdmin('select rating_count, rating_sum from policy_packs where id = $1', [pack]);
    expect(row).toEqual({ rating_count: 1, rating_sum: 4 });
  });

  /** A company of somebody's own, which has the pack. */
  async function founded(by: string, version: string): Promise<string> {
    const organization = randomUUID();
    const patch = { name: 'Mine', slug: `mine-${organization}` };
    const [made] = await testDevice(db, by).push({ t: 'organizations', op: 'insert', id: organization, patch });
    expect(made).toMatchObject({ st: 'applied' });
    const variables = JSON.stringify({ company: 'Mine' });
    const args = { p_organization: organization, p_version: version, p_playbook: null, p_variables: variables };
    await db.rpc(by, 'install_pack', args);
    return organization;
  }
  const rate = (by: string, p_organization: string, p_pack: string, p_stars: number) =>
    db.rpc(by, 'rate_pack', { p_organization, p_pack, p_stars });
  const countsOf = async (pack: string) =>
    (await db.asAdmin('select rating_count, rating_sum, linked_playbooks from policy_packs where id = $1', [pack]))[0];

  test('of a person who founds several companies one word counts, the newest', async () => {
    const { pack, version } = await packs.listed(REMOTE);
    const person = await db.person(`${randomUUID()}@packs.test`);
    for (const stars of [1, 1, 3]) await rate(person, await founded(person, version), pack, stars);
    expect(await countsOf(pack)).toMatchObject({ rating_count: 1, rating_sum: 3 });
    await packs.install(world.admin, version, { company: 'ACME' });
    await rate(world.admin, world.organization, pack, 5);
    expect(await countsOf(pack)).toMatchObject({ rating_count: 2, rating_sum: 8 });
  });

  test('the maker of a pack and whoever belongs to its company rate it from no other company', async () => {
    const { pack, version } = await packs.listed(REMOTE);
    const colleague = await db.person(`${randomUUID()}@packs.test`);
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'member')`, [
      packs.company,
      colleague,
    ]);
    for (const person of [packs.maker, colleague]) {
      const own = await founded(person, version);
      await expect(rate(person, own, pack, 5)).rejects.toMatchObject({ code: '42501', detail: 'CN411' });
    }
    // Who made it made it, also after they left.
    const heir = await db.person(`${randomUUID()}@packs.test`);
    await db.asAdmin(`insert into organization_members (organization_id, user_id, role) values ($1, $2, 'admin')`, [
      packs.company,
      heir,
    ]);
    const maker = [packs.company, packs.maker];
    const membership = 'where organization_id = $1 and user_id = $2';
    await db.asAdmin(`update organization_members set deleted_at = now() ${membership}`, maker);
    const own = await founded(packs.maker, version);
    await expect(rate(packs.maker, own, pack, 5)).rejects.toMatchObject({ code: '42501', detail: 'CN411' });
    await db.asAdmin(`update organization_members set deleted_at = null ${membership}`, maker);
    expect(await countsOf(pack)).toMatchObject({ rating_count: 0 });
  });
});
