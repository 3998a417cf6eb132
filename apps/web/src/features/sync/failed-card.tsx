import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { TriangleAlert } from 'lucide-react';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Dialog } from '@cairn/ui/dialog.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { RowIcon } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { exactly } from './field-words.ts';
import type { Parent } from './outbox-lines.ts';
import { refusalKey } from './refusal-words.ts';
import { kindWord } from './kind-words.ts';

type Props = { item: OutboxItem; parent: Parent | undefined };

/** One thing the server refused: why in plain words, and the ways on. Nothing is thrown away unasked. */
export function FailedRow({ item, parent }: Props) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const [asking, setAsking] = useState(false);
  const name = item.title ?? parent?.title ?? kindWord(item, t);
  return (
    <li className="item failed-row">
      <RowIcon tone="bad">
        <Icon of={TriangleAlert} />
      </RowIcon>
      <div className="grow">
        <p className="t">{name}</p>
        <p className="sm failed-why">{t(`refused.${refusalKey(item.lastError)}`)}</p>
        <div className="row wrap failed-acts">
          <Button size="sm" onClick={() => void engine.retry(item.key)}>
            {t('failed.retry')}
          </Button>
          <Button size="sm" variant="plain" onClick={() => setAsking(true)}>
            {t('failed.discard')}
          </Button>
        </div>
        <details className="sm">
          <summary>{t('failed.details')}</summary>
          <dl className="facts">
            <dt>{t('failed.what')}</dt>
            <dd>{kindWord(item, t)}</dd>
            <dt>{t('failed.when')}</dt>
            <dd className="num">{exactly(item.at)}</dd>
            <dt>{t('failed.attempts')}</dt>
            <dd className="num">{item.attempts}</dd>
            <dt>{t('failed.code')}</dt>
            <dd className="mono">{item.lastError ?? '–'}</dd>
            {item.detail && (
              <>
                <dt>{t('failed.said')}</dt>
                <dd className="mono">{item.detail}</dd>
              </>
            )}
          </dl>
        </details>
      </div>
      <Dialog
        open={asking}
        onOpenChange={setAsking}
        title={t('discard.title')}
        description={t('discard.text', { name })}
        closeLabel={t('close')}
        actions={
          <>
            <Button variant="plain" onClick={() => setAsking(false)}>
              {t('discard.keep')}
            </Button>
            <Button
              variant="danger"
              onClick={() => {
                setAsking(false);
                void engine.discard(item.key);
              }}
            >
              {t('discard.yes')}
            </Button>
          </>
        }
      />
    </li>
  );
}
