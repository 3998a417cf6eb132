import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import type { Parent } from '../lists/outbox-lines.ts';

/** Where a record is looked at and changed; null where it has no screen of its own. */
export type AddressResolver = (table: TableName, id: string) => string | null;

type Props = { item: OutboxItem; name: string; parent: Parent | null | undefined; addressOf: AddressResolver };

/** Leads to where it is changed, or to what it belongs to; nothing where neither has a screen. */
export function OpenRecord({ item, name, parent, addressOf }: Props) {
  const { t } = useTranslation('sync');
  const address = addressOf(item.table, item.recordId) ?? (parent ? addressOf(parent.table, parent.id) : null);
  if (!address) return null;
  const act = t('outbox.open');
  return (
    <Link to={address} className={buttonClass({ size: 'sm' })} aria-label={t('named', { act, name })}>
      {act}
    </Link>
  );
}
