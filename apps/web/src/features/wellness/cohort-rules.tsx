import { ShieldCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { MIN_PEOPLE } from '@cairn/core/wellness/cohort.ts';
import { MAX_RELEASES, RIGHT_OF_100 } from '@cairn/core/wellness/cohort-privacy.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';

const { one, twelveWeeks, year, life: lifetime } = RIGHT_OF_100;
const NUMBERS = { one, twelveWeeks, year, lifetime, life: MAX_RELEASES, people: MIN_PEOPLE };

/** What keeps a person from being seen in a group, in plain words and in numbers. */
export function CohortRules() {
  const { t } = useTranslation('cohort');
  const rules = ['noise', 'twelveWeeks', 'years', 'wait', 'group', 'once', 'never'] as const;
  return (
    <Card label={t('rules.title')} className="parts">
      <CardHead title={t('rules.title')} />
      <ul className="cohort-rules">
        {rules.map(rule => (
          <li key={rule} className="sm">
            <Icon of={ShieldCheck} size="s" />
            <span>{t(`rules.${rule}`, NUMBERS)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
