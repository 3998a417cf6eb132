import { CompanyDashboard } from '../../features/dashboard/company-dashboard.tsx';
import { PersonalDashboard } from '../../features/dashboard/personal-dashboard.tsx';
import { dashboard } from '../../shared/i18n/en/dashboard.ts';
import { addTexts } from '../../shared/i18n/start-i18n.ts';
import { useSpace } from '../../shared/space.ts';
import { SwitchPlaybookButton } from '../shell/switcher-button.tsx';

addTexts('dashboard', dashboard);

export function DashboardRoute() {
  const { world } = useSpace();
  return world === 'company' ? <CompanyDashboard /> : <PersonalDashboard switcher={<SwitchPlaybookButton />} />;
}
