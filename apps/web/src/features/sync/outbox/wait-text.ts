import type { TFunction } from 'i18next';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';

/** Work for an organisation this person was removed from: it goes to its administrators. */
export const isHanding = ({ state, lastError }: Pick<OutboxItem, 'state' | 'lastError'>): boolean =>
  state !== 'failed' && lastError === 'not_a_member';

/** Why something stays here although nothing went wrong with it; empty where there is no such reason. */
export function waitText(item: Pick<OutboxItem, 'state' | 'lastError' | 'waits'>, t: TFunction<'sync'>): string {
  if (isHanding(item)) return t('given.row');
  return item.waits === 'wifi' ? t('wifi.row') : '';
}
