import { lazy, Suspense, type ReactNode } from 'react';
import { Link } from '@tanstack/react-router';
import { CompanyDashboard } from '../../features/dashboard/company-dashboard.tsx';
import { PersonalDashboard } from '../../features/dashboard/personal-dashboard.tsx';
import { GrowthCard } from '../../features/welcome/growth-card.tsx';
import { hasJourney, JourneyCard } from '../../features/welcome/journey-card.tsx';
import { useFirstRun, useIsUnderway } from '../../features/welcome/use-first-run.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useTranslation } from 'react-i18next';
import { useSpace } from '../../shared/session/space.ts';
import { QuietBoundary } from '../shell/errors/quiet-boundary.tsx';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('dashboard', 'welcome');

// Of the personal dashboard alone: the company's does not wait for it.
const MoodCard = lazy(async () => {
  const [{ MoodCard: card }] = await Promise.all([
    import('../../features/wellness/mood-card.tsx'),
    loadTexts('wellness', 'failure'),
  ]);
  return { default: card };
});

const HabitsCard = lazy(async () => {
  const [{ HabitsCard: card }] = await Promise.all([
    import('../../features/habits/habits-card.tsx'),
    loadTexts('habits', 'failure'),
  ]);
  return { default: card };
});

const GoalsCard = lazy(async () => {
  const [{ GoalsCard: card }] = await Promise.all([
    import('../../features/goals/goals-card.tsx'),
    loadTexts('goals', 'failure'),
  ]);
  return { default: card };
});

const PersonalReads = lazy(async () => ({ default: (await import('./personal-reads.ts')).PersonalReads }));

const renderGoal = (goalId: string, title: string) => (
  <Link to="/goals/$goalId" params={{ goalId }} className="link tap t">
    {title}
  </Link>
);

const renderAllGoals = (text: string) => (
  <Link to="/goals" className="link sm tap">
    {text}
  </Link>
);

function OwnGoals() {
  return <GoalsCard title={useModuleLabel('goals')} renderTitle={renderGoal} renderAll={renderAllGoals} />;
}

const renderHabit = (habitId: string, name: string) => (
  <Link to="/wellness/habits/$habitId" params={{ habitId }} className="link tap t">
    {name}
  </Link>
);

function AllHabitsLink() {
  const { t } = useTranslation('habits');
  return (
    <Link to="/wellness/habits" className="link sm tap">
      {t('all')}
    </Link>
  );
}

const wellnessLink = (goesOn: boolean, text: string) => (
  <Link to="/wellness" search={goesOn ? { continue: true } : {}} className="link sm tap">
    {text}
  </Link>
);

/** A card of its own chunk: while it is fetched its rows are drawn, and without it the dashboard stands. */
function Later({ children }: { children: ReactNode }) {
  const { t } = useTranslation('dashboard');
  return (
    <QuietBoundary>
      <Suspense fallback={<SkeletonRows label={t('loading')} rows={2} start={false} />}>{children}</Suspense>
    </QuietBoundary>
  );
}

const checkIn = (
  <Later>
    <MoodCard renderLink={wellnessLink} />
  </Later>
);
const habits = (
  <Later>
    <HabitsCard renderName={renderHabit} allLink={<AllHabitsLink />} />
  </Later>
);

const goals = (
  <Later>
    <OwnGoals />
  </Later>
);

/** How far the first run is takes many reads: only whoever is in it pays for them. */
export function DashboardRoute() {
  return useIsUnderway() ? <DuringFirstRun /> : <Dashboard journey={null} />;
}

function DuringFirstRun() {
  const first = useFirstRun();
  return <Dashboard journey={hasJourney(first) ? <JourneyCard first={first} /> : null} />;
}

function Dashboard({ journey }: { journey: ReactNode }) {
  const { world } = useSpace();
  const { chooseOrganization } = useSwitcher();
  if (world === 'company') return <CompanyDashboard journey={journey} />;
  return (
    <>
      <QuietBoundary>
        <PersonalReads />
      </QuietBoundary>
      <PersonalDashboard
        journey={journey}
        growth={<GrowthCard />}
        checkIn={checkIn}
        habits={habits}
        goals={goals}
        onOpen={chooseOrganization}
      />
    </>
  );
}
