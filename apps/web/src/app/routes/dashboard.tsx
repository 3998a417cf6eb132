import { CompanyDashboard } from '../../features/dashboard/company-dashboard.tsx';
import { PersonalDashboard } from '../../features/dashboard/personal-dashboard.tsx';
import { GrowthCard } from '../../features/welcome/growth-card.tsx';
import { hasJourney, JourneyCard } from '../../features/welcome/journey-card.tsx';
import { useFirstRun } from '../../features/welcome/use-first-run.ts';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/space.ts';
import { useSwitcher } from '../space/space-provider.tsx';

export const texts = loadTexts('dashboard', 'welcome');

export function DashboardRoute() {
  const { world } = useSpace();
  const { chooseOrganization } = useSwitcher();
  const first = useFirstRun();
  const journey = hasJourney(first) ? <JourneyCard first={first} /> : null;
  return world === 'company' ? (
    <CompanyDashboard journey={journey} />
  ) : (
    <PersonalDashboard journey={journey} growth={<GrowthCard />} onOpen={chooseOrganization} />
  );
}
