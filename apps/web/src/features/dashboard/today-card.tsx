import type { ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Card, CardHead, List } from '@cairn/ui/layout/surface.tsx';
import { PrivacyLine } from './privacy-line.tsx';
import type { PersonalWork, WorkElsewhere } from './work-queries.ts';
import { WorkRow } from './work-row.tsx';

type Props = {
  work: PersonalWork;
  now: Date;
  /** Rows shown; the rest is one tap away. */
  limit?: number;
  /** Stands under the rows; the way to everything where nothing else is said. */
  foot?: ReactNode;
  /** Duties of other organisations, in the same list under a line of their own. */
  elsewhere?: readonly WorkElsewhere[];
  /** Opens an organisation, so that a row of it opens inside it. */
  onOpen?: (organizationId: string) => void;
};

const LIMIT = 7;
const NONE: readonly WorkElsewhere[] = [];

/** What is due by tonight and what is late, latest first; a line says who sees it. */
export function TodayCard({ work, now, limit = LIMIT, foot, elsewhere = NONE, onOpen }: Props) {
  const { t } = useTranslation('dashboard');
  const total = work.today.length + work.done;
  const nothing = work.today.length === 0 && elsewhere.length === 0;
  return (
    <Card flush label={t('today.title')}>
      <CardHead
        title={t('today.title')}
        count={total > 0 && <span className="count">{t('today.done', { done: work.done, total })}</span>}
      />
      <PrivacyLine />
      {nothing && (
        <EmptyState level={3} title={t('today.emptyTitle')}>
          {t('today.empty')}
        </EmptyState>
      )}
      {work.today.length > 0 && (
        <List>
          {work.today.slice(0, limit).map(item => (
            <WorkRow key={item.id} work={item} now={now} />
          ))}
        </List>
      )}
      {!nothing && work.today.length === 0 && <p className="muted sm dashboard-none">{t('today.emptyTitle')}</p>}
      {elsewhere.map(({ organizationId, name, items }) => (
        <div key={organizationId}>
          <PrivacyLine name={name} />
          <List label={name}>
            {items.slice(0, limit).map(item => (
              <WorkRow key={item.id} work={item} now={now} onOpen={() => onOpen?.(organizationId)} />
            ))}
          </List>
        </div>
      ))}
      {foot === undefined ? (
        <div className="card-foot">
          <Link to="/tasks" className="link sm tap">
            {t('today.all')}
          </Link>
        </div>
      ) : (
        foot
      )}
    </Card>
  );
}
