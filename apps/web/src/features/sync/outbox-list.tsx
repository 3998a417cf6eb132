import { useTranslation } from 'react-i18next';
import { ClipboardCheck, FileText, Flag, Image } from 'lucide-react';
import { Icon, type IconOf } from '@cairn/ui/icon.tsx';
import { StatusChip } from '@cairn/ui/pill.tsx';
import { ProgressBar } from '@cairn/ui/progress.tsx';
import { Card, List, RowIcon } from '@cairn/ui/surface.tsx';
import type { TableName } from '@cairn/schema';
import { useFormat } from '../../shared/format.ts';
import { contentsWords } from './contents-words.ts';
import { kindWord, lineName } from './kind-words.ts';
import { LetGo } from './let-go.tsx';
import { ItemActs, ItemFacts, type AddressOf } from './outbox-item.tsx';
import type { OutboxLine, Parent } from './outbox-lines.ts';
import { waitWords } from './wait-words.ts';

const ICONS: Partial<Record<TableName, IconOf>> = {
  inspections: ClipboardCheck,
  inspection_answers: ClipboardCheck,
  action_items: Flag,
  media: Image,
};

type Props = { lines: readonly OutboxLine[]; parents: ReadonlyMap<string, Parent>; addressOf: AddressOf };

/** What is kept here until the server has it, line by line; each opens to the single things it is made of. */
export function OutboxList({ lines, parents, addressOf }: Props) {
  const { t } = useTranslation('sync');
  return (
    <Card flush label={t('outbox.title')}>
      <List>
        {lines.map(line => (
          <OutboxRow key={line.key} line={line} lines={lines} parents={parents} addressOf={addressOf} />
        ))}
      </List>
    </Card>
  );
}

type RowProps = Props & { line: OutboxLine };

function OutboxRow({ line, lines, parents, addressOf }: RowProps) {
  const { t } = useTranslation('sync');
  const { formatBytes } = useFormat();
  const size = line.bytes === null ? '' : formatBytes(line.bytes);
  const figure = line.bytes === null ? '' : t('outbox.of', { sent: formatBytes(line.sentBytes ?? 0), size });
  const under = contentsWords(line.parts, t);
  const tries = line.attempts > 1 ? t('outbox.attempts', { count: line.attempts }) : '';
  const waits = [...new Set(line.items.map(item => waitWords(item, t)))];
  const detail = [line.kind === 'file' ? size : under, tries, ...waits].filter(Boolean).join(' · ');
  const name = lineName(line, t);
  return (
    <li className="item outbox-row">
      <RowIcon>
        <Icon of={ICONS[line.table] ?? FileText} />
      </RowIcon>
      <div className="grow">
        <p className="t">{name}</p>
        {detail && <p className="d num">{detail}</p>}
        {line.kind === 'file' && line.state === 'sending' && line.bytes !== null && (
          <ProgressBar bare label={name} figure={figure} value={line.sentBytes ?? 0} max={line.bytes} />
        )}
        <details className="sm outbox-items">
          <summary>{t('outbox.details')}</summary>
          {line.items.map(item => (
            <div key={item.key} className="outbox-one">
              <p className="strong">{item.title ?? kindWord(item, t)}</p>
              <ItemFacts item={item} />
              <ItemActs item={item} parent={parents.get(item.key)} addressOf={addressOf} />
            </div>
          ))}
          {line.state !== 'sending' && <LetGo line={line} lines={lines} />}
        </details>
      </div>
      <StatusChip state={line.state === 'sending' ? 'sending' : line.state === 'retrying' ? 'due' : 'waiting'}>
        {t(`state.${line.state}`)}
      </StatusChip>
    </li>
  );
}
