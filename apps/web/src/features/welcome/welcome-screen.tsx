import { useEffect, useRef, useState } from 'react';
import { ArrowLeft } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '@cairn/base/failure.ts';
import type { FirstRunStep } from '@cairn/core/onboarding/first-run.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { SkeletonHeading, SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { WelcomeStep, type Ways } from './welcome-step.tsx';
import { useFirstRun, type FirstRunState } from './use-first-run.ts';
import './welcome.css';

type Props = Ways & {
  /** Leaves for the dashboard; what is open can be gone on with from there. */
  onLeave: () => void;
  /** Why one could not leave. */
  leaving: Failure | null;
  /** The step whoever follows a link wants to see, e.g. `start`. */
  wanted: FirstRunStep | null;
};

/** The first run, one step at a time. Each step saves at once: a phone that dies goes on where it was. */
export function WelcomeScreen({ onLeave, leaving, wanted, ...ways }: Props) {
  const { t } = useTranslation('welcome');
  const first = useFirstRun();
  if (!first) {
    return (
      <div className="welcome">
        <SkeletonHeading label={t('loading')} />
        <SkeletonRows label={t('loading')} rows={2} />
      </div>
    );
  }
  return <Steps first={first} ways={ways} onLeave={onLeave} leaving={leaving} wanted={wanted} />;
}

type StepsProps = Pick<Props, 'onLeave' | 'leaving' | 'wanted'> & { first: FirstRunState; ways: Ways };

function Steps({ first, ways, onLeave, leaving, wanted }: StepsProps) {
  const { t } = useTranslation('welcome');
  const [chosen, setChosen] = useState<FirstRunStep | null>(wanted);
  const steps = first.states.map(({ step }) => step);
  const step = chosen !== null && steps.includes(chosen) ? chosen : (first.next ?? 'first');
  const place = Math.max(0, steps.indexOf(step));
  const figure = t('steps.figure', { step: place + 1, total: steps.length });
  const previous = steps[place - 1];
  const body = useFocusOnChange(step);
  const { company, companyIsOpen } = first.run;
  const onwards = () => setChosen(null);
  return (
    <div className="welcome" ref={body}>
      <div className="welcome-top">
        <ProgressBar label={t('steps.label')} figure={figure} value={place + 1} max={steps.length} />
        <div className="row between wrap">
          {previous ? (
            <Button variant="plain" size="sm" icon={ArrowLeft} onClick={() => setChosen(previous)}>
              {t('back')}
            </Button>
          ) : (
            <span />
          )}
          <Button variant="plain" size="sm" onClick={onLeave}>
            {t('later')}
          </Button>
        </div>
        <FailureLine failure={leaving} />
      </div>
      {company && !companyIsOpen && <Banner title={t('company.waits', { name: company.name })} />}
      <WelcomeStep key={step} step={step} first={first} ways={ways} onwards={onwards} onStep={setChosen} />
    </div>
  );
}

/** A new step is read from its heading, and begins at the top of the screen. */
function useFocusOnChange(step: FirstRunStep) {
  const body = useRef<HTMLDivElement>(null);
  const shown = useRef(step);
  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    body.current?.querySelector('h1')?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [step]);
  return body;
}
