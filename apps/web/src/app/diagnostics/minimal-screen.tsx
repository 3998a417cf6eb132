import { Link } from '@tanstack/react-router';
import {
  Activity,
  CircleCheck,
  ClipboardPlus,
  HeartPulse,
  ListPlus,
  ScanLine,
  SlidersHorizontal,
  UserRound,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import './diagnostics.css';

/** The way in when something heavier does not come up: four cards, and what one wants to do at once (R2.04). */
export function MinimalScreen({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation('diagnostics');
  return (
    <main className="diagnostics">
      <h1 className="h1">{t('minimal.title')}</h1>
      {!isSignedIn && <p className="muted">{t('minimal.out')}</p>}
      <nav aria-label={t('minimal.screens')} className="minimal-cards">
        <Link to="/tasks" className="minimal-card">
          <Icon of={CircleCheck} />
          {t('minimal.tasks')}
        </Link>
        <Link to="/profile" className="minimal-card">
          <Icon of={UserRound} />
          {t('minimal.profile')}
        </Link>
        <Link to="/settings" className="minimal-card">
          <Icon of={SlidersHorizontal} />
          {t('minimal.settings')}
        </Link>
        <Link to="/debug" className="minimal-card">
          <Icon of={Activity} />
          {t('minimal.debug')}
        </Link>
      </nav>
      <h2 className="h2">{t('minimal.quick')}</h2>
      <nav aria-label={t('minimal.quick')} className="minimal-cards">
        <Link to="/field" search={{ start: true }} className="minimal-card">
          <Icon of={ClipboardPlus} />
          {t('minimal.newInspection')}
        </Link>
        <Link to="/tasks" search={{ new: true }} className="minimal-card">
          <Icon of={ListPlus} />
          {t('minimal.newTask')}
        </Link>
        <Link to="/wellness" className="minimal-card">
          <Icon of={HeartPulse} />
          {t('minimal.checkIn')}
        </Link>
        <Link to="/field/scan" className="minimal-card">
          <Icon of={ScanLine} />
          {t('minimal.scan')}
        </Link>
      </nav>
    </main>
  );
}
