import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { lookUpReport, ProgressCard, type Progress } from './progress.tsx';
import { type OutsideCalls } from '../../shared/server/send-stored.ts';
import { askAgain } from './send-waiting.ts';
import { VisitorForm } from './visitor-form.tsx';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

type Props = {
  reports: readonly WaitingReport[];
  calls: () => Promise<OutsideCalls>;
  onSend: () => void;
};

/** What was reported from this phone: what still waits, and the codes of what was sent. */
export function WaitingReports({ reports, calls, onSend }: Props) {
  return (
    <div aria-live="polite" className="parts">
      {reports.map(report => (
        <Kept key={report.key} report={report} calls={calls} onSend={onSend} />
      ))}
    </div>
  );
}

type KeptProps = { report: WaitingReport; calls: Props['calls']; onSend: () => void };

function Kept({ report, calls, onSend }: KeptProps) {
  const { t } = useTranslation('issueReports');
  const count = report.photos.filter(({ state }) => state === 'waiting').length;
  const refused = report.photos.filter(({ state }) => state === 'refused').length;
  if (report.state !== 'sent') return <PendingReport report={report} onSend={onSend} />;
  return (
    <Card className="stack" label={t('public.sent')}>
      <div className="row">
        <StatusChip state="done">{t('public.sent')}</StatusChip>
      </div>
      <h2 className="h2">{t('public.thanks')}</h2>
      <p>{t('public.reference', { reference: report.reference ?? '' })}</p>
      <p>{t('kept.text')}</p>
      <p className="report-code num">{report.code}</p>
      <p className="sm muted">{t('public.once')}</p>
      {count > 0 && <p className="sm">{t('public.photosWait', { count })}</p>}
      {refused > 0 && <Banner tone="warn" title={t('public.photosRefused', { count: refused })} />}
      <WhatBecame report={report} calls={calls} />
    </Card>
  );
}

function PendingReport({ report, onSend }: { report: WaitingReport; onSend: () => void }) {
  const { t } = useTranslation('issueReports');
  const [isChanging, setChanging] = useState(false);
  const isWaiting = report.state === 'waiting';
  const { body, token, place } = report;
  if (report.state === 'refused' && isChanging && body)
    return <VisitorForm token={token} place={place} before={{ ...report, body }} onKept={onSend} />;
  return (
    <Card className="stack" label={t('public.onPhone')}>
      <div className="row">
        <StatusChip state={isWaiting ? 'waiting' : 'failed'}>
          {t(isWaiting ? 'public.waits' : 'public.notSent')}
        </StatusChip>
      </div>
      <p className="report-text">{report.body?.text}</p>
      <p className="sm muted">
        {t(isWaiting ? 'public.waitsText' : report.state === 'closed' ? 'public.closedKept' : 'public.refusedKept')}
      </p>
      <div className="row wrap">
        {report.state === 'refused' && <Button onClick={() => setChanging(true)}>{t('public.change')}</Button>}
        <Button onClick={() => void askAgain(report).then(onSend)}>{t('public.sendNow')}</Button>
        <Forget report={report} />
      </div>
    </Card>
  );
}

/** Asks once more before what was said, or the only copy of its code, goes. */
function Forget({ report }: { report: WaitingReport }) {
  const { t } = useTranslation('issueReports');
  const [isAsked, setAsked] = useState(false);
  if (!isAsked)
    return (
      <Button variant="plain" onClick={() => setAsked(true)}>
        {t('public.forget')}
      </Button>
    );
  return (
    <>
      <Button variant="danger" onClick={() => void waitingReports.forget(report.key)}>
        {t(report.state === 'sent' ? 'public.forgetCode' : 'public.forgetReport')}
      </Button>
      <Button variant="plain" onClick={() => setAsked(false)}>
        {t('public.keep')}
      </Button>
    </>
  );
}

function WhatBecame({ report, calls }: { report: WaitingReport; calls: Props['calls'] }) {
  const { t } = useTranslation('issueReports');
  const [state, setState] = useState<'idle' | 'busy' | 'failed' | Progress>('idle');
  const ask = () => {
    setState('busy');
    calls()
      .then(reached => lookUpReport(reached, report.code))
      .then(
        progress => setState(progress ?? 'failed'),
        () => setState('failed'),
      );
  };
  return (
    <>
      {state === 'failed' && <Banner tone="warn" title={t('lookUp.offline')} />}
      {typeof state === 'object' && <ProgressCard progress={state} />}
      <div className="row wrap">
        <Button busy={state === 'busy'} onClick={ask}>
          {t('public.whatBecame')}
        </Button>
        <Forget report={report} />
      </div>
    </>
  );
}
