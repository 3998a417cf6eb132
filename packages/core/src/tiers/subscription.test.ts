import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { CONSUMER, readSubscription, subscription, type TierRow, workflowFlags } from './subscription.ts';

const me = '00000000-0000-4000-8000-000000000001';
const creator = {
  id: '00000000-0000-4000-8000-000000000002',
  tier: 'personal_creator',
  can_create_content: true,
  can_access_marketplace: true,
  can_earn_revenue: true,
  has_subscription: true,
  media_search_quota: 10,
  media_sources: ['youtube', 'vimeo', 'internal', 7],
  auto_recommendations: false,
  video_generation: true,
  monthly_video_credits: 5,
  can_buy_credits: true,
  can_enhance_videos: true,
  auto_transcribe: true,
} as const;
const row: TierRow = { ...creator, media_sources: [...creator.media_sources] };

describe('reading the subscription', () => {
  test('R3.38 it has tier, abilities and limits', async () => {
    expect(await readSubscription(async () => row, 'load')).toEqual({
      failure: null,
      info: {
        tier: 'personal_creator',
        canCreateContent: true,
        canAccessMarketplace: true,
        canEarnRevenue: true,
        hasActiveSubscription: true,
        aiMediaLimits: {
          searchQuota: 10,
          sources: ['youtube', 'vimeo', 'internal'],
          autoRecommendations: false,
          videoGeneration: true,
          monthlyVideoCredits: 5,
          canBuyMore: true,
          canEnhanceVideos: true,
          autoTranscribe: true,
        },
      },
    });
  });

  const broken = () => Promise.reject(new Error('no network'));
  test('R8.43 R8.45 a failed load says so and falls back to personal consumer', async () => {
    const answer = await readSubscription(broken, 'load');
    expect(answer).toEqual({ info: CONSUMER, failure: 'load' });
    expect(answer.info.tier).toBe('personal_consumer');
  });
  test('R8.44 R8.45 a failed refresh says so and falls back to personal consumer', async () => {
    const answer = await readSubscription(broken, 'refresh');
    expect(answer).toEqual({ info: CONSUMER, failure: 'refresh' });
    expect(answer.info.tier).toBe('personal_consumer');
  });

  test("the device's copy answers without a network; a person without a row is a consumer", async () => {
    const tier = { ...creator, media_sources: ['internal'] };
    const store = memoryStore(
      { subscription_tiers: [tier], subscriptions: [{ id: me, tier: 'personal_creator' }] },
      me,
    );
    expect((await store.read(subscription(me))).tier).toBe('personal_creator');
    expect(await store.read(subscription(creator.id))).toEqual(CONSUMER);
  });
});

describe('workflows', () => {
  const flags = (['standard', 'enterprise'] as const).flatMap(plan =>
    (['company', 'personal'] as const).map(type => ({ plan, type, ...workflowFlags(type, plan) })),
  );
  test('R6.27 approvals and delegation are open in a company with the enterprise plan only', () => {
    const open = flags.filter(({ approvals, delegation }) => approvals || delegation);
    expect(open).toEqual([
      { plan: 'enterprise', type: 'company', approvals: true, delegation: true, certifications: true },
    ]);
  });
  test('R6.28 certifications are always on', () => {
    expect(flags.every(({ certifications }) => certifications)).toBe(true);
  });
});
