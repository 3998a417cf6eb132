/** The tier of who makes packs and takes them over. */
export const MAKER_TIER = {
  id: 'company_enterprise',
  tier: 'company_enterprise' as const,
  can_create_content: true,
  can_access_marketplace: true,
  can_earn_revenue: true,
  has_subscription: true,
  media_search_quota: 0,
  media_sources: [],
  auto_recommendations: false,
  video_generation: false,
  monthly_video_credits: 0,
  can_buy_credits: false,
  can_enhance_videos: false,
  auto_transcribe: false,
};
