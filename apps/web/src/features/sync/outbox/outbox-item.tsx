import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { exactly } from '../conflicts/field-text.ts';
import { kindLabel } from '../lists/kind-label.ts';
import { OpenRecord, type AddressResolver } from './open-record.tsx';
import type { Parent } from '../lists/outbox-lines.ts';
import { asideKey, isSetAside, refusalKey } from './refusal-text.ts';
import { stateShown, troubleKey } from './trouble-text.ts';
import { useSend } from './use-send.ts';
import { waitText } from './wait-text.ts';

type AttemptedItem = Pick<OutboxItem, 'state' | 'lastError' | 'detail' | 'waits'> &
  Partial<OutboxItem> & {
    /** Absent where it makes no difference: of what was refused. */
    isStaying?: boolean;
  };

/** What the last attempt ended in, or what it waits for, as a sentence. */
export function troubleText(item: AttemptedItem, t: TFunction<'sync'>) {
  if (waitText(item, t)) return waitText(item, t);
  const { isStaying = false } = item;
  const trouble = troubleKey(item.lastError, { isStaying });
  if (item.state !== 'failed') return t(`trouble.${trouble}`);
  const aside = asideKey(item);
  return aside ? t(`aside.${aside}`) : t(`refused.${refusalKey(item)}`);
}

/** What, when, how far, how often tried and what was answered. */
export function ItemFacts({ item, isStaying = false }: { item: OutboxItem; isStaying?: boolean }) {
  const { t } = useTranslation('sync');
  const isHeld = isStaying && item.state !== 'failed';
  const isAside = item.state === 'failed' && isSetAside(item);
  return (
    <Facts
      look="across"
      facts={[
        [t('failed.what'), kindLabel(item, t)],
        [t('failed.when'), exactly(item.at), 'num'],
        [t('outbox.state'), isAside ? t('aside.state') : t(`state.${stateShown(item.state, isStaying)}`)],
        [t('failed.attempts'), item.attempts, 'num'],
        [t('outbox.trouble'), troubleText({ ...item, isStaying }, t)],
        [t('failed.code'), isHeld ? null : [item.lastError, item.reason].filter(Boolean).join(' · ') || null, 'mono'],
        [t('failed.said'), isHeld ? null : item.detail || null, 'mono'],
      ]}
    />
  );
}

type ActsProps = {
  item: OutboxItem;
  /** Of the item. */
  name: string;
  parent: Parent | null | undefined;
  addressOf: AddressResolver;
};

/** Send it, or open it to change it. */
export function ItemActs({ item, name, parent, addressOf }: ActsProps) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const sending = useSend(() => engine.retry(item.key));
  const wasSent = item.attempts > 0 || item.lastError !== null;
  const act = t(wasSent ? 'failed.retry' : 'sendNow');
  return (
    <>
      <div className="row wrap item-acts">
        <Button
          size="sm"
          aria-label={t('named', { act, name })}
          busy={sending.busy || item.state === 'sending'}
          onClick={() => sending.run()}
        >
          {act}
        </Button>
        <OpenRecord item={item} name={name} parent={parent} addressOf={addressOf} />
      </div>
      <FailureLine failure={sending.failure} />
    </>
  );
}
