import { useTranslation } from 'react-i18next';
import { TriangleAlert } from 'lucide-react';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { Card, List, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { ItemDetails } from './item-details.tsx';
import { kindLabel } from '../lists/kind-label.ts';
import type { AddressResolver } from './open-record.tsx';
import { ItemFacts, troubleText } from './outbox-item.tsx';
import type { Parent, Parents } from '../lists/outbox-lines.ts';
import { RefusedActs } from './refused-acts.tsx';
import { isSetAside } from './refusal-text.ts';
import { HEADINGS, useFocusAfter } from '../lists/use-focus-after.ts';
import type { RefusedGroup } from './waiting-work.ts';

const FIRST = 50;
const STEP = 100;

type ListProps = { failed: readonly RefusedGroup[]; parents: Parents; addressOf: AddressResolver };

/** All that was refused or set aside, record by record. */
export function FailedList({ failed, parents, addressOf }: ListProps) {
  const { t } = useTranslation('sync');
  const { shown, more } = useMoreRows(failed, { first: FIRST, step: STEP });
  const parentIn = (items: RefusedGroup) => items.map(({ key }) => parents.get(key)).find(Boolean) ?? undefined;
  const isOurs = failed.every(items => items.every(isSetAside));
  return (
    <Card flush label={t(isOurs ? 'aside.title' : 'failed.title')}>
      <List>
        {shown.map(items => (
          <FailedRow key={items[0].aggregateKey} items={items} parent={parentIn(items)} addressOf={addressOf} />
        ))}
      </List>
      <MoreRows more={more} label={t('more')} />
    </Card>
  );
}

type Props = { items: RefusedGroup; parent: Parent | undefined; addressOf: AddressResolver };

/** What the server refused of one record: why in plain words, and the ways on. Nothing is thrown away unasked. */
function FailedRow({ items, parent, addressOf }: Props) {
  const { t } = useTranslation('sync');
  const row = useFocusAfter<HTMLLIElement>(HEADINGS.needs);
  const [first] = items;
  // One answer alone is named by its question, several things by what they belong to.
  const whole = items.find(({ recordId, kind }) => kind === 'record' && first.aggregateKey.endsWith(`/${recordId}`));
  const alone = items.length === 1 ? (first.title ?? parent?.title) : (whole?.title ?? parent?.title ?? first.title);
  const name = alone ?? kindLabel(first, t);
  const within = items.length === 1 && parent?.title && parent.title !== name ? parent.title : null;
  const reasons = [...new Set(items.map(item => troubleText(item, t)))];
  const renderItem = (item: OutboxItem) => (
    <>
      {items.length > 1 && <p className="strong">{item.title ?? kindLabel(item, t)}</p>}
      <ItemFacts item={item} />
    </>
  );
  return (
    <li className="item failed-row" ref={row}>
      <RowIcon tone="bad">
        <Icon of={TriangleAlert} />
      </RowIcon>
      <div className="grow">
        <p className="t">{name}</p>
        {within && <p className="sm muted">{t('failed.within', { name: within })}</p>}
        {reasons.map(reason => (
          <p key={reason} className="sm failed-why">
            {reason}
          </p>
        ))}
        <RefusedActs items={items} parent={parent} addressOf={addressOf} name={name} />
        <ItemDetails items={items} name={name} renderItem={renderItem} />
      </div>
    </li>
  );
}
