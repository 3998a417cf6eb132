import type { ReactNode } from 'react';
import { CompanyDashboard } from '../../features/dashboard/company-dashboard.tsx';
import { PersonalDashboard } from '../../features/dashboard/personal-dashboard.tsx';
import { GrowthCard } from '../../features/welcome/growth-card.tsx';
import { hasJourney, JourneyCard } from '../../features/welcome/journey-card.tsx';
import { useFirstRun, useIsUnderway } from '../../features/welcome/use-first-run.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/space.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('dashboard', 'welcome');

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
  return world === 'company' ? (
    <CompanyDashboard journey={journey} />
  ) : (
    <PersonalDashboard journey={journey} growth={<GrowthCard />} onOpen={chooseOrganization} />
  );
}
