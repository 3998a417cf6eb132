import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';

const FIRST = 20;
const STEP = 100;

type Props = {
  items: readonly OutboxItem[];
  /** Of what they make up. */
  name: string;
  renderItem: (item: OutboxItem) => ReactNode;
  /** Under them. */
  children?: ReactNode;
};

/** The single things a row is made of; drawn once somebody looks, for an inspection is hundreds of them. */
export function ItemDetails({ items, name, renderItem, children }: Props) {
  const { t } = useTranslation('sync');
  const [isOpen, setIsOpen] = useState(false);
  const { shown, more } = useMoreRows(items, { first: FIRST, step: STEP });
  return (
    <details className="sm outbox-items" onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>
        {t('outbox.details')}
        <span className="sr">{`: ${name}`}</span>
      </summary>
      {isOpen &&
        shown.map(item => (
          <div key={item.key} className="outbox-one">
            {renderItem(item)}
          </div>
        ))}
      {isOpen && <MoreRows more={more} label={t('more')} />}
      {children}
    </details>
  );
}
