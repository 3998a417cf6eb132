import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { Card, CardHead, List } from '@cairn/ui/surface.tsx';
import type { DashboardWork } from './use-dashboard.ts';
import { WorkRow } from './work-row.tsx';

type Props = {
  work: DashboardWork;
  now: Date;
  /** Rows shown; the rest is one tap away. */
  limit?: number;
  /** Stands on the page that lists everything: no way there is needed. */
  here?: boolean;
};

const LIMIT = 7;

/** What is due by tonight and what is late, latest first. */
export function TodayCard({ work, now, limit = LIMIT, here = false }: Props) {
  const { t } = useTranslation('dashboard');
  const total = work.today.length + work.done;
  return (
    <Card flush label={t('today.title')}>
      <CardHead
        title={t('today.title')}
        count={total > 0 && <span className="count">{t('today.done', { done: work.done, total })}</span>}
      />
      {work.today.length === 0 ? (
        <EmptyState level={3} title={t('today.emptyTitle')}>
          {t('today.empty')}
        </EmptyState>
      ) : (
        <List>
          {work.today.slice(0, limit).map(item => (
            <WorkRow key={item.id} work={item} now={now} />
          ))}
        </List>
      )}
      {!here && (
        <div className="card-foot">
          <Link to="/tasks" className="link sm tap">
            {t('today.all')}
          </Link>
        </div>
      )}
    </Card>
  );
}
