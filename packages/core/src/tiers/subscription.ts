import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

export type Tier = Row<'subscriptions'>['tier'];

export type AiMediaLimits = {
  /** Searches a calendar month (UTC). */
  searchQuota: number;
  /** Where a search looks: `youtube`, `vimeo`, `internal`. */
  sources: string[];
  autoRecommendations: boolean;
  videoGeneration: boolean;
  /** Credits a calendar month (UTC). */
  monthlyVideoCredits: number;
  canBuyMore: boolean;
  canEnhanceVideos: boolean;
  autoTranscribe: boolean;
};

export type SubscriptionInfo = {
  tier: Tier;
  canCreateContent: boolean;
  canAccessMarketplace: boolean;
  canEarnRevenue: boolean;
  hasActiveSubscription: boolean;
  aiMediaLimits: AiMediaLimits;
};

export type TierRow = Omit<Row<'subscription_tiers'>, 'id' | 'created_at' | 'updated_at' | 'deleted_at' | 'version'>;

/** What a tier allows, from its row: the table is the only place that says so. */
export function subscriptionInfo(row: TierRow): SubscriptionInfo {
  const sources = Array.isArray(row.media_sources) ? row.media_sources : [];
  return {
    tier: row.tier,
    canCreateContent: row.can_create_content,
    canAccessMarketplace: row.can_access_marketplace,
    canEarnRevenue: row.can_earn_revenue,
    hasActiveSubscription: row.has_subscription,
    aiMediaLimits: {
      searchQuota: row.media_search_quota,
      sources: sources.filter(source => typeof source === 'string'),
      autoRecommendations: row.auto_recommendations,
      videoGeneration: row.video_generation,
      monthlyVideoCredits: row.monthly_video_credits,
      canBuyMore: row.can_buy_credits,
      canEnhanceVideos: row.can_enhance_videos,
      autoTranscribe: row.auto_transcribe,
    },
  };
}

/** What holds while nobody can say which tier it is; a test holds it to the table's row. */
export const CONSUMER: SubscriptionInfo = {
  tier: 'personal_consumer',
  canCreateContent: false,
  canAccessMarketplace: true,
  canEarnRevenue: false,
  hasActiveSubscription: false,
  aiMediaLimits: {
    searchQuota: 0,
    sources: ['internal'],
    autoRecommendations: false,
    videoGeneration: false,
    monthlyVideoCredits: 0,
    canBuyMore: false,
    canEnhanceVideos: false,
    autoTranscribe: false,
  },
};

/** `failure`: what could not be done, where it could not. */
export type SubscriptionAnswer = { info: SubscriptionInfo; failure: null | 'load' | 'refresh' };

/** Reads the tier for the first time or again. Where that fails it says so and falls back to personal consumer. */
export async function readSubscription(
  read: () => Promise<TierRow>,
  why: 'load' | 'refresh',
): Promise<SubscriptionAnswer> {
  try {
    return { info: subscriptionInfo(await read()), failure: null };
  } catch {
    return { info: CONSUMER, failure: why };
  }
}

/** A person's tier and what it allows, from the copy on this device; consumer before the first pull. */
export function subscription(userId: string): Query<SubscriptionInfo> {
  return {
    key: `tiers/subscription/${userId}`,
    tables: ['subscriptions', 'subscription_tiers'],
    async read(tx) {
      const own = await tx.get('subscriptions', userId);
      const row = (await tx.all('subscription_tiers')).find(({ tier }) => tier === own?.tier);
      return row ? subscriptionInfo(row) : CONSUMER;
    },
  };
}

export type WorkflowFlags = { approvals: boolean; delegation: boolean; certifications: true };

/**
 * Which workflows are open. Approvals and delegation need a company and its enterprise plan, which an administrator with the
 * enterprise tier brings to all its members; the server asks for the same (R6.27, product.md 10).
 */
export function workflowFlags(
  playbookType: Row<'playbooks'>['type'],
  plan: Row<'organizations'>['plan'],
): WorkflowFlags {
  const isOpen = playbookType === 'company' && plan === 'enterprise';
  return { approvals: isOpen, delegation: isOpen, certifications: true };
}
