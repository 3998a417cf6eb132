import { Link } from '@tanstack/react-router';
import type { RecentRecord } from '@cairn/core/analytics/queries.ts';
import type { Row } from '@cairn/schema';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace, rowClass } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { useRecentRecords } from './use-dashboard.ts';
import { usePersonName } from './use-people.ts';
import { workPath } from './work-path.ts';

/** For whoever reviews: what the team finished, newest first, as it arrives. */
export function RecentRecordsCard({ now }: { now: Date }) {
  const { t } = useTranslation('dashboard');
  const arrived = useRecentRecords();
  const nameOf = usePersonName();
  if (!arrived) return <SkeletonRows label={t('loading')} rows={3} />;
  return (
    <Card flush label={t('arrivals.title')}>
      <CardHead title={t('arrivals.title')} />
      {arrived.length === 0 ? (
        <EmptyState level={3} title={t('arrivals.emptyTitle')}>
          {t('arrivals.empty')}
        </EmptyState>
      ) : (
        <List>
          {arrived.map(record => (
            <li key={record.id}>
              <Link to={workPath(record)} className={rowClass}>
                <RecentRecordFace record={record} now={now} nameOf={nameOf} />
              </Link>
            </li>
          ))}
        </List>
      )}
    </Card>
  );
}

type FaceProps = { record: RecentRecord; now: Date; nameOf: (id: string | null) => string | null };

function RecentRecordFace({ record, now, nameOf }: FaceProps) {
  const { t } = useTranslation('dashboard');
  const { formatTime, formatDay, daysBetween } = useFormat();
  const at = new Date(record.at);
  const who = nameOf(record.kind === 'inspection' ? record.inspection.conducted_by : record.action.created_by);
  const when = daysBetween(at, now) === 0 ? formatTime(at) : formatDay(at, now);
  return (
    <RowFace
      start={<Avatar name={who ?? '–'} />}
      title={record.title}
      detail={[t(`today.${record.kind}`), who, when].filter(Boolean).join(' · ')}
      end={record.kind === 'inspection' && <Score inspection={record.inspection} />}
    />
  );
}

function Score({ inspection: { score, score_max: most, result } }: { inspection: Row<'inspections'> }) {
  const { t } = useTranslation('dashboard');
  const { formatNumber } = useFormat();
  if (score === null || !most) return null;
  return (
    <StatusChip state={result === 'fail' ? 'finding' : 'done'}>
      {t('arrivals.result', { percent: formatNumber((score / most) * 100) })}
    </StatusChip>
  );
}
