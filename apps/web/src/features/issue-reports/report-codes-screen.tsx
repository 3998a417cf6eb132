import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { QrCode } from 'lucide-react';
import { reportPlaces, type ReportPlaces } from '@cairn/core/issue-reports/report-places.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { StateBlock } from '@cairn/ui/feedback/state-block.tsx';
import { ServerAnswer } from '../../shared/server/server-answer.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { CodeCard, placeOfCode } from './code-card.tsx';
import { CodeSheet, type CodeLabel } from './code-sheet.tsx';
import { NewCode } from './new-code.tsx';
import { useReportCodes, type MadeCode, type ReportCode } from './use-report-codes.ts';
import './reports.css';

/** The codes on the spot with which anybody reports an issue: made, printed, paused and taken back here. */
export function ReportCodesScreen({ backLink }: { backLink: ReactNode }) {
  const { t } = useTranslation('issueReports');
  const { organization, userId, may } = useSpace();
  const places = useLive(reportPlaces({ organizationId: organization.id, userId, all: may('place.all') }));
  const [isMaking, setMaking] = useState(false);
  const [sheet, setSheet] = useState<CodeLabel | null>(null);
  if (!may('issue.code') && !may('issue.triage')) {
    return (
      <StateBlock state="not-allowed" level={1} title={t('codes.notAllowed')} action={backLink}>
        {t('notAllowedText')}
      </StateBlock>
    );
  }
  const known = places.status === 'ready' ? places.answer : { sites: [], assets: [] };
  const show = (code: Pick<ReportCode, 'site_id' | 'asset_id' | 'spot'>, { token }: MadeCode) =>
    setSheet({ token, organization: organization.name, place: placeOfCode(code, known), spot: code.spot });
  return (
    <div className="parts foot-room">
      {backLink}
      <div className="page-head">
        <h1 className="h1">{t('codes.title')}</h1>
        {may('issue.code') && (
          <Button variant="primary" icon={QrCode} onClick={() => setMaking(true)}>
            {t('codes.new')}
          </Button>
        )}
      </div>
      <p className="muted sm">{t('codes.text')}</p>
      <Codes places={known} onPrint={show} />
      {isMaking && (
        <NewCode
          places={known}
          onClose={() => setMaking(false)}
          onMade={(code, made) => {
            setMaking(false);
            show(code, made);
          }}
        />
      )}
      {sheet && <CodeSheet {...sheet} onClose={() => setSheet(null)} />}
    </div>
  );
}

type CodesProps = { places: ReportPlaces; onPrint: (code: ReportCode, made: MadeCode) => void };

function Codes({ places, onPrint }: CodesProps) {
  const { t } = useTranslation('issueReports');
  const { organization, may } = useSpace();
  const query = useReportCodes(organization.id);
  const words = {
    loading: t('codes.loading'),
    offline: t('codes.offline'),
    offlineText: t('codes.offlineText'),
    failed: t('codes.failed'),
    failedText: t('codes.failedText'),
    again: t('public.again'),
    notAllowed: t('codes.notAllowed'),
    notAllowedText: t('notAllowedText'),
  };
  return (
    <ServerAnswer query={query} words={words}>
      {codes =>
        codes.length === 0 ? (
          <EmptyState title={t('codes.none')}>
            {may('issue.code') ? t('codes.noneText') : t('codes.noneAsk')}
          </EmptyState>
        ) : (
          codes.map(code => <CodeCard key={code.id} code={code} places={places} onPrint={onPrint} />)
        )
      }
    </ServerAnswer>
  );
}
