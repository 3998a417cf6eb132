import type { ReactNode } from 'react';
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '@cairn/ui/empty-state.tsx';
import { Pill } from '@cairn/ui/pill.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { emailName } from './first-name.ts';
import './dashboard.css';

/** The personal playbook's first screen. @param switcher the way to another playbook */
export function PersonalDashboard({ switcher }: { switcher: ReactNode }) {
  const { t } = useTranslation('dashboard');
  const { user } = useSignedIn();
  return (
    <div className="dashboard">
      <header className="page-head">
        <div>
          <h1 className="h1">{t('personal.greeting', { name: emailName(user) })}</h1>
          <p className="muted">{t('personal.subtitle')}</p>
        </div>
      </header>
      <div>
        <Pill icon={Lock}>{t('personal.private')}</Pill>
      </div>
      <Card>
        <EmptyState title={t('personal.emptyTitle')} action={switcher}>
          {t('personal.empty')}
        </EmptyState>
      </Card>
    </div>
  );
}
