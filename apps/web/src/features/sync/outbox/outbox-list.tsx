import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { ClipboardCheck, FileText, Flag, Image } from 'lucide-react';
import { Icon, type IconComponent } from '@cairn/ui/controls/icon.tsx';
import { MoreRows, useMoreRows } from '@cairn/ui/data/more-rows.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Card, List, RowIcon } from '@cairn/ui/layout/surface.tsx';
import type { TableName } from '@cairn/schema';
import type { OutboxItem } from '@cairn/sync/outbox/outbox-item.ts';
import { useFormat } from '../../../shared/format/format.ts';
import { useSyncStatus } from '../../../shared/sync/use-sync-status.ts';
import { contentsText } from './contents-text.ts';
import { kindLabel, lineName } from '../lists/kind-label.ts';
import { ItemDetails } from './item-details.tsx';
import { LetGo } from './let-go.tsx';
import type { AddressResolver } from './open-record.tsx';
import { ItemActs, ItemFacts } from './outbox-item.tsx';
import { togetherIn, type OutboxLine, type Parents } from '../lists/outbox-lines.ts';
import { stateShown } from './trouble-text.ts';
import { HEADINGS, useFocusAfter } from '../lists/use-focus-after.ts';
import { waitText } from './wait-text.ts';

const ICONS: Partial<Record<TableName, IconComponent>> = {
  inspections: ClipboardCheck,
  inspection_answers: ClipboardCheck,
  action_items: Flag,
  media: Image,
};

const FIRST = 50;
const STEP = 100;

type Props = { lines: readonly OutboxLine[]; parents: Parents; addressOf: AddressResolver };

/** What is kept here until the server has it, line by line; each opens to the single things it is made of. */
export function OutboxList({ lines, parents, addressOf }: Props) {
  const { t } = useTranslation('sync');
  const { shown, more } = useMoreRows(lines, { first: FIRST, step: STEP });
  const together = togetherIn(lines);
  const isStaying = useSyncStatus()?.offlineByChoice ?? false;
  return (
    <Card flush label={t('outbox.title')}>
      <List>
        {shown.map(line => (
          <OutboxRow
            key={line.key}
            line={line}
            together={together.get(line.whole) ?? [line]}
            parents={parents}
            addressOf={addressOf}
            isStaying={isStaying}
          />
        ))}
      </List>
      <MoreRows more={more} label={t('more')} />
    </Card>
  );
}

type RowProps = Omit<Props, 'lines'> & {
  line: OutboxLine;
  together: readonly OutboxLine[];
  /** Offline because the person wants it so. */
  isStaying: boolean;
};

function OutboxRow({ line, together, parents, addressOf, isStaying }: RowProps) {
  const { t } = useTranslation('sync');
  const { formatBytes } = useFormat();
  const row = useFocusAfter<HTMLLIElement>(HEADINGS.outbox);
  const size = line.bytes === null ? '' : formatBytes(line.bytes);
  const figure = line.bytes === null ? '' : t('outbox.of', { sent: formatBytes(line.sentBytes ?? 0), size });
  const detail = [size, ...underLine(line, parents, t)].filter(Boolean).join(' · ');
  const name = lineName(line, t);
  const state = stateShown(line.state, isStaying);
  const renderItem = (item: OutboxItem) => {
    const title = item.title ?? kindLabel(item, t);
    return (
      <>
        <p className="strong">{title}</p>
        <ItemFacts item={item} isStaying={isStaying} />
        <ItemActs item={item} name={title} parent={parents.get(item.key)} addressOf={addressOf} />
      </>
    );
  };
  return (
    <li className="item outbox-row" ref={row}>
      <RowIcon>
        <Icon of={ICONS[line.table] ?? FileText} />
      </RowIcon>
      <div className="grow">
        <p className="t">{name}</p>
        {detail && <p className="d num">{detail}</p>}
        {line.kind === 'file' && state === 'sending' && line.bytes !== null && (
          <ProgressBar bare label={name} figure={figure} value={line.sentBytes ?? 0} max={line.bytes} />
        )}
      </div>
      <StatusChip state={state === 'sending' ? 'sending' : state === 'retrying' ? 'due' : 'waiting'}>
        {t(`state.${state}`)}
      </StatusChip>
      <ItemDetails items={line.items} name={name} renderItem={renderItem}>
        <LetGo line={line} together={together} />
      </ItemDetails>
    </li>
  );
}

/** What a line holds, what it is on where its name does not say so, how often it was tried, and what it waits for. */
function underLine(line: OutboxLine, parents: Parents, t: TFunction<'sync'>): string[] {
  const [first] = line.items;
  const on = line.table === 'comments' && first ? parents.get(first.key)?.title : null;
  return [
    contentsText(line.parts, t),
    on ? t('failed.within', { name: on }) : '',
    line.attempts > 1 ? t('outbox.attempts', { count: line.attempts }) : '',
    ...new Set(line.items.map(item => waitText(item, t))),
  ];
}
