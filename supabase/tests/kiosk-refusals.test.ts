import { beforeAll, describe, expect, test } from 'vitest';
import { testDevice } from './device.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { asked, checkPin, denied, forgetPins, refused, say, setPin, wordOf } from './kiosk-steps.ts';
import { PolicyFixture } from './policy-fixture.ts';

setUpWorld();
let desk: PolicyFixture;
beforeAll(() => {
  desk = new PolicyFixture(db, world);
});

describe('a word at a kiosk', () => {
  test('takes the place of no refusal its person sent themselves, but with their PIN; a refusal stays beside what follows', async () => {
    const { policy, version } = await asked('Own no');
    const { id, patch, hash } = await desk.reading(version, world.worker);
    const own = {
      ...patch,
      state: 'declined',
      reason: 'Against my rest',
      content_hash: hash,
      decided_at: patch.opened_at,
    };
    const pushed = await testDevice(db, world.worker).push({
      t: 'policy_acknowledgements',
      op: 'insert',
      id,
      patch: own,
    });
    expect(pushed).toMatchObject([{ st: 'applied' }]);
    expect((await say(version)).result).toMatchObject({ d: { outcome: 'already' } });
    expect(await wordOf(version, world.worker)).toMatchObject({ state: 'declined', reason: 'Against my rest' });
    const exempt = { p_policy: policy, p_user: world.worker, p_reason: 'On leave' };
    await db.rpc(world.manager, 'exempt_from_policy', exempt);
    const kept = { declined_reason: 'Against my rest', declined_at: expect.anything() };
    expect(await wordOf(version, world.worker)).toMatchObject({ state: 'exempt', reason: 'On leave', ...kept });

    const other = await asked('Own no with a PIN');
    const reading = await desk.reading(other.version, world.worker);
    const no = {
      ...reading.patch,
      state: 'declined',
      reason: 'No',
      content_hash: reading.hash,
      decided_at: patch.opened_at,
    };
    await testDevice(db, world.worker).push({ t: 'policy_acknowledgements', op: 'insert', id: reading.id, patch: no });
    await setPin(world.worker, world.worker, '4711');
    const { pass } = await checkPin(other.policy, world.worker, '4711');
    expect((await say(other.version, { pass_id: pass })).result).toMatchObject({ d: { outcome: 'counted' } });
    expect(await wordOf(other.version, world.worker)).toMatchObject({ state: 'acknowledged', declined_reason: 'No' });
    await forgetPins();
  });

  test('is witnessed for people of one’s sites, in all a kiosk does', async () => {
    const { policy, version } = await asked('Sites of a witness');
    const limit = (limited: boolean) =>
      db.asAdmin('update organization_members set site_limited = $3 where organization_id = $1 and user_id = $2', [
        world.organization,
        world.manager,
        limited,
      ]);
    await setPin(world.worker, world.worker, '4711');
    await setPin(world.colleague, world.colleague, '4712');
    await db.asAdmin('delete from site_members where user_id = $1', [world.manager]);
    await db.asAdmin('insert into site_members (organization_id, site_id, user_id) values ($1, $2, $3)', [
      world.organization,
      world.north,
      world.manager,
    ]);
    await limit(true);
    expect((await say(version, { user_id: world.colleague })).result).toMatchObject(refused);
    await expect(setPin(world.manager, world.colleague, '9999', true)).rejects.toMatchObject(denied);
    await expect(checkPin(policy, world.colleague, '4712')).rejects.toMatchObject(denied);
    const state = await db.rpc<{ pins: string[] }>(world.manager, 'kiosk_state', { p_policy: policy });
    expect(state.pins).toEqual([world.worker]);
    expect(await checkPin(policy, world.worker, '4711')).toMatchObject({ pass: expect.any(String) });
    expect((await say(version)).result).toMatchObject({ d: { outcome: 'counted' } });
    await limit(false);
    await db.asAdmin('delete from site_members where user_id = $1', [world.manager]);
    await forgetPins();
  });
});
