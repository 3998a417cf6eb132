import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { MapPin } from 'lucide-react';
import type { PublicPlace } from '@cairn/core/issue-reports/public-report.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonHeading } from '@cairn/ui/feedback/skeleton.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { WaitingReports } from './waiting-reports.tsx';
import type { OutsideCalls } from '../../shared/server/send-stored.ts';
import { usePublicPlace, type PublicPlaceState } from './use-public-place.ts';
import { useVisitorReports } from './use-visitor-reports.ts';
import { VisitorForm } from './visitor-form.tsx';
import './reports.css';

type Props = {
  /** What stands in the code. */
  token: string;
  /** @throws {Failure} `offline` when what is asked with cannot be loaded */
  calls: () => Promise<OutsideCalls>;
  lookUpLink: ReactNode;
};

/** What opens from a public code: anybody on the spot says what is wrong, without signing in, with or without a signal. */
export function PublicReportScreen({ token, calls, lookUpLink }: Props) {
  const { t } = useTranslation('issueReports');
  const { asked, again } = usePublicPlace(token, calls);
  const { reports, sendNow } = useVisitorReports(calls);
  const [isWriting, setWriting] = useState(true);
  const hasReports = reports.length > 0;
  if (asked.kind === 'asking') return <SkeletonHeading label={t('public.loading')} />;
  const begin = () => {
    setWriting(true);
    again();
  };
  const isFormShown = asked.kind !== 'closed' && (isWriting || !hasReports);
  return (
    <div className="parts foot-room">
      {asked.kind === 'closed' ? <Closed onAgain={again} /> : <Head asked={asked} />}
      <WaitingReports reports={reports} calls={calls} onSend={sendNow} />
      {asked.kind !== 'closed' && !isFormShown && <Button onClick={begin}>{t('public.another')}</Button>}
      {isFormShown && (
        <VisitorForm
          token={token}
          place={asked.kind === 'open' ? asked.place : null}
          onKept={() => {
            setWriting(false);
            sendNow();
          }}
        />
      )}
      {lookUpLink}
    </div>
  );
}

/** The place in one line: "Forklift 3 · Site North · Gate 2". */
export const placeLine = ({ asset, site, spot }: PublicPlace): string =>
  [asset, site, spot].filter(part => part !== null).join(' · ');

function Head({ asked }: { asked: PublicPlaceState }) {
  const { t } = useTranslation('issueReports');
  if (asked.kind !== 'open') {
    return (
      <>
        <h1 className="h1">{t('public.title')}</h1>
        <Banner tone="warn" title={t('public.noSignal')}>
          {t('public.noSignalText')}
        </Banner>
      </>
    );
  }
  const line = placeLine(asked.place);
  return (
    <header className="stack">
      <h1 className="h1">{t('public.title')}</h1>
      <p className="row">
        <Icon of={MapPin} />
        <span className="report-text">
          <strong>{asked.place.organization}</strong>
          {line !== '' && ` · ${line}`}
        </span>
      </p>
      <p className="sm muted">{t('public.noSignIn')}</p>
    </header>
  );
}

function Closed({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation('issueReports');
  return (
    <StateBlock
      state="not-found"
      level={1}
      title={t('public.closed')}
      action={<Button onClick={onAgain}>{t('public.again')}</Button>}
    >
      {t('public.closedText')}
    </StateBlock>
  );
}
