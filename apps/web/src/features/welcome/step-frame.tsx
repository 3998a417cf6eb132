import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '@cairn/base/failure.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { failureText } from '../../shared/errors/failure-text.ts';

/** What every step is given. */
export type StepProps = {
  /** Goes on without it; a skipped step stays open to come back to. */
  onSkip: () => void;
  /** Runs once the step has been saved. */
  onDone: () => void;
};

type Props = {
  title: string;
  text?: string;
  /** The words of the main act. */
  go: string;
  onGo: () => void;
  onSkip?: () => void;
  busy?: boolean;
  failure?: Failure | null;
  children?: ReactNode;
};

/** One step: a question, what answers it, one main act, and a way past it. */
export function StepFrame({ title, text, go, onGo, onSkip, busy = false, failure = null, children }: Props) {
  const { t } = useTranslation('welcome');
  const { t: tFailure } = useTranslation('failure');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!busy) onGo();
  };
  return (
    <form className="welcome-step" onSubmit={submit} noValidate>
      <header className="stack">
        <h1 className="h1" tabIndex={-1}>
          {title}
        </h1>
        {text !== undefined && <p className="muted">{text}</p>}
      </header>
      {children}
      {failure && (
        <p className="err" role="alert">
          {tFailure(failureText[failure.code])}
        </p>
      )}
      <div className="welcome-acts">
        <Button type="submit" variant="primary" size="lg" block busy={busy} busyText={t('saving')}>
          {go}
        </Button>
        {onSkip && (
          <Button variant="plain" block onClick={onSkip}>
            {t('skip')}
          </Button>
        )}
      </div>
    </form>
  );
}
