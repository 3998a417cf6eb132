import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/skeleton.tsx';
import { Card, CardHead, List } from '@cairn/ui/surface.tsx';
import { useNow } from '../../shared/use-now.ts';
import { TodayCard } from './today-card.tsx';
import { useWork } from './use-dashboard.ts';
import { WorkRow } from './work-row.tsx';
import './dashboard.css';

/** What the person has to do, of whatever kind: by tonight first, late ones ahead, then what comes later. */
export function DayPanel() {
  const { t } = useTranslation('dashboard');
  const now = useNow();
  const work = useWork(now);
  const later = work?.later ?? [];
  const isEmpty = work !== null && work.today.length + later.length + work.done === 0;
  return (
    <div className="dashboard">
      {!work && <SkeletonRows label={t('loading')} />}
      {isEmpty && (
        <Card>
          <EmptyState title={t('today.emptyTitle')}>{t('today.empty')}</EmptyState>
        </Card>
      )}
      {work && (work.today.length > 0 || work.done > 0) && (
        <TodayCard work={work} now={now} limit={work.today.length} here />
      )}
      {later.length > 0 && (
        <Card flush label={t('later.title')}>
          <CardHead title={t('later.title')} count={<span className="count">{later.length}</span>} />
          <List>
            {later.map(item => (
              <WorkRow key={item.id} work={item} now={now} />
            ))}
          </List>
        </Card>
      )}
    </div>
  );
}
