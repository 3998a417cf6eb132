import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import { Button, buttonClass } from '@cairn/ui/button.tsx';
import { Confirm } from '@cairn/ui/confirm.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { exactly } from './field-words.ts';
import { kindWord } from './kind-words.ts';
import type { Parent } from './outbox-lines.ts';
import { refusalKey } from './refusal-words.ts';

/** Where a record is looked at and changed; null where it has no screen of its own. */
export type AddressOf = (table: TableName, id: string) => string | null;

const TROUBLES = ['network', 'busy', 'auth'] as const;

/** What the last attempt ended in, as a sentence. */
export function troubleWords({ state, lastError }: Pick<OutboxItem, 'state' | 'lastError'>, t: TFunction<'sync'>) {
  if (lastError === null) return t('trouble.none');
  if (state === 'failed') return t(`refused.${refusalKey(lastError)}`);
  const known = TROUBLES.find(each => each === lastError);
  return t(`trouble.${known ?? 'other'}`);
}

/** What, when, how far, how often tried and what was answered. */
export function ItemFacts({ item }: { item: OutboxItem }) {
  const { t } = useTranslation('sync');
  return (
    <dl className="facts">
      <dt>{t('failed.what')}</dt>
      <dd>{kindWord(item, t)}</dd>
      <dt>{t('failed.when')}</dt>
      <dd className="num">{exactly(item.at)}</dd>
      <dt>{t('outbox.state')}</dt>
      <dd>{t(`state.${item.state}`)}</dd>
      <dt>{t('failed.attempts')}</dt>
      <dd className="num">{item.attempts}</dd>
      <dt>{t('outbox.trouble')}</dt>
      <dd>{troubleWords(item, t)}</dd>
      {item.lastError !== null && (
        <>
          <dt>{t('failed.code')}</dt>
          <dd className="mono">{item.lastError}</dd>
        </>
      )}
      {item.detail && (
        <>
          <dt>{t('failed.said')}</dt>
          <dd className="mono">{item.detail}</dd>
        </>
      )}
    </dl>
  );
}

type ActsProps = { item: OutboxItem; parent: Parent | undefined; addressOf: AddressOf };

/** Send it again, open it to change it, or let it go; the last only after a question. */
export function ItemActs({ item, parent, addressOf }: ActsProps) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const name = item.title ?? parent?.title ?? kindWord(item, t);
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
      {!isOnItsWay && (
        <Button size="sm" variant="plain" onClick={() => setAsking(true)}>
          {t('failed.discard')}
        </Button>
      )}
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('discard.title')}
        confirmLabel={t('discard.yes')}
        cancelLabel={t('discard.keep')}
        onConfirm={() => void engine.discard(item.key)}
        danger
      >
        {t('discard.text', { name })}
      </Confirm>
    </div>
  );
}
