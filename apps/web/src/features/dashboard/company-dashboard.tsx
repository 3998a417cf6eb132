import { useTranslation } from 'react-i18next';
import { SkeletonRows, SkeletonTiles } from '@cairn/ui/skeleton.tsx';
import { useNow } from '../../shared/use-now.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useSpace } from '../../shared/space.ts';
import { ArrivalsCard } from './arrivals-card.tsx';
import { DashboardTiles } from './dashboard-tiles.tsx';
import { NextUpCard } from './next-up-card.tsx';
import { OverdueCard } from './overdue-card.tsx';
import { TodayCard } from './today-card.tsx';
import { firstName } from './first-name.ts';
import { useFigures, useWork } from './use-dashboard.ts';
import './dashboard.css';

/** What is next, how it stands, what today holds; for whoever reviews, what arrived and what is late. */
export function CompanyDashboard() {
  const { t } = useTranslation('dashboard');
  const { user } = useSignedIn();
  const { may } = useSpace();
  const now = useNow();
  const work = useWork(now);
  const figures = useFigures(now);
  const reviews = may('inspection.review');
  return (
    <div className="dashboard">
      <header className="page-head">
        <div>
          <h1 className="h1">{t('company.greeting', { name: firstName(user) })}</h1>
          <p className="muted">{t('company.subtitle')}</p>
        </div>
      </header>
      {work && figures ? (
        <>
          {work.next && <NextUpCard next={work.next} now={now} />}
          <DashboardTiles work={work} figures={figures} now={now} />
          <div className={reviews ? 'dashboard-columns' : ''}>
            <TodayCard work={work} now={now} />
            {reviews && (
              <div className="dashboard-side">
                <ArrivalsCard now={now} />
                <OverdueCard late={work.teamLate} now={now} />
              </div>
            )}
          </div>
        </>
      ) : (
        <>
          <SkeletonTiles label={t('loading')} />
          <SkeletonRows label={t('loading')} />
        </>
      )}
    </div>
  );
}
