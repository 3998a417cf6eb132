import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type CreatedLink = { id: string; token: string };
const makeLink = (fields: Record<string, unknown> = {}, by = world.admin) =>
  db.rpc<CreatedLink>(by, 'create_partner_link', { p_organization: world.organization, p_name: 'Fair', ...fields });
const activate = (person: string | null, token: string) =>
  db.rpc<Record<string, unknown>>(person, 'activate_partner_link', { partner_link_token: token });
const somebody = () => db.person(`${randomUUID()}@new.test`);
const unusable = { code: '42501', message: expect.stringContaining('this link cannot be used') };

describe('a partner link', () => {
  test('R7.22 R3.11 makes a member and notes the activation, which its person reads', async () => {
    const { token } = await makeLink();
    const person = await somebody();
    expect(await activate(person, token)).toMatchObject({ organization_id: world.organization, role: 'member' });
    const rows = await db.as(
      person,
      `select organization_id, activation_source, user_id, activated_at > now() - interval '1 minute' as fresh from organization_activations`,
    );
    expect(rows).toEqual([
      { organization_id: world.organization, activation_source: 'partner_link_v2', user_id: person, fresh: true },
    ]);
  });

  test('R9.07 activated again it is fresh again, and counts nobody twice', async () => {
    const { id, token } = await makeLink({ p_max_uses: 1 });
    const person = await somebody();
    await activate(person, token);
    await db.asAdmin(
      `update organization_activations set activated_at = now() - interval '25 hours' where user_id = $1`,
      [person],
    );
    expect(await activate(person, token)).toMatchObject({ already_member: true });
    expect(
      await db.as(person, `select 1 from organization_activations where activated_at > now() - interval '1 minute'`),
    ).toHaveLength(1);
    expect(await db.as(world.admin, 'select uses from partner_links where id = $1', [id])).toEqual([{ uses: 1 }]);
  });

  test('R3.03 R4.20 of several activations the newest through a partner link is the one that is told, and no other kind hides it', async () => {
    const { token } = await makeLink();
    const person = await somebody();
    await activate(person, token);
    const note = (source: string, hours: number) =>
      db.asAdmin(
        `insert into organization_activations (organization_id, user_id, activation_source, activated_at)
         values ($1, $2, $3, now() - make_interval(hours => $4))`,
        [world.organization, person, source, hours],
      );
    await note('others', -1);
    const told = async () => {
      const rows = await db.as(person, 'select * from get_user_organization_contexts($1)', [person]);
      return rows.find(row => row['organization_id'] === world.organization)?.['activation_source'];
    };
    expect(await told()).toBe('partner_link_v2');
    await note('partner_link', -2);
    expect(await told()).toBe('partner_link');
    await db.asAdmin(`delete from organization_activations where activation_source like 'partner%' and user_id = $1`, [
      person,
    ]);
    expect(await told()).toBe('others');
  });

  test('lets as many through as it says, however many come at once', async () => {
    const { token } = await makeLink({ p_max_uses: 3 });
    const people = await Promise.all(Array.from({ length: 12 }, somebody));
    const outcomes = await Promise.allSettled(people.map(person => activate(person, token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    const reasons = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject(unusable);
  });

  test('guessed, taken back or too old gets one answer', async () => {
    const [revoked, old] = await Promise.all([makeLink(), makeLink()]);
    await db.rpc(world.admin, 'revoke_partner_link', { p_id: revoked.id });
    await db.asAdmin('update partner_links set expires_at = now() where id = $1', [old.id]);
    const person = await somebody();
    for (const token of ['', '0'.repeat(64), revoked.token, old.token]) {
      await expect(activate(person, token)).rejects.toMatchObject(unusable);
      await expect(db.rpc(null, 'preview_partner_link', { partner_link_token: token })).rejects.toMatchObject(unusable);
    }
  });

  test('is no way back for whoever left or was removed', async () => {
    const { token } = await makeLink();
    const person = await somebody();
    await activate(person, token);
    await db.asAdmin('update organization_members set deleted_at = now() where user_id = $1 and organization_id = $2', [
      person,
      world.organization,
    ]);
    await expect(activate(person, token)).rejects.toMatchObject({ code: 'P0001', hint: 'membership_ended' });
  });

  test('is made by a partner who belongs to the organisation, and nowhere else', async () => {
    const partner = world.colleague;
    await expect(makeLink({}, partner)).rejects.toMatchObject({ code: '42501' });
    await db.asAdmin(`insert into user_roles (user_id, role) values ($1, 'partner')`, [partner]);
    expect(await makeLink({}, partner)).toMatchObject({ token: expect.stringMatching(/^[0-9a-f]{64}$/) });
    const [foreign] = await db.asAdmin(`select id from organizations where name = 'other'`);
    await expect(makeLink({ p_organization: foreign?.['id'] }, partner)).rejects.toMatchObject({ code: '42501' });
    await db.rpc(partner, 'set_organization_program', {
      p_organization: world.organization,
      p_name: ' Safe start ',
      p_description: '',
    });
    expect(
      await db.as(world.worker, 'select program_name, program_description from organizations where id = $1', [
        world.organization,
      ]),
    ).toEqual([{ program_name: 'Safe start', program_description: null }]);
  });

  test('says before it is used what it opens, signed out too', async () => {
    const { token } = await makeLink();
    expect(await db.rpc(null, 'preview_partner_link', { partner_link_token: token })).toMatchObject({
      organization_name: 'acme',
      role: 'member',
      invited_by: 'admin',
      already_member: false,
    });
  });

  test.each([{ p_name: ' ' }, { p_max_uses: 0 }, { p_days: 0 }, { p_days: 367 }])('%j is refused', async fields => {
    await expect(makeLink(fields)).rejects.toMatchObject({ code: '22023' });
  });
});
