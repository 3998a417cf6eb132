import type { TableName } from '@cairn/schema';
import { SyncScreen } from '../../features/sync/sync-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

export const texts = loadTexts('sync', 'rescue', 'recordWords', 'failure');

/** Where a record that waits is looked at and changed. */
function addressOf(table: TableName, id: string): string | null {
  if (table === 'inspections') return `/field/${id}`;
  if (table === 'action_items') return `/action-items/${id}`;
  if (table === 'tasks') return `/tasks/${id}`;
  if (table === 'profiles') return '/profile';
  if (table === 'user_preferences') return '/settings';
  return null;
}

export function SyncRoute() {
  return <SyncScreen addressOf={addressOf} />;
}
