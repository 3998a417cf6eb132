import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import { Button, buttonClass } from '@cairn/ui/button.tsx';
import { Facts } from '@cairn/ui/facts.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { exactly } from './field-words.ts';
import { kindWord } from './kind-words.ts';
import type { Parent } from './outbox-lines.ts';
import { refusalKey } from './refusal-words.ts';
import { waitWords } from './wait-words.ts';

/** Where a record is looked at and changed; null where it has no screen of its own. */
export type AddressOf = (table: TableName, id: string) => string | null;

const TROUBLES = ['network', 'busy', 'auth'] as const;

/** What the last attempt ended in, as a sentence. */
export function troubleWords(item: Pick<OutboxItem, 'state' | 'lastError' | 'detail' | 'waits'>, t: TFunction<'sync'>) {
  const { state, lastError } = item;
  if (waitWords(item, t)) return waitWords(item, t);
  if (lastError === null) return t('trouble.none');
  if (state === 'failed') return t(`refused.${refusalKey(item)}`);
  const known = TROUBLES.find(each => each === lastError);
  return t(`trouble.${known ?? 'other'}`);
}

/** What, when, how far, how often tried and what was answered. */
export function ItemFacts({ item }: { item: OutboxItem }) {
  const { t } = useTranslation('sync');
  return (
    <Facts
      look="across"
      facts={[
        [t('failed.what'), kindWord(item, t)],
        [t('failed.when'), exactly(item.at), 'num'],
        [t('outbox.state'), t(`state.${item.state}`)],
        [t('failed.attempts'), item.attempts, 'num'],
        [t('outbox.trouble'), troubleWords(item, t)],
        [t('failed.code'), item.lastError, 'mono'],
        [t('failed.said'), item.detail || null, 'mono'],
      ]}
    />
  );
}

type ActsProps = { item: OutboxItem; parent: Parent | undefined; addressOf: AddressOf };

/** Send it again, or open it to change it. */
export function ItemActs({ item, parent, addressOf }: ActsProps) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const address = addressOf(item.table, item.recordId) ?? (parent ? addressOf(parent.table, parent.id) : null);
  const isOnItsWay = item.state === 'sending';
  return (
    <div className="row wrap item-acts">
      {!isOnItsWay && (
        <Button size="sm" onClick={() => void engine.retry(item.key)}>
          {t('failed.retry')}
        </Button>
      )}
      {address && (
        <Link to={address} className={buttonClass({ size: 'sm' })}>
          {t('outbox.open')}
        </Link>
      )}
    </div>
  );
}
