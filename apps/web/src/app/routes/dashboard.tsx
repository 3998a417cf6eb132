import { CompanyDashboard } from '../../features/dashboard/company-dashboard.tsx';
import { PersonalDashboard } from '../../features/dashboard/personal-dashboard.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/space.ts';
import { SwitchPlaybookButton } from '../shell/switcher-button.tsx';

export const texts = loadTexts('dashboard');

export function DashboardRoute() {
  const { world } = useSpace();
  return world === 'company' ? <CompanyDashboard /> : <PersonalDashboard switcher={<SwitchPlaybookButton />} />;
}
