import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Megaphone } from 'lucide-react';
import { Failure } from '@cairn/base/failure.ts';
import { buttonClass } from '@cairn/ui/button.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { rowClass } from '@cairn/ui/surface.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { LookUpScreen, type Progress } from '../../features/issue-reports/look-up-screen.tsx';
import { NewReportScreen } from '../../features/issue-reports/new-report-screen.tsx';
import { ReportScreen } from '../../features/issue-reports/report-screen.tsx';
import { ReportsScreen } from '../../features/issue-reports/reports-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { loadConfig } from '../session/config.ts';

// Photos are named as in an inspection.
export const texts = loadTexts('issueReports', 'field');

export function ReportsRoute() {
  const { t } = useTranslation('issueReports');
  return (
    <ReportsScreen
      reportLink={
        <Link to="/field/reports/new" className={buttonClass({ variant: 'primary' })}>
          <Icon of={Megaphone} />
          {t('new')}
        </Link>
      }
      lookUpLink={
        <Link to="/report/status" className="link tap back-link">
          {t('lookUp.link')}
        </Link>
      }
      renderReport={(reportId, face) => (
        <Link to="/field/reports/$reportId" params={{ reportId }} className={rowClass}>
          {face}
        </Link>
      )}
    />
  );
}

function BackLink() {
  const { t } = useTranslation('issueReports');
  return (
    <Link to="/field/reports" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function NewReportRoute() {
  const { t } = useTranslation('issueReports');
  const { asset } = useSearch({ from: '/signed-in/field/reports/new' });
  const navigate = useNavigate();
  return (
    <NewReportScreen
      assetId={asset}
      backLink={<BackLink />}
      onReported={reportId => {
        toast({ title: t('saved') });
        void navigate({ to: '/field/reports/$reportId', params: { reportId }, replace: true });
      }}
      doneLink={
        <Link to="/field/reports" className={buttonClass({ variant: 'primary' })}>
          {t('kept.done')}
        </Link>
      }
    />
  );
}

export function ReportRoute() {
  const { reportId } = useParams({ from: '/signed-in/field/reports/$reportId' });
  return (
    <ReportScreen
      reportId={reportId}
      backLink={<BackLink />}
      renderAction={(actionId, face) => (
        <Link to="/action-items/$actionId" params={{ actionId }} className={rowClass}>
          {face}
        </Link>
      )}
      renderAsset={(assetId, name) => (
        <Link to="/assets/$assetId" params={{ assetId }} className="link tap">
          {name}
        </Link>
      )}
    />
  );
}

type Answer = { status: Progress['status']; answer: string | null; reported_at: string; decided_at: string | null };

/** Asked as nobody: the code alone says what may be seen, and who looks is nobody's business. */
async function lookUp(code: string): Promise<Progress | null> {
  const { backendUrl, publishableKey } = await loadConfig();
  const response = await fetch(`${backendUrl}/rest/v1/rpc/report_progress`, {
    method: 'POST',
    headers: { apikey: publishableKey, 'Content-Type': 'application/json' },
    body: JSON.stringify({ p_code: code }),
  });
  if (!response.ok) throw new Failure('offline', `report_progress: ${response.status}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what our own function answers
  const found = (await response.json()) as Answer | null;
  return (
    found && { status: found.status, answer: found.answer, reportedAt: found.reported_at, decidedAt: found.decided_at }
  );
}

/** `/report/status`, outside the frame of a signed-in person. */
export function ReportStatusRoute() {
  const { t } = useTranslation('issueReports');
  return (
    <main className="public-page">
      <LookUpScreen
        backLink={
          <Link to="/" className="link tap back-link">
            {t('lookUp.home')}
          </Link>
        }
        lookUp={lookUp}
      />
    </main>
  );
}
