import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { normalCode } from '@cairn/core/issue-reports/look-up-code.ts';
import type { ReportStatus } from '@cairn/core/issue-reports/report-status.ts';
import { Banner } from '@cairn/ui/banner.tsx';
import { Button } from '@cairn/ui/button.tsx';
import { Input } from '@cairn/ui/field.tsx';
import { StatusChip } from '@cairn/ui/pill.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useFormat } from '../../shared/format.ts';
import { REPORT_FACES } from './report-words.ts';
import './reports.css';

/** What the holder of a code is told, and nothing else of the report. */
export type Progress = { status: ReportStatus; answer: string | null; reportedAt: string; decidedAt: string | null };

type Props = {
  backLink: ReactNode;
  /** Null where no report has that code. @throws {Failure} `offline` */
  lookUp: (code: string) => Promise<Progress | null>;
};

type State = { kind: 'idle' | 'busy' | 'notACode' | 'unknown' | 'offline' } | { kind: 'found'; progress: Progress };

/** What became of a report without a name, for whoever holds its code. */
export function LookUpScreen({ backLink, lookUp }: Props) {
  const { t } = useTranslation('issueReports');
  const [code, setCode] = useState('');
  const [state, setState] = useState<State>({ kind: 'idle' });
  const ask = () => {
    const normal = normalCode(code);
    if (normal === null) return setState({ kind: 'notACode' });
    setState({ kind: 'busy' });
    lookUp(normal).then(
      progress => setState(progress ? { kind: 'found', progress } : { kind: 'unknown' }),
      () => setState({ kind: 'offline' }),
    );
  };
  return (
    <div className="reports">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('lookUp.title')}</h1>
      </div>
      <Card>
        <form
          className="report-form"
          onSubmit={event => {
            event.preventDefault();
            ask();
          }}
        >
          <Input
            label={t('lookUp.code')}
            hint={t('lookUp.hint')}
            value={code}
            autoComplete="off"
            autoCapitalize="characters"
            error={state.kind === 'notACode' ? t('lookUp.notACode') : undefined}
            onChange={event => setCode(event.target.value)}
          />
          <Button type="submit" variant="primary" busy={state.kind === 'busy'}>
            {t('lookUp.ask')}
          </Button>
        </form>
      </Card>
      <div aria-live="polite">
        {state.kind === 'unknown' && (
          <Banner tone="warn" title={t('lookUp.unknown')}>
            {t('lookUp.unknownText')}
          </Banner>
        )}
        {state.kind === 'offline' && <Banner tone="warn" title={t('lookUp.offline')} />}
        {state.kind === 'found' && <Found progress={state.progress} />}
      </div>
    </div>
  );
}

function Found({ progress: { status, answer, reportedAt, decidedAt } }: { progress: Progress }) {
  const { t } = useTranslation('issueReports');
  const { formatInstant } = useFormat();
  return (
    <Card className="stack" label={t('lookUp.title')}>
      <div className="row">
        <StatusChip state={REPORT_FACES[status]}>{t(`status.${status}`)}</StatusChip>
      </div>
      <p className="report-text">{answer ?? t('lookUp.noAnswer')}</p>
      <p className="sm muted">{t('lookUp.reported', { when: formatInstant(new Date(reportedAt)) })}</p>
      {decidedAt && <p className="sm muted">{t('lookUp.decided', { when: formatInstant(new Date(decidedAt)) })}</p>}
    </Card>
  );
}
