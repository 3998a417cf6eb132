import type { Query } from '@cairn/sync/store.ts';
import type { Preferences } from './preferences.ts';

/** A person's stored preferences; null while they never saved any, which is when `/` leads to `/welcome`. */
export const storedPreferences = (userId: string): Query<Preferences | null> => ({
  key: `preferences/stored/${userId}`,
  tables: ['user_preferences'],
  read: async tx => (await tx.get('user_preferences', userId)) ?? null,
});
