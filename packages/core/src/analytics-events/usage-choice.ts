import type { Query } from '@cairn/sync/store.ts';

/** Whether this person lets usage be counted; true until they say no. */
export function sharesUsage(userId: string): Query<boolean> {
  return {
    key: `analytics/sharesUsage/${userId}`,
    tables: ['user_preferences'],
    read: async tx => (await tx.get('user_preferences', userId))?.usage_analytics !== false,
  };
}
