import { Link } from '@tanstack/react-router';
import { Check, Circle, Minus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { FirstRunStep, StepState } from '@cairn/core/onboarding/first-run.ts';
import { Button, buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, List, Row } from '@cairn/ui/layout/surface.tsx';

type Props = {
  states: readonly { step: FirstRunStep; state: StepState }[];
  kind: 'company' | 'personal';
  onStep: (step: FirstRunStep) => void;
};

const ICONS = { done: Check, skipped: Minus, open: Circle } as const;

/** What was set up, and the first real thing to do. */
export function EndStep({ states, kind, onStep }: Props) {
  const { t } = useTranslation('welcome');
  const firstIsOpen = states.some(({ step, state }) => step === 'first' && state === 'open');
  return (
    <div className="welcome-step">
      <header className="stack">
        <h1 className="h1" tabIndex={-1}>
          {t('end.title')}
        </h1>
        <p className="muted">{t(firstIsOpen ? 'end.text' : 'end.all')}</p>
      </header>
      <Card flush label={t('steps.label')}>
        <List>
          {states.map(({ step, state }) => (
            <Row
              key={step}
              start={<Icon of={ICONS[state]} className={state === 'done' ? 'works' : 'muted'} />}
              title={t(`steps.${step}`)}
              detail={t(`steps.${state}`)}
              end={
                step !== 'first' && (
                  <Button variant="plain" size="sm" onClick={() => onStep(step)}>
                    {t('end.redo')} <span className="sr">{t(`steps.${step}`)}</span>
                  </Button>
                )
              }
            />
          ))}
        </List>
      </Card>
      <div className="welcome-acts">
        <Link
          to={kind === 'company' ? '/field' : '/tasks'}
          className={buttonClass({ variant: 'primary', size: 'lg', block: true })}
        >
          {t(`end.${kind}`)}
        </Link>
        <Link to="/dashboard" className={buttonClass({ variant: 'plain', block: true })}>
          {t('end.dashboard')}
        </Link>
      </div>
    </div>
  );
}
