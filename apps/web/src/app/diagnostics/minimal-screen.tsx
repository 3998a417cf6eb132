import { Link } from '@tanstack/react-router';
import { Activity, CircleCheck, ClipboardPlus, ListPlus, SlidersHorizontal, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Icon } from '@cairn/ui/icon.tsx';
import { ModuleLink } from '../shell/module-link.tsx';
import { useIsBuilt } from '../shell/use-navigation.ts';
import './diagnostics.css';

/** The way in when something heavier does not come up: four cards, and what one wants to do at once (R2.04). */
export function MinimalScreen({ isSignedIn }: { isSignedIn: boolean }) {
  const { t } = useTranslation('diagnostics');
  const isBuilt = useIsBuilt();
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
        {isBuilt('user-preferences') && (
          <ModuleLink to="user-preferences" className="minimal-card">
            <Icon of={SlidersHorizontal} />
            {t('minimal.settings')}
          </ModuleLink>
        )}
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
        <Link to="/action-items" search={{ new: true }} className="minimal-card">
          <Icon of={ListPlus} />
          {t('minimal.newTask')}
        </Link>
      </nav>
    </main>
  );
}
