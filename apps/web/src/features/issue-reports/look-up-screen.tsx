import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { normalCode } from '@cairn/core/issue-reports/look-up-code.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { ProgressCard, type Progress } from './progress.tsx';
import './reports.css';

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
    <div className="parts foot-room">
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
        {state.kind === 'found' && <ProgressCard progress={state.progress} />}
      </div>
    </div>
  );
}
