import { useTranslation } from 'react-i18next';
import { TriangleAlert } from 'lucide-react';
import type { OutboxItem } from '@cairn/sync/engine.ts';
import { Icon } from '@cairn/ui/icon.tsx';
import { RowIcon } from '@cairn/ui/surface.tsx';
import { ItemActs, ItemFacts, troubleWords, type AddressOf } from './outbox-item.tsx';
import type { Parent } from './outbox-lines.ts';
import { kindWord } from './kind-words.ts';

type Props = { item: OutboxItem; parent: Parent | undefined; addressOf: AddressOf };

/** One thing the server refused: why in plain words, and the ways on. Nothing is thrown away unasked. */
export function FailedRow({ item, parent, addressOf }: Props) {
  const { t } = useTranslation('sync');
  return (
    <li className="item failed-row">
      <RowIcon tone="bad">
        <Icon of={TriangleAlert} />
      </RowIcon>
      <div className="grow">
        <p className="t">{item.title ?? parent?.title ?? kindWord(item, t)}</p>
        <p className="sm failed-why">{troubleWords(item, t)}</p>
        <ItemActs item={item} parent={parent} addressOf={addressOf} />
        <details className="sm">
          <summary>{t('failed.details')}</summary>
          <ItemFacts item={item} />
        </details>
      </div>
    </li>
  );
}
