import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { List, Megaphone, ScanLine } from 'lucide-react';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { rowClass } from '@cairn/ui/layout/surface.tsx';
import { FieldScreen } from '../../features/field-ops/field-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';

export const texts = loadTexts('field', 'review', 'schedules', 'assets', 'issueReports', 'capture', 'maps');

export function FieldRoute() {
  const { t } = useTranslation('field');
  const { t: ts } = useTranslation('schedules');
  const { t: tr } = useTranslation('review');
  const { start = false } = useSearch({ from: '/signed-in/field' });
  const title = useModuleLabel('field');
  const navigate = useNavigate();
  return (
    <FieldScreen
      title={title}
      startAtOnce={start}
      onStarting={() => void navigate({ to: '/field', replace: true })}
      renderInspection={(inspectionId, face) => (
        <Link to="/field/$inspectionId" params={{ inspectionId }} className={rowClass}>
          {face}
        </Link>
      )}
      reviewsLink={
        <Link to="/field/reviews" className={buttonClass()}>
          {tr('queue.title')}
        </Link>
      }
      schedulesLink={
        <Link to="/field/schedules" className={buttonClass()}>
          {ts('title')}
        </Link>
      }
      formsLink={
        <Link to="/field/forms" className={buttonClass()}>
          {t('forms')}
        </Link>
      }
      onSiteLinks={<OnSiteLinks />}
      renderAsset={(assetId, face) => (
        <Link to="/assets/$assetId" params={{ assetId }} className={rowClass}>
          {face}
        </Link>
      )}
      onStarted={inspectionId => void navigate({ to: '/field/$inspectionId', params: { inspectionId } })}
    />
  );
}

/** What else is done where somebody stands: codes and reports. */
function OnSiteLinks() {
  const { t: ta } = useTranslation('assets');
  const { t: ti } = useTranslation('issueReports');
  const { may, world } = useSpace();
  return (
    <>
      {world === 'company' && (
        <Link to="/field/scan" className={buttonClass()}>
          <Icon of={ScanLine} />
          {ta('scan.title')}
        </Link>
      )}
      {may('issue.report') && (
        <Link to="/field/reports/new" className={buttonClass()}>
          <Icon of={Megaphone} />
          {ti('new')}
        </Link>
      )}
      <Link to="/field/reports" className={buttonClass()}>
        <Icon of={List} />
        {ti('title')}
      </Link>
    </>
  );
}
