import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Megaphone, ScanLine } from 'lucide-react';
import { buttonClass } from '@cairn/ui/button.tsx';
import { Icon } from '@cairn/ui/icon.tsx';
import { rowClass } from '@cairn/ui/surface.tsx';
import { AssetScreen } from '../../features/assets/asset-screen.tsx';
import { AssetsScreen } from '../../features/assets/assets-screen.tsx';
import { ScanScreen } from '../../features/assets/scan-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/space.ts';
import { useModuleLabel } from '../shell/use-labels.ts';

export const texts = loadTexts('assets');

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
  const { new: isNew = false, code = '' } = useSearch({ from: '/signed-in/assets' });
  const navigate = useNavigate();
  return (
    <AssetsScreen
      title={useModuleLabel('asset-management')}
      makeAtOnce={isNew}
      code={code}
      onMaking={() => void navigate({ to: '/assets', replace: true })}
      renderAsset={renderAsset}
      scanLink={<ScanLink />}
      onMade={assetId => void navigate({ to: '/assets/$assetId', params: { assetId } })}
    />
  );
}

function BackLink() {
  const { t } = useTranslation('assets');
  return (
    <Link to="/assets" className="link tap back-link">
      {t('back')}
    </Link>
  );
}

export function AssetRoute() {
  const { t } = useTranslation('assets');
  const { assetId } = useParams({ from: '/signed-in/assets/$assetId' });
  const { may } = useSpace();
  return (
    <AssetScreen
      assetId={assetId}
      backLink={<BackLink />}
      reportLink={
        may('issue.report') && (
          <Link to="/field/reports/new" search={{ asset: assetId }} className={buttonClass({ variant: 'primary' })}>
            <Icon of={Megaphone} />
            {t('report')}
          </Link>
        )
      }
      renderAsset={renderAsset}
      renderPast={(kind, id, face) => {
        if (kind === 'inspection')
          return (
            <Link to="/field/$inspectionId" params={{ inspectionId: id }} className={rowClass}>
              {face}
            </Link>
          );
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
      backLink={<BackLink />}
      onFound={assetId => void navigate({ to: '/assets/$assetId', params: { assetId } })}
      renderAdd={code => (
        <Link to="/assets" search={{ new: true, code }} className={buttonClass()}>
          {t('scan.add')}
        </Link>
      )}
    />
  );
}
