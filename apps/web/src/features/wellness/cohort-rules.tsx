import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { LEAST_PEOPLE } from '@cairn/core/wellness/cohort.ts';
import { Icon } from '@cairn/ui/icon.tsx';
import { Card, CardHead } from '@cairn/ui/surface.tsx';

/** What keeps a person from being seen in a group, in plain words. */
export function CohortRules() {
  const { t } = useTranslation('cohort');
  const rules = ['bit', 'group', 'apart', 'once', 'never'] as const;
  return (
    <Card label={t('rules.title')} className="parts">
      <CardHead title={t('rules.title')} />
      <ul className="cohort-rules">
        {rules.map(rule => (
          <li key={rule} className="sm">
            <Icon of={ShieldCheck} size="s" />
            <span>{t(`rules.${rule}`, { count: LEAST_PEOPLE })}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
