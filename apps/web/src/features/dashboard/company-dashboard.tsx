import { memo, type ReactNode } from 'react';
import type { DashboardFigures } from '@cairn/core/analytics/queries.ts';
import type { ComplianceOverview } from '@cairn/core/dashboard/compliance.ts';
import type { DashboardView, Widget } from '@cairn/core/dashboard/widgets.ts';
import { useTranslation } from 'react-i18next';
import { SkeletonRows, SkeletonTiles } from '@cairn/ui/feedback/skeleton.tsx';
import { useNow } from '../../shared/format/use-now.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { RecentRecordsCard } from './recent-records-card.tsx';
import { ComplianceCard } from './compliance-card.tsx';
import { CriticalCard } from './critical-card.tsx';
import { DashboardFrame, DashboardHead } from './dashboard-frame.tsx';
import { CompanyTiles } from './dashboard-tiles.tsx';
import { NextUpCard } from './next-up-card.tsx';
import { OverdueCard } from './overdue-card.tsx';
import { TodayCard } from './today-card.tsx';
import { firstName } from './first-name.ts';
import { useRecentRecords, useCritical, useCompliance, useFigures, useOverdue, useWork } from './use-dashboard.ts';
import { usePersonName } from './use-people.ts';
import { useDashboardSettings } from './use-settings.ts';
import { WeekCard } from './week-card.tsx';
import type { PersonalWork } from './work-queries.ts';
import './dashboard.css';

/**
 * What is next, how it stands, what today holds; for whoever reviews, what arrived and what is late.
 * @param journey the progress of the first run; null where there is none to show
 */
export function CompanyDashboard({ journey }: { journey: ReactNode }) {
  const { t } = useTranslation('dashboard');
  const { user } = useSignedIn();
  const { may } = useSpace();
  const now = useNow();
  const work = useWork(now);
  const figures = useFigures();
  const overview = useCompliance(now);
  const settings = useDashboardSettings();
  const reviews = may('inspection.review');
  const manages = may('action.manage');
  const isReviewReady = useReviewReads(now, reviews);
  const critical = useCritical(manages);
  const head = { greeting: t('company.greeting', { name: firstName(user) }), subtitle: t('company.subtitle') };
  if (!work || !figures || !overview || !settings || !isReviewReady || (manages && !critical))
    return <Waiting {...head} />;
  const parts = { work, figures, overview, now, journey, reviews };
  return (
    <DashboardFrame
      {...head}
      world="company"
      settings={settings}
      first={manages && <CriticalCard now={now} />}
      widget={(name, view) => companyWidget(name, view, parts)}
    />
  );
}

/**
 * Reads what the cards of a reviewer show beside everything else, not after it, so that the dashboard is drawn once.
 * @returns whether it is there, or not wanted
 */
function useReviewReads(now: Date, isWanted: boolean): boolean {
  const arrived = useRecentRecords(isWanted);
  const overdue = useOverdue(now, isWanted);
  usePersonName(isWanted);
  return !isWanted || (arrived !== null && overdue !== null);
}

type Parts = {
  work: PersonalWork;
  figures: DashboardFigures;
  overview: ComplianceOverview;
  now: Date;
  journey: ReactNode;
  reviews: boolean;
};

function companyWidget(name: Widget, view: DashboardView, parts: Parts): ReactNode {
  const { work, figures, overview, now, journey, reviews } = parts;
  if (name === 'journey') return journey;
  if (name === 'next') return work.next && <NextUpCard next={work.next} now={now} />;
  if (name === 'tiles') return <CompanyTiles work={work} figures={figures} overview={overview} now={now} />;
  if (name === 'duties') return view === 'week' ? <WeekCard now={now} /> : <TodayCard work={work} now={now} />;
  if (name === 'compliance') return <ComplianceCard overview={overview} now={now} />;
  if (name === 'arrivals') return reviews && <RecentRecordsCard now={now} />;
  if (name === 'overdue') return reviews && <OverdueCard now={now} />;
  return null;
}

/** The shape of a dashboard while the device is read; each answer that comes alone leaves it as it is. */
export const Waiting = memo((head: { greeting: string; subtitle: string }) => {
  const { t } = useTranslation('dashboard');
  return (
    <div className="dashboard">
      <DashboardHead {...head} />
      <SkeletonTiles label={t('loading')} />
      <SkeletonRows label={t('loading')} />
    </div>
  );
});
