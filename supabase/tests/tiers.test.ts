import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CONSUMER, subscriptionInfo, type TierRow } from '@cairn/core/tiers/subscription.ts';
import { freshDatabase, type TestDatabase } from '@cairn/testing/database.ts';
import { testDevice } from './device.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await freshDatabase();
});
afterAll(() => db.drop());

type Quota = { granted: boolean; limit: number; used: number; bought: number; remaining: number };

const giveRole = (person: string, role: string) =>
  db.asAdmin('insert into user_roles (user_id, role) values ($1, $2)', [person, role]);
async function found(person: string, role = 'admin', kind = 'company'): Promise<string> {
  const [row] = await db.asAdmin(
    `insert into organizations (name, slug, kind, created_by) values ('Firm', $1, $2, $3) returning id`,
    [randomUUID(), kind, person],
  );
  await db.asAdmin('insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)', [
    row?.['id'],
    person,
    role,
  ]);
  return String(row?.['id']);
}
const tierOf = async (person: string) => (await db.as(person, 'select tier from subscriptions'))[0]?.['tier'];
const planOf = async (id: string) =>
  (await db.asAdmin('select plan from organizations where id = $1', [id]))[0]?.['plan'];
const consume = (person: string, quota: string, fields: Record<string, unknown> = {}) =>
  db.rpc<Quota>(person, 'consume_quota', { p_quota: quota, p_request: randomUUID(), ...fields });
const newPerson = () => db.person(`${randomUUID()}@x.test`);
async function creator(): Promise<string> {
  const person = await newPerson();
  await giveRole(person, 'admin');
  return person;
}

describe('the tier of a person follows from their roles', () => {
  test('R6.17 R6.18 R6.19 an organisation admin alone is a consumer, with the global admin enterprise, a global admin alone a creator', async () => {
    const person = await newPerson();
    expect(await tierOf(person)).toBe('personal_consumer');
    const firm = await found(person);
    expect(await tierOf(person)).toBe('personal_consumer');
    await giveRole(person, 'admin');
    expect(await tierOf(person)).toBe('company_enterprise');
    await found(await newPerson());
    await db.asAdmin('update organizations set deleted_at = now() where id = $1', [firm]);
    expect(await tierOf(person)).toBe('personal_creator');
    await db.asAdmin('update user_roles set deleted_at = now() where user_id = $1', [person]);
    expect(await tierOf(person)).toBe('personal_consumer');
  });

  test('R6.19 everyone without the global admin role is a consumer, whatever else they are', async () => {
    const others = ['moderator', 'partner', 'manager', 'customer_support'];
    const subject = await newPerson();
    for (const system of [null, ...others])
      for (const role of [null, 'member', 'manager', 'admin']) {
        const person = await newPerson();
        if (system !== null) await giveRole(person, system);
        if (role !== null) await found(person, role);
        expect([system, role, await tierOf(person)]).toEqual([system, role, 'personal_consumer']);
      }
    const helper = await newPerson();
    await db.asAdmin(
      `insert into circle_relationships (subject_id, helper_id, role) values ($1, $2, 'managed_admin')`,
      [subject, helper],
    );
    expect(await tierOf(helper)).toBe('personal_consumer');
  });

  test('administering the private space alone is no company: a global admin is a creator', async () => {
    expect(await tierOf(await creator())).toBe('personal_creator');
  });

  test('an organisation has the enterprise plan while an administrator of it derives it; devices hear of it', async () => {
    const [boss, second, worker] = await Promise.all([creator(), newPerson(), newPerson()]);
    const firm = await found(second);
    const add = 'insert into organization_members (organization_id, user_id, role) values ($1, $2, $3)';
    await db.asAdmin(add, [firm, worker, 'member']);
    expect(await planOf(firm)).toBe('standard');
    await db.asAdmin(add, [firm, boss, 'admin']);
    expect(await planOf(firm)).toBe('enterprise');
    const device = testDevice(db, worker);
    await device.pull();
    expect(device.rows.get(`organizations/${firm}`)?.row).toMatchObject({ plan: 'enterprise' });
    await db.asAdmin(`update organization_members set role = 'member' where organization_id = $1 and user_id = $2`, [
      firm,
      boss,
    ]);
    expect([await planOf(firm), await tierOf(boss)]).toEqual(['standard', 'personal_creator']);
  });

  test('nobody gives themselves a tier, a plan or a role', async () => {
    const person = await newPerson();
    const firm = await found(person);
    const device = testDevice(db, person);
    await device.push(
      { t: 'subscriptions', id: person, op: 'update', patch: { tier: 'company_enterprise' }, bv: 1 },
      { t: 'organizations', id: firm, op: 'update', patch: { plan: 'enterprise' }, bv: 1 },
      { t: 'user_roles', op: 'insert', patch: { user_id: person, role: 'admin' } },
    );
    await expect(db.as(person, `update subscriptions set tier = 'company_enterprise'`)).rejects.toMatchObject({
      code: '42501',
    });
    expect([await tierOf(person), await planOf(firm)]).toEqual(['personal_consumer', 'standard']);
  });
});

describe('what a tier allows', () => {
  const enterprise = async () => {
    const person = await creator();
    await found(person);
    return person;
  };
  /** What the call answers a person of each tier. */
  const infoOf = async (person: string) => subscriptionInfo(await db.rpc<TierRow>(person, 'get_subscription_info', {}));
  const infos = async () => ({
    consumer: await infoOf(await newPerson()),
    creator: await infoOf(await creator()),
    enterprise: await infoOf(await enterprise()),
  });

  test('R6.16 there are three tiers, and no others', async () => {
    const rows = await db.asAdmin('select tier from subscription_tiers order by tier');
    expect(rows.map(({ tier }) => tier)).toEqual(['company_enterprise', 'personal_consumer', 'personal_creator']);
    const fourth = db.asAdmin(`update subscriptions set tier = 'company_standard' where id = $1`, [await newPerson()]);
    await expect(fourth).rejects.toMatchObject({ code: '23514' });
  });

  test('R6.20 creator and enterprise create content and earn revenue, consumer neither', async () => {
    const { consumer, creator: one, enterprise: firm } = await infos();
    expect([consumer, one, firm].map(info => [info.canCreateContent, info.canEarnRevenue])).toEqual([
      [false, false],
      [true, true],
      [true, true],
    ]);
  });

  test('R6.21 R6.22 everybody may look into the marketplace; a consumer has no active subscription, the others have', async () => {
    const { consumer, creator: one, enterprise: firm } = await infos();
    expect([consumer, one, firm].map(info => info.canAccessMarketplace)).toEqual([true, true, true]);
    expect([consumer, one, firm].map(info => info.hasActiveSubscription)).toEqual([false, true, true]);
  });

  test('R6.23 consumer: internal search only, nothing generated, nothing to spend; the fallback says the same', async () => {
    const consumer = await infoOf(await newPerson());
    expect(consumer.aiMediaLimits).toEqual({
      searchQuota: 0,
      sources: ['internal'],
      autoRecommendations: false,
      videoGeneration: false,
      monthlyVideoCredits: 0,
      canBuyMore: false,
      canEnhanceVideos: false,
      autoTranscribe: false,
    });
    expect(consumer).toEqual(CONSUMER);
  });

  const creatorLimits = {
    searchQuota: 10,
    sources: ['youtube', 'vimeo', 'internal'],
    autoRecommendations: false,
    videoGeneration: true,
    monthlyVideoCredits: 5,
    canBuyMore: true,
    canEnhanceVideos: true,
    autoTranscribe: true,
  };
  test('R6.24 R6.25 creator: 10 searches a month in three places, 5 credits, may buy more, enhance, transcribe', async () => {
    expect((await infoOf(await creator())).aiMediaLimits).toEqual(creatorLimits);
  });

  test('R6.26 enterprise: 100 searches, recommendations, 50 credits, and all that a creator has; no more is granted', async () => {
    const firm = await enterprise();
    const more = { searchQuota: 100, autoRecommendations: true, monthlyVideoCredits: 50 };
    expect((await infoOf(firm)).aiMediaLimits).toEqual({ ...creatorLimits, ...more });
    expect(await consume(firm, 'media_search', { p_amount: 100 })).toMatchObject({ granted: true, remaining: 0 });
    expect(await consume(firm, 'media_search')).toMatchObject({ granted: false });
    expect(await consume(firm, 'video_credits', { p_amount: 50 })).toMatchObject({ granted: true, remaining: 0 });
    expect(await consume(firm, 'video_credits')).toMatchObject({ granted: false });
    await db.rpc(firm, 'request_purchase', { p_id: randomUUID(), p_amount: 1 });
  });

  test('R3.38 the call answers the tier, the four abilities, the limits and what is left', async () => {
    const person = await creator();
    await consume(person, 'media_search', { p_amount: 3 });
    const answer = await db.rpc<TierRow>(person, 'get_subscription_info', {});
    expect(subscriptionInfo(answer)).toEqual({
      tier: 'personal_creator',
      canCreateContent: true,
      canAccessMarketplace: true,
      canEarnRevenue: true,
      hasActiveSubscription: true,
      aiMediaLimits: creatorLimits,
    });
    expect(answer).toMatchObject({
      media_search: { limit: 10, used: 3, remaining: 7 },
      video_credits: { limit: 5, used: 0, bought: 0, remaining: 5 },
    });
    expect((await infoOf(await enterprise())).tier).toBe('company_enterprise');
  });

  test('R9.25 the limits come from one table: another number there is another limit, in what is said and in what is granted', async () => {
    const person = await creator();
    const set = (quota: number, credits: number) =>
      db.asAdmin(
        `update subscription_tiers set media_search_quota = $1, monthly_video_credits = $2 where tier = 'personal_creator'`,
        [quota, credits],
      );
    await set(2, 1);
    try {
      const { searchQuota, monthlyVideoCredits } = (await infoOf(person)).aiMediaLimits;
      expect([searchQuota, monthlyVideoCredits]).toEqual([2, 1]);
      expect(await consume(person, 'media_search', { p_amount: 2 })).toMatchObject({ granted: true });
      expect(await consume(person, 'media_search')).toMatchObject({ granted: false, limit: 2 });
      expect(await consume(person, 'video_credits', { p_amount: 2 })).toMatchObject({ granted: false, limit: 1 });
    } finally {
      await set(10, 5);
    }
  });
});

describe('monthly quotas', () => {
  let person: string;
  beforeEach(async () => {
    person = await creator();
  });

  test('R6.24 thirty searches at once: exactly ten are granted', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => consume(person, 'media_search')));
    expect(answers.filter(({ granted }) => granted)).toHaveLength(10);
    expect(await consume(person, 'media_search')).toEqual({
      granted: false,
      limit: 10,
      used: 10,
      bought: 0,
      remaining: 0,
    });
  });

  test('a request counts once, however often and however fast it is sent', async () => {
    const again = { p_request: randomUUID() };
    const answers = await Promise.all(Array.from({ length: 8 }, () => consume(person, 'media_search', again)));
    expect(answers.every(({ granted, used }) => granted && used === 1)).toBe(true);
    await expect(consume(person, 'media_search', { ...again, p_amount: 2 })).rejects.toMatchObject({ code: '22023' });
  });

  test('R6.23 a consumer is granted nothing', async () => {
    const consumer = await newPerson();
    expect(await consume(consumer, 'media_search')).toMatchObject({ granted: false, limit: 0 });
    expect(await consume(consumer, 'video_credits')).toMatchObject({ granted: false, limit: 0 });
  });

  test('all or nothing, and a new month begins anew', async () => {
    expect(await consume(person, 'media_search', { p_amount: 8 })).toMatchObject({ granted: true });
    expect(await consume(person, 'media_search', { p_amount: 3 })).toMatchObject({ granted: false, used: 8 });
    await db.asAdmin(`update identity.quota_use set month = month - interval '1 month' where user_id = $1`, [person]);
    expect(await consume(person, 'media_search', { p_amount: 3 })).toMatchObject({ granted: true, used: 3 });
  });

  test('the server gives back what could not be made, once; nobody else does', async () => {
    const p_request = randomUUID();
    await consume(person, 'video_credits', { p_request, p_amount: 2 });
    const refund = `select refund_quota($1, $2) as done`;
    await expect(db.as(person, refund, [person, p_request])).rejects.toMatchObject({ code: '42501' });
    expect(await db.asService(refund, [person, p_request])).toEqual([{ done: true }]);
    expect(await db.asService(refund, [person, p_request])).toEqual([{ done: false }]);
    expect(await consume(person, 'video_credits', { p_request, p_amount: 2 })).toMatchObject({
      granted: false,
      used: 0,
    });
  });

  test.each([{ p_amount: 0 }, { p_amount: -5 }, { p_amount: 1001 }, { p_request: null }])(
    '%j is refused',
    async fields => {
      await expect(consume(person, 'media_search', fields)).rejects.toMatchObject({ code: '22023' });
      await expect(consume(person, 'gold')).rejects.toMatchObject({ code: '22023' });
    },
  );
});

describe('buying credits', () => {
  const ask = (person: string, p_amount = 5, p_id: string = randomUUID()) =>
    db.rpc<{ id: string; state: string }>(person, 'request_purchase', { p_id, p_amount });
  const decide = (person: string, p_id: string, p_fulfil: boolean) =>
    db.rpc<string>(person, 'decide_purchase', { p_id, p_fulfil });

  test('R6.25 what is fulfilled is there once the month is used up, and is fulfilled once', async () => {
    const [person, administrator] = [await creator(), await creator()];
    const { id } = await ask(person, 7);
    const outcomes = await Promise.all([decide(administrator, id, true), decide(administrator, id, true)]);
    expect(outcomes).toEqual(['fulfilled', 'fulfilled']);
    const fast = await Promise.all(Array.from({ length: 20 }, () => consume(person, 'video_credits')));
    expect(fast.filter(({ granted }) => granted)).toHaveLength(12);
    expect(await decide(administrator, id, false)).toBe('fulfilled');
  });

  test('a declined or cancelled request gives nothing', async () => {
    const person = await creator();
    const [declined, cancelled] = [await ask(person), await ask(person)];
    expect(await decide(person, declined.id, false)).toBe('declined');
    expect(await db.rpc(person, 'cancel_purchase', { p_id: cancelled.id })).toBe('cancelled');
    expect(await decide(person, cancelled.id, true)).toBe('cancelled');
    expect(await consume(person, 'video_credits', { p_amount: 6 })).toMatchObject({ granted: false, bought: 0 });
  });

  test('R6.23 a consumer cannot ask; nobody but an administrator of the installation decides', async () => {
    const consumer = await newPerson();
    await expect(ask(consumer)).rejects.toMatchObject({ code: '42501' });
    const { id } = await ask(await creator());
    await found(consumer);
    await expect(decide(consumer, id, true)).rejects.toMatchObject({ code: '42501' });
    await expect(db.rpc(consumer, 'cancel_purchase', { p_id: id })).rejects.toMatchObject({ code: '42501' });
    expect(await db.as(consumer, 'select 1 from purchase_requests')).toEqual([]);
  });

  test('sent twice it is one request; an id cannot be taken over', async () => {
    const [person, other] = [await creator(), await creator()];
    const { id } = await ask(person);
    expect(await ask(person, 5, id)).toMatchObject({ id, state: 'requested' });
    await expect(ask(other, 5, id)).rejects.toMatchObject({ code: '22023' });
    await expect(ask(person, 0)).rejects.toMatchObject({ code: '23514' });
  });
});
