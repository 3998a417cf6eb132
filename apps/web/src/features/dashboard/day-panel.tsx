import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { useNow } from '../../shared/format/use-now.ts';
import { TodayCard } from './today-card.tsx';
import { useWork } from './use-dashboard.ts';
import type { Work } from './work-queries.ts';
import { WorkRow } from './work-row.tsx';
import './dashboard.css';

/** Rows of a card before one asks for more: drawing hundreds that nobody scrolls to keeps the first ones waiting. */
const AT_ONCE = 40;
const NONE: readonly Work[] = [];

/** What the person has to do, of whatever kind: by tonight first, late ones ahead, then what comes later. */
export function DayPanel() {
  const { t } = useTranslation('dashboard');
  const now = useNow();
  const work = useWork(now);
  const today = useFirst(work?.today ?? NONE);
  const later = useFirst(work?.later ?? NONE);
  const isEmpty = work !== null && work.today.length + later.count + work.done === 0;
  return (
    <div className="dashboard">
      {!work && <SkeletonRows label={t('loading')} />}
      {isEmpty && (
        <Card>
          <EmptyState title={t('today.emptyTitle')}>{t('today.empty')}</EmptyState>
        </Card>
      )}
      {work && (work.today.length > 0 || work.done > 0) && (
        <TodayCard work={work} now={now} limit={today.rows.length} foot={<MoreRows {...today} />} />
      )}
      {later.count > 0 && (
        <Card flush label={t('later.title')}>
          <CardHead title={t('later.title')} count={<span className="count">{later.count}</span>} />
          <List>
            {later.rows.map(item => (
              <WorkRow key={item.id} work={item} now={now} />
            ))}
          </List>
          <MoreRows {...later} />
        </Card>
      )}
    </div>
  );
}

type FirstRows = { rows: readonly Work[]; count: number; onMore: () => void };

/** The first rows of many, and more with each asking. */
function useFirst(all: readonly Work[]): FirstRows {
  const [limit, setLimit] = useState(AT_ONCE);
  return { rows: all.slice(0, limit), count: all.length, onMore: () => setLimit(limit + AT_ONCE) };
}

function MoreRows({ rows, count, onMore }: FirstRows) {
  const { t } = useTranslation('dashboard');
  const left = count - rows.length;
  if (left === 0) return null;
  return (
    <div className="card-foot">
      <Button onClick={onMore}>{t('more', { count: Math.min(left, AT_ONCE), left })}</Button>
    </div>
  );
}
