import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Megaphone } from 'lucide-react';
import { buttonClass } from '@cairn/ui/button.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { rowClass } from '@cairn/ui/surface.tsx';
import { toast } from '@cairn/ui/toast.ts';
import { NewReportScreen } from '../../features/issue-reports/new-report-screen.tsx';
import { ReportScreen } from '../../features/issue-reports/report-screen.tsx';
import { ReportsScreen } from '../../features/issue-reports/reports-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';

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
