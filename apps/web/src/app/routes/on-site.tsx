import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Megaphone, ScanLine } from 'lucide-react';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { AssetScreen } from '../../features/assets/asset-screen.tsx';
import { AssetsScreen } from '../../features/assets/assets-screen.tsx';
import { ScanScreen } from '../../features/assets/scan-screen.tsx';
import { DueAtAsset, StartAtAsset } from '../../features/field-ops/inspections/asset-work.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { NewReportScreen } from '../../features/issue-reports/new-report-screen.tsx';
import { ReportCodesScreen } from '../../features/issue-reports/report-codes-screen.tsx';
import { ReportScreen } from '../../features/issue-reports/report-screen.tsx';
import { ReportsScreen } from '../../features/issue-reports/reports-screen.tsx';
import { ReportTalk } from './record-talk.tsx';

// What is done where things stand: assets, their codes, and reports about them. One file, because each file of routes costs
// the sign-in page its name. Photos are named as in an inspection.
export const texts = loadTexts('assets', 'issueReports', 'field', 'capture', 'comments');

const renderAsset = (assetId: string, face: React.ReactNode) => (
  <Link to="/assets/$assetId" params={{ assetId }} className={rowClass}>
    {face}
  </Link>
);

function ScanLink() {
  const { t } = useTranslation('assets');
  return (
    <Link to="/field/scan" className={buttonClass()}>
      <Icon of={ScanLine} />
      {t('scan.title')}
    </Link>
  );
}

export function AssetsRoute() {
  const { scanned } = useSearch({ from: '/signed-in/assets' });
  const navigate = useNavigate();
  return (
    <AssetsScreen
      title={useModuleLabel('asset-management')}
      code={scanned}
      onMaking={() => void navigate({ to: '/assets', replace: true })}
      renderAsset={renderAsset}
      scanLink={<ScanLink />}
      onMade={assetId => void navigate({ to: '/assets/$assetId', params: { assetId } })}
    />
  );
}

function AllAssetsLink() {
  const { t } = useTranslation('assets');
  return (
    <Link to="/assets" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

const renderInspection = (inspectionId: string, face: React.ReactNode) => (
  <Link to="/field/$inspectionId" params={{ inspectionId }} className={rowClass}>
    {face}
  </Link>
);

export function AssetRoute() {
  const { t } = useTranslation('assets');
  const navigate = useNavigate();
  const { assetId } = useParams({ from: '/signed-in/assets/$assetId' });
  const { may } = useSpace();
  return (
    <AssetScreen
      assetId={assetId}
      backLink={<AllAssetsLink />}
      reportLink={
        may('issue.report') && (
          <Link to="/field/reports/new" search={{ asset: assetId }} className={buttonClass()}>
            <Icon of={Megaphone} />
            {t('report')}
          </Link>
        )
      }
      renderStart={(asset, inspections) => (
        <StartAtAsset
          asset={asset}
          inspections={inspections}
          onStarted={inspectionId =>
            void navigate({ to: '/field/$inspectionId', params: { inspectionId }, search: { start: true } })
          }
        />
      )}
      renderDue={inspections => <DueAtAsset inspections={inspections} renderInspection={renderInspection} />}
      renderAsset={renderAsset}
      renderAction={(actionId, words) => (
        <Link to="/action-items/$actionId" params={{ actionId }} className={buttonClass({ size: 'sm' })}>
          {words}
        </Link>
      )}
      renderPast={(kind, id, face) => {
        if (kind === 'inspection') return renderInspection(id, face);
        return kind === 'action' ? (
          <Link to="/action-items/$actionId" params={{ actionId: id }} className={rowClass}>
            {face}
          </Link>
        ) : (
          <Link to="/field/reports/$reportId" params={{ reportId: id }} className={rowClass}>
            {face}
          </Link>
        );
      }}
    />
  );
}

export function ScanRoute() {
  const { t } = useTranslation('assets');
  const navigate = useNavigate();
  return (
    <ScanScreen
      backLink={<AllAssetsLink />}
      onFound={assetId => void navigate({ to: '/assets/$assetId', params: { assetId } })}
      renderAdd={code => (
        <Link to="/assets" search={{ scanned: code }} className={buttonClass()}>
          {t('scan.add')}
        </Link>
      )}
    />
  );
}

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
        <Link to="/report/$token" params={{ token: 'status' }} className="link tap back-link">
          {t('lookUp.link')}
        </Link>
      }
      codesLink={
        <Link to="/field/reports/codes" className="link tap back-link">
          {t('codes.link')}
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

function AllReportsLink() {
  const { t } = useTranslation('issueReports');
  return (
    <Link to="/field/reports" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function ReportCodesRoute() {
  return <ReportCodesScreen backLink={<AllReportsLink />} />;
}

export function NewReportRoute() {
  const { t } = useTranslation('issueReports');
  const { asset } = useSearch({ from: '/signed-in/field/reports/new' });
  const navigate = useNavigate();
  return (
    <NewReportScreen
      assetId={asset}
      backLink={<AllReportsLink />}
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
    <>
      <ReportScreen
        reportId={reportId}
        backLink={<AllReportsLink />}
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
      <ReportTalk key={reportId} id={reportId} />
    </>
  );
}
