import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { db, setUpWorld, world } from './set-up-world.ts';

setUpWorld();

type CreatedInvitation = { id: string; token: string; email: string | null; expires_at: string };
type JoinResult = { organization_id: string; organization_name: string; role: string; already_member: boolean };

const invite = (fields: Record<string, unknown> = {}, by = world.admin) =>
  db.rpc<CreatedInvitation>(by, 'invite_to_organization', { p_organization: world.organization, ...fields });
const accept = (person: string | null, token: string) =>
  db.rpc<JoinResult>(person, 'accept_organization_invitation', { invitation_token: token });
const preview = (person: string | null, token: string) =>
  db.rpc<Record<string, unknown>>(person, 'preview_organization_invitation', { invitation_token: token });
const newcomer = async (email = `${randomUUID()}@new.test`, isConfirmed = true) => {
  const person = await db.person(email);
  if (isConfirmed) await db.asAdmin('update auth.users set email_confirmed_at = now() where id = $1', [person]);
  return person;
};
const membershipOf = async (person: string) =>
  (
    await db.asAdmin(
      'select role, deleted_at is null as current, valid_until, site_limited from organization_members where organization_id = $1 and user_id = $2',
      [world.organization, person],
    )
  )[0];

/** The one answer for every token that cannot be used. */
const unusable = {
  code: '42501',
  message: 'this link cannot be used: it is unknown, used, taken back or too old',
};

describe('R7.26 accepting an invitation', () => {
  test('by link makes one person a member, with its role and sites, and answers where', async () => {
    const { token } = await invite({ p_role: 'manager', p_sites: [world.north] });
    const person = await newcomer();
    expect(await accept(person, token)).toEqual({
      organization_id: world.organization,
      organization_name: 'acme',
      role: 'manager',
      already_member: false,
    });
    expect(await membershipOf(person)).toMatchObject({ role: 'manager', current: true });
    expect(await db.as(person, 'select site_id from site_members where user_id = $1', [person])).toEqual([
      { site_id: world.north },
    ]);
    expect(await db.as(person, 'select id from inspections')).toEqual([{ id: world.inspection }]);
  });

  test('only the hash of a token is kept', async () => {
    const { token } = await invite();
    const kept = await db.asAdmin(
      `select to_jsonb(i)::text || encode(t.hash, 'escape') as text from organization_invitations i
       join identity.invitation_token t on t.invitation_id = i.id`,
    );
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
  });

  test('lets one of twenty through who come with the same link at once', async () => {
    const { token } = await invite();
    const people = await Promise.all(Array.from({ length: 20 }, () => newcomer()));
    const outcomes = await Promise.allSettled(people.map(person => accept(person, token)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const reasons = outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [outcome.reason] : []));
    for (const reason of reasons) expect(reason).toMatchObject(unusable);
    const members = await Promise.all(people.map(membershipOf));
    expect(members.filter(Boolean)).toHaveLength(1);
  });

  test('answers whoever accepted again when their answer was lost, and nobody else', async () => {
    const { token } = await invite();
    const person = await newcomer();
    await accept(person, token);
    expect(await accept(person, token)).toMatchObject({ organization_id: world.organization, already_member: true });
    await expect(accept(await newcomer(), token)).rejects.toMatchObject(unusable);
  });

  test('a member who opens a link spends nothing and keeps their role', async () => {
    const { token } = await invite({ p_role: 'admin' });
    expect(await accept(world.worker, token)).toMatchObject({ role: 'member', already_member: true });
    expect(await accept(await newcomer(), token)).toMatchObject({ role: 'admin', already_member: false });
  });
});

describe('a token that cannot be used', () => {
  test('gets one answer, whether guessed, expired, taken back, replaced or of a closed organisation', async () => {
    const [expired, revoked, replaced] = await Promise.all([invite(), invite(), invite({ p_email: 'twice@new.test' })]);
    await db.asAdmin(`update organization_invitations set expires_at = now() where id = $1`, [expired.id]);
    await db.rpc(world.admin, 'revoke_invitation', { p_id: revoked.id });
    await invite({ p_email: 'Twice@new.test ' });
    const person = await newcomer('twice@new.test');
    for (const token of ['', 'x', '0'.repeat(64), expired.token, revoked.token, replaced.token]) {
      await expect(accept(person, token)).rejects.toMatchObject(unusable);
      await expect(preview(person, token)).rejects.toMatchObject(unusable);
      await expect(preview(null, token)).rejects.toMatchObject(unusable);
    }
    expect(await membershipOf(person)).toBeUndefined();
  });

  test('lasts 14 days; a renewed one has a new token and 14 new days', async () => {
    const made = await invite();
    const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(13.99);
    expect(days).toBeLessThanOrEqual(14.01);
    const renewed = await db.rpc<CreatedInvitation>(world.admin, 'renew_invitation', { p_id: made.id });
    await expect(accept(await newcomer(), made.token)).rejects.toMatchObject(unusable);
    expect(await accept(await newcomer(), renewed.token)).toMatchObject({ already_member: false });
    await expect(db.rpc(world.admin, 'renew_invitation', { p_id: made.id })).rejects.toMatchObject({ code: 'P0001' });
  });

  test('of somebody who left or lost the right to invite stops working with it', async () => {
    const inviter = await newcomer();
    await accept(inviter, (await invite({ p_role: 'admin' })).token);
    const before = await invite({ p_role: 'admin' }, inviter);
    await db.asAdmin(`update organization_members set role = 'member' where user_id = $1 and organization_id = $2`, [
      inviter,
      world.organization,
    ]);
    await expect(accept(await newcomer(), before.token)).rejects.toMatchObject(unusable);
    await expect(invite({}, inviter)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('an invitation by e-mail', () => {
  test('is for that address alone; whoever is signed in as someone else learns so and spends nothing', async () => {
    const { token } = await invite({ p_email: ' Chris@New.test ' });
    await expect(accept(await newcomer(), token)).rejects.toMatchObject({
      code: 'P0001',
      hint: 'invitation_for_another_account',
    });
    await expect(accept(world.worker, token)).rejects.toMatchObject({ hint: 'invitation_for_another_account' });
    const chris = await newcomer('chris@new.test');
    expect(await accept(chris, token)).toMatchObject({ already_member: false });
  });

  test('waits until the address is confirmed: a stranger who typed it gets nowhere', async () => {
    const { token } = await invite({ p_email: 'unsure@new.test' });
    const person = await newcomer('unsure@new.test', false);
    await expect(accept(person, token)).rejects.toMatchObject({ code: 'P0001', hint: 'email_not_confirmed' });
    expect(await membershipOf(person)).toBeUndefined();
  });

  test.each(['no address', 'a@b', '@x.test', `${'x'.repeat(250)}@x.test`])('%s is refused', async p_email => {
    await expect(invite({ p_email })).rejects.toMatchObject({ code: '22023' });
  });

  test('to somebody who is a member already is made like any other, so that it tells nothing of them', async () => {
    const [member, nobody] = [await invite({ p_email: 'Worker@a.test' }), await invite({ p_email: 'nobody@a.test' })];
    expect(Object.keys(member)).toEqual(Object.keys(nobody));
  });
});

describe('before accepting', () => {
  test('the preview says in plain words who invites to what, signed out and signed in', async () => {
    const { token } = await invite({ p_email: 'dana@new.test', p_sites: [world.south] });
    const seen = await preview(null, token);
    expect(seen).toMatchObject({
      organization_name: 'acme',
      role: 'member',
      display_name: 'Member',
      sites: ['South'],
      invited_by: 'admin',
      email_hint: 'd…@new.test',
      for_me: null,
      already_member: false,
    });
    expect(seen['may']).toContain('Start, answer and finish inspections');
    expect(JSON.stringify(seen)).not.toContain('dana@');
    expect(await preview(await newcomer('dana@new.test'), token)).toMatchObject({ for_me: true });
    expect(await preview(world.worker, token)).toMatchObject({ for_me: false, already_member: true });
  });

  test('only who may manage people invites, lists, renews and takes back; never into a private space', async () => {
    const { id } = await invite();
    for (const person of [world.manager, world.worker, world.auditor, world.stranger]) {
      await expect(invite({}, person)).rejects.toMatchObject({ code: '42501' });
      await expect(db.rpc(person, 'renew_invitation', { p_id: id })).rejects.toMatchObject({ code: '42501' });
      await expect(db.rpc(person, 'revoke_invitation', { p_id: id })).rejects.toMatchObject({ code: '42501' });
      expect(await db.as(person, 'select 1 from organization_invitations')).toEqual([]);
    }
    const [privateSpace] = await db.as(world.admin, `select id from organizations where kind = 'private'`);
    await expect(invite({ p_organization: privateSpace?.['id'] })).rejects.toMatchObject({ code: '42501' });
    expect((await db.as(world.admin, 'select 1 from organization_invitations where id = $1', [id])).length).toBe(1);
  });

  test('what does not fit is refused: an unknown role, a foreign site, an end that is over or too far', async () => {
    const foreign = randomUUID();
    for (const fields of [
      { p_role: 'king' },
      { p_sites: [foreign] },
      { p_valid_until: '2020-01-01T00:00:00Z' },
      { p_role: 'admin', p_valid_until: '2030-01-01T00:00:00Z' },
      { p_role: 'auditor', p_valid_until: '2199-01-01T00:00:00Z' },
    ]) {
      await expect(invite(fields)).rejects.toMatchObject({ code: '22023' });
    }
  });
});

test('a former member who is invited again gets what the new invitation says, nothing of before', async () => {
  const person = await newcomer();
  await accept(person, (await invite({ p_role: 'manager', p_sites: [world.north] })).token);
  await db.rpc(person, 'leave_organization', { p_organization: world.organization });
  expect(await accept(person, (await invite({ p_sites: [world.south] })).token)).toMatchObject({ role: 'member' });
  expect(await db.as(person, 'select site_id from site_members where user_id = $1', [person])).toEqual([
    { site_id: world.south },
  ]);
});
