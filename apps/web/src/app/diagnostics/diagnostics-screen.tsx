import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleX, Copy, Hourglass, RefreshCw, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button, buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAppState } from '../../shared/app-state/app-state-store.ts';
import { recentErrors, type RecentError } from '../../shared/errors/recent-errors.ts';
import type { Check } from './check.ts';
import { asText } from './as-text.ts';
import { useChecks, type CheckResult } from './use-checks.ts';
import './diagnostics.css';

const SIGNS = { pending: Hourglass, success: CircleCheck, warning: TriangleAlert, error: CircleX } as const;

/** What `/debug` shows: how this device stands, the last errors, and a copy of both for whoever helps. */
export function DiagnosticsScreen({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation('diagnostics');
  const { looked, again } = useChecks(checks);
  const errors = recentErrors();
  const { loading, errors: faults } = useAppState(state => state);
  const text = asText(looked, errors, { loading, errors: faults });
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast({ title: t('copied') }),
      () => toast({ title: t('notCopied'), description: t('notCopiedDetail'), tone: 'bad' }),
    );
  return (
    <main className="diagnostics">
      <h1 className="h1">{t('title')}</h1>
      <p className="muted">{t('text')}</p>
      <div className="row wrap">
        <Button icon={RefreshCw} onClick={again}>
          {t('refresh')}
        </Button>
        <Button icon={Copy} onClick={() => void copy()}>
          {t('copy')}
        </Button>
        <Link to="/dashboard" className={buttonClass({ variant: 'primary' })}>
          {t('dashboard')}
        </Link>
      </div>
      <Card>
        <ul className="looked" aria-label={t('title')}>
          {looked.map(each => (
            <LookedRow key={each.id} looked={each} />
          ))}
        </ul>
      </Card>
      <Errors errors={errors} />
      <details>
        <summary>{t('asText')}</summary>
        <pre className="mono">{text}</pre>
      </details>
    </main>
  );
}

function LookedRow({ looked }: { looked: CheckResult }) {
  const { t } = useTranslation('diagnostics');
  return (
    <li className="looked-row" data-state={looked.state}>
      <Icon of={SIGNS[looked.state]} />
      <span className="grow">
        <span className="strong">{looked.name}</span>
        <span className="muted sm">{looked.state === 'pending' ? t('states.pending') : looked.text}</span>
      </span>
      <span className="sm">{t(`states.${looked.state}`)}</span>
    </li>
  );
}

function Errors({ errors }: { errors: readonly RecentError[] }) {
  const { t } = useTranslation('diagnostics');
  return (
    <Card>
      <h2 className="h2">{t('errors')}</h2>
      {errors.length === 0 ? (
        <p className="muted sm">{t('noErrors')}</p>
      ) : (
        <ol className="looked">
          {errors.map(({ id, at, operation, code, detail }) => (
            <li key={id} className="mono sm">
              {at} {operation ?? ''} {code}: {detail}
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}
