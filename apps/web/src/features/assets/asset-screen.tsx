import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Pencil, QrCode } from 'lucide-react';
import { positionOf } from '@cairn/core/assets/nearby.ts';
import { assetHistory, register, type AssetHistory } from '@cairn/core/assets/queries.ts';
import { serviceStatus } from '@cairn/core/assets/service-status.ts';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Facts } from '@cairn/ui/data/facts.tsx';
import { Pill, StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { Card, List } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../shared/format/format.ts';
import { OutOfService } from '../../shared/records/out-of-service.tsx';
import { RecordPage } from '../../shared/records/record-page.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { AssetFace } from './asset-face.tsx';
import { AssetForm } from './asset-form.tsx';
import { AssetPast, type RenderPast } from './asset-past.tsx';
import { STATE_FACES, tagsOf } from './asset-labels.ts';
import './assets.css';

/** Draws codes: loaded when somebody wants one. */
const AssetLabel = lazy(async () => ({ default: (await import('./asset-label.tsx')).AssetLabel }));

type Props = {
  assetId: string;
  backLink: ReactNode;
  reportLink: ReactNode;
  /** How an inspection of it is started, drawn by the route. */
  renderStart: (asset: Row<'assets'>, inspections: readonly Row<'inspections'>[]) => ReactNode;
  /** What is due at it, drawn by the route. */
  renderDue: (inspections: readonly Row<'inspections'>[]) => ReactNode;
  renderAsset: (id: string, face: ReactNode) => ReactNode;
  renderPast: RenderPast;
  /** The way to the action item that keeps it out of service, drawn by the route. */
  renderAction: (actionId: string, words: string) => ReactNode;
};

/** One asset: what it is, where it stands, its parts, and all that happened to it. */
export function AssetScreen(props: Props) {
  const { t } = useTranslation('assets');
  const found = useLive(assetHistory(props.assetId));
  const words = { loading: t('loading'), missing: t('missing'), missingText: t('missingText') };
  return (
    <RecordPage found={found} words={words} backLink={props.backLink} recordOf={({ asset }) => asset}>
      {history => <Loaded key={props.assetId} {...props} history={history} />}
    </RecordPage>
  );
}

function Loaded(props: Props & { history: AssetHistory }) {
  const { history, reportLink, renderStart, renderDue, renderAsset, renderPast } = props;
  const { t } = useTranslation('assets');
  const { may } = useSpace();
  const { asset, above, parts, holds } = history;
  const status = serviceStatus(asset, holds.get(asset.id));
  const [open, setOpen] = useState<'form' | 'label' | null>(null);
  return (
    <>
      <header className="stack">
        <h1 className="h1">{asset.name}</h1>
        <div className="row wrap">
          <StatusChip state={STATE_FACES[status]}>{t(`status.${status}`)}</StatusChip>
          {tagsOf(asset).map(tag => (
            <Pill key={tag} tone="line">
              {tag}
            </Pill>
          ))}
        </div>
        <OutOfService asset={asset} renderWay={props.renderAction} />
        <div className="row wrap">
          {renderStart(asset, history.inspections)}
          {reportLink}
          {asset.code !== null && (
            <Button icon={QrCode} onClick={() => setOpen('label')}>
              {t('label.open')}
            </Button>
          )}
          {may('asset.manage') && (
            <Button icon={Pencil} onClick={() => setOpen('form')}>
              {t('change')}
            </Button>
          )}
        </div>
      </header>
      <div className="parts columns first-wide">
        <div className="parts">
          {renderDue(history.inspections)}
          <AssetPast history={history} renderPast={renderPast} />
        </div>
        <div className="parts">
          <AssetFacts history={history} />
          {[above, parts].map(
            (assets, index) =>
              assets.length > 0 && (
                <Card key={index} flush label={t(index === 0 ? 'partOf' : 'parts')}>
                  <h2 className="h2 asset-card-title">{t(index === 0 ? 'partOf' : 'parts')}</h2>
                  <List>
                    {assets.map(each => (
                      <li key={each.id}>
                        {renderAsset(each.id, <AssetFace asset={each} site={undefined} holds={holds} />)}
                      </li>
                    ))}
                  </List>
                </Card>
              ),
          )}
        </div>
      </div>
      {open === 'form' && <Changing history={history} onClose={() => setOpen(null)} />}
      {open === 'label' && (
        <Suspense>
          <AssetLabel asset={asset} site={history.site?.name} onClose={() => setOpen(null)} />
        </Suspense>
      )}
    </>
  );
}

function Changing({ history: { asset }, onClose }: { history: AssetHistory; onClose: () => void }) {
  const { organization } = useSpace();
  const all = useLive(register(organization.id));
  if (all.status === 'loading') return null;
  return <AssetForm register={all.answer} asset={asset} onClose={onClose} onSaved={onClose} />;
}

function AssetFacts({ history: { asset, site } }: { history: AssetHistory }) {
  const { t } = useTranslation('assets');
  const { t: tc } = useTranslation('capture');
  const { formatNumber } = useFormat();
  const position = positionOf(asset);
  const facts = [
    ['code', asset.code],
    ['barcode', asset.barcode],
    ['site', site?.name ?? null],
    ['location', asset.location],
    ['category', asset.category],
    ['manufacturer', asset.manufacturer],
    ['model', asset.model],
    ['serialNumber', asset.serial_number],
  ] as const;
  const known = facts.filter(([, value]) => value !== null && value !== '');
  const place = position && `${formatNumber(position.lat, 5)}°, ${formatNumber(position.lon, 5)}°`;
  return (
    <Card label={t('facts')}>
      <h2 className="h2">{t('facts')}</h2>
      {known.length === 0 && !position && !asset.notes && <p className="muted sm">{t('noFacts')}</p>}
      <Facts
        look="under"
        facts={[
          ...known.map(([field, value]) => [t(`field.${field}`), value] as const),
          [tc('place.title'), place, 'num'],
        ]}
      />
      {asset.notes && <p className="sm asset-notes">{asset.notes}</p>}
    </Card>
  );
}
