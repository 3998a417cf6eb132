import { Link } from '@tanstack/react-router';
import { Check, Circle, Minus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { showsProgress } from '@cairn/core/onboarding/first-run.ts';
import { buttonClass, IconButton } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { FirstRunState } from './use-first-run.ts';
import './welcome.css';

const ICONS = { done: Check, skipped: Minus, open: Circle } as const;

/** Whether a dashboard has the progress to show. */
export const hasJourney = (first: FirstRunState | null): first is FirstRunState =>
  first !== null && showsProgress(first.states, first.marks);

/** How far the first run is, on the dashboard until it is done or hidden. */
export function JourneyCard({ first }: { first: FirstRunState }) {
  const { t } = useTranslation('welcome');
  const done = first.states.filter(({ state }) => state === 'done').length;
  const total = first.states.length;
  const hide = () => {
    first.dismiss();
    toast({ title: t('card.dismissed'), action: { label: t('card.undo'), onPress: first.recall } });
  };
  return (
    <Card flush label={t('card.title')}>
      <CardHead title={t('card.title')} aside={<IconButton icon={X} label={t('card.dismiss')} onClick={hide} />} />
      <div className="journey">
        <ProgressBar label={t('card.title')} figure={t('card.figure', { done, total })} value={done} max={total} />
        <ul className="journey-steps">
          {first.states.map(({ step, state }) => (
            <li key={step} data-state={state}>
              <Icon of={ICONS[state]} size="s" />
              <span>{t(`steps.${step}`)}</span>
              <span className="sr">{t(`steps.${state}`)}</span>
            </li>
          ))}
        </ul>
        <Link to="/welcome" className={buttonClass({ variant: 'primary' })}>
          {t('card.go')}
        </Link>
      </div>
    </Card>
  );
}
