import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@cairn/ui/avatar.tsx';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { StatusChip } from '@cairn/ui/pill.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { Card, CardHead, List, RowFace, rowClass } from '@cairn/ui/surface.tsx';
import { daysBetween, formatDay, formatNumber, formatTime } from '../../shared/format.ts';
import type { Arrival } from './arrival-queries.ts';
import { useArrivals } from './use-dashboard.ts';
import { workPath } from './work-path.ts';

/** For whoever reviews: what the team finished, newest first, as it arrives. */
export function ArrivalsCard({ now }: { now: Date }) {
  const { t } = useTranslation('dashboard');
  const arrived = useArrivals();
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
          {arrived.map(arrival => (
            <li key={arrival.id}>
              <Link to={workPath(arrival)} className={rowClass}>
                <ArrivalFace arrival={arrival} now={now} />
              </Link>
            </li>
          ))}
        </List>
      )}
    </Card>
  );
}

function ArrivalFace({ arrival, now }: { arrival: Arrival; now: Date }) {
  const { t } = useTranslation('dashboard');
  const { kind, personName, title, percent, result, at } = arrival;
  const when = daysBetween(at, now) === 0 ? formatTime(at) : formatDay(at, now);
  return (
    <RowFace
      start={<Avatar name={personName ?? '–'} />}
      title={title}
      detail={[t(`today.${kind}`), personName, when].filter(Boolean).join(' · ')}
      end={
        percent !== null && (
          <StatusChip state={result === 'fail' ? 'finding' : 'done'}>
            {t('arrivals.result', { percent: formatNumber(percent) })}
          </StatusChip>
        )
      }
    />
  );
}
