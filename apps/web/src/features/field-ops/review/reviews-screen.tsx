import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ClipboardCheck } from 'lucide-react';
import { shownState } from '@cairn/core/inspections/inspection-states.ts';
import { reviewQueue, type ReviewQueue } from '@cairn/core/inspections/review-queries.ts';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { peopleNames } from '../inspections/inspection-queries.ts';
import { StatePill } from '../inspections/state-pill.tsx';
import '../inspections/field-screen.css';

const TABS = ['waiting', 'sentBack', 'decided'] as const;
type Tab = (typeof TABS)[number];

/** Beyond this many rows only those in sight are drawn. */
const MANY = 60;

type Props = {
  /** A link to one inspection, drawn by the route. */
  renderInspection: (id: string, face: ReactNode) => ReactNode;
  /** The way back to the inspections; drawn by the route. */
  backLink: ReactNode;
};

/** What waits for a reviewer, what they sent back and what they decided. */
export function ReviewsScreen({ renderInspection, backLink }: Props) {
  const { t } = useTranslation('review');
  const { organization, playbook, may } = useSpace();
  const queue = useLive(reviewQueue({ organizationId: organization.id, playbookId: playbook?.id ?? null }));
  const [tab, setTab] = useState<Tab>('waiting');
  if (!may('inspection.review')) {
    return (
      <EmptyState level={1} title={t('queue.notAllowed')} action={backLink}>
        {t('queue.notAllowedText')}
      </EmptyState>
    );
  }
  const labelOf = (each: Tab): string => {
    const label = t(`queue.${each}`);
    return queue.status === 'ready' && each !== 'decided' ? `${label} (${queue.answer[each].length})` : label;
  };
  return (
    <div className="field-page">
      <div className="page-head">
        <h1 className="h1">{t('queue.title')}</h1>
        {backLink}
      </div>
      <div className="field-tools">
        <Segmented
          label={t('queue.tabs')}
          value={tab}
          onChange={value => setTab(TABS.find(each => each === value) ?? 'waiting')}
          options={TABS.map(each => ({ value: each, label: labelOf(each) }))}
        />
      </div>
      {queue.status === 'loading' ? (
        <SkeletonRows label={t('queue.loading')} />
      ) : (
        <Rows key={tab} tab={tab} queue={queue.answer} renderInspection={renderInspection} />
      )}
    </div>
  );
}

type RowsProps = { tab: Tab; queue: ReviewQueue; renderInspection: Props['renderInspection'] };

function Rows({ tab, queue, renderInspection }: RowsProps) {
  const { t } = useTranslation('review');
  const people = useLive(peopleNames);
  const names = people.status === 'ready' ? people.answer : new Map<string, string>();
  const rows = queue[tab];
  if (rows.length === 0) {
    return <EmptyState title={t(`queue.empty.${tab}`)}>{t(`queue.empty.${tab}Text`)}</EmptyState>;
  }
  const draw = (row: Row<'inspections'>) =>
    renderInspection(row.id, <Face row={row} name={names.get(row.conducted_by ?? '') ?? ''} />);
  return (
    <Card flush>
      {rows.length > MANY ? (
        <VirtualRows rows={rows} estimate={64} renderRow={draw} />
      ) : (
        <ul className="list">
          {rows.map(row => (
            <li key={row.id}>{draw(row)}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Face({ row, name }: { row: Row<'inspections'>; name: string }) {
  const { t } = useTranslation('review');
  const { formatDay, formatTime } = useFormat();
  const done = new Date(row.signed_at ?? row.finished_at ?? row.updated_at);
  const when = `${formatDay(done)} ${formatTime(done)}`;
  return (
    <RowFace
      start={
        <RowIcon tone={row.result === 'fail' ? 'bad' : 'neutral'}>
          <Icon of={ClipboardCheck} />
        </RowIcon>
      }
      title={row.title}
      detail={name ? t('queue.finished', { when, name }) : t('queue.finishedOnly', { when })}
      end={<StatePill state={shownState(row, false)} />}
    />
  );
}
