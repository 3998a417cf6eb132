import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { employers, employerView, type Employer } from '@cairn/core/wellness/cohort.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { CountMeCard } from './count-me-card.tsx';
import { CohortCard } from './cohort-card.tsx';
import { CohortSettingsCard } from './cohort-settings-card.tsx';
import { CohortRules } from './cohort-rules.tsx';
import './wellness.css';

/** What an organisation sees of how its people are: to its administrators and to everybody else the same. */
export function EmployerScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('cohort');
  const { user } = useSignedIn();
  const { organization } = useSpace();
  const found = useLive(employers(user.id));
  const [picked, setPicked] = useState<string | null>(null);
  const all = found.status === 'ready' ? found.answer : [];
  const employer = all.find(({ id }) => id === picked) ?? all.find(({ id }) => id === organization.id) ?? all[0];
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <div>
          <h1 className="h1">{t('title')}</h1>
          <p className="muted">{t('text')}</p>
        </div>
      </div>
      {found.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {found.status === 'ready' && all.length === 0 && <EmptyState title={t('nobody')}>{t('nobodyText')}</EmptyState>}
      {employer && all.length > 1 && (
        <Select
          label={t('organisation')}
          choices={all.map(({ id, name }) => ({ value: id, label: name }))}
          value={employer.id}
          onChange={event => setPicked(event.target.value)}
        />
      )}
      {employer && <OfEmployer key={employer.id} employer={employer} />}
    </div>
  );
}

function OfEmployer({ employer }: { employer: Employer }) {
  const { t } = useTranslation('cohort');
  const { organization, may } = useSpace();
  const found = useLive(employerView(employer));
  if (found.status === 'loading') return <SkeletonRows label={t('loading')} />;
  const { isCounted, places } = found.answer;
  return (
    <div className="parts columns second-wide">
      <div className="parts">
        <CohortCard employer={employer} places={places} />
      </div>
      <div className="parts">
        <CountMeCard employer={employer} isCounted={isCounted} />
        {employer.id === organization.id && may('organization.manage') && <CohortSettingsCard employer={employer} />}
        <CohortRules />
      </div>
    </div>
  );
}
