import { useState } from 'react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { TriangleAlert } from 'lucide-react';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import { Button, buttonClass } from '@cairn/ui/button.tsx';
import { Confirm } from '@cairn/ui/confirm.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { RowIcon } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { ItemFacts, troubleWords, type AddressOf } from './outbox-item.tsx';
import type { Parent } from './outbox-lines.ts';
import { refusedCopy, saveAsFile } from './own-copy.ts';
import { kindWord } from './kind-words.ts';
import { isTooLate } from './refusal-words.ts';

type Props = { items: readonly [OutboxItem, ...OutboxItem[]]; parent: Parent | undefined; addressOf: AddressOf };

/** What the server refused of one record: why in plain words, and the ways on. Nothing is thrown away unasked. */
export function FailedRow({ items, parent, addressOf }: Props) {
  const { t } = useTranslation('sync');
  const [first] = items;
  // One answer alone is named by its question, several things by what they belong to.
  const whole = items.find(({ recordId, kind }) => kind === 'record' && first.under.endsWith(`/${recordId}`));
  const alone = items.length === 1 ? (first.title ?? parent?.title) : (whole?.title ?? parent?.title ?? first.title);
  const name = alone ?? kindWord(first, t);
  const within = items.length === 1 && parent?.title && parent.title !== name ? parent.title : null;
  const reasons = [...new Set(items.map(item => troubleWords(item, t)))];
  return (
    <li className="item failed-row">
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
        <Acts items={items} parent={parent} addressOf={addressOf} name={name} />
        <details className="sm">
          <summary>{t('outbox.details')}</summary>
          {items.map(item => (
            <div key={item.key} className="outbox-one">
              {items.length > 1 && <p className="strong">{item.title ?? kindWord(item, t)}</p>}
              <ItemFacts item={item} />
            </div>
          ))}
        </details>
      </div>
    </li>
  );
}

function Acts({ items, parent, addressOf, name }: Props & { name: string }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const saving = useAction(async () => saveAsFile(await refusedCopy(engine.store, items)));
  // The last made first: nothing is left that belongs to something thrown away.
  const discarding = useAction(async () => {
    for (const { key } of items.toReversed()) await engine.discard(key);
  });
  const retrying = useAction(async () => {
    for (const { key } of items) await engine.retry(key);
  });
  const [first] = items;
  const address = addressOf(first.table, first.recordId) ?? (parent ? addressOf(parent.table, parent.id) : null);
  const tooLate = items.every(isTooLate);
  return (
    <div className="row wrap item-acts">
      {!tooLate && (
        <Button size="sm" busy={retrying.busy} onClick={() => retrying.run()}>
          {t('failed.retry')}
        </Button>
      )}
      {tooLate && (
        <Button size="sm" busy={saving.busy} onClick={() => saving.run()}>
          {t('failed.save')}
        </Button>
      )}
      {address && (
        <Link to={address} className={buttonClass({ size: 'sm' })}>
          {t('outbox.open')}
        </Link>
      )}
      <Button size="sm" variant="plain" busy={discarding.busy} onClick={() => setAsking(true)}>
        {t(items.length > 1 ? 'failed.discardAll' : 'failed.discard')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('discard.title')}
        confirmLabel={t('discard.yes')}
        cancelLabel={t('discard.keep')}
        onConfirm={() => discarding.run()}
        danger
      >
        {t(items.length > 1 ? 'discard.all' : 'discard.text', { name })}
      </Confirm>
    </div>
  );
}
