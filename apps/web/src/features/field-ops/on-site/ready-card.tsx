import { useTranslation } from 'react-i18next';
import { Check, TriangleAlert } from 'lucide-react';
import { isDone } from '@cairn/core/inspections/inspection-states.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useOfflineMaps, useSiteMaps } from './use-site-maps.ts';
import type { InspectionRecord } from '../inspections/inspection-queries.ts';

/** The inspection of an asset that was finished last, as far as this device knows. */
const lastOf = (assetId: string | null): Query<Row<'inspections'> | null> => ({
  key: `field/last/${assetId ?? ''}`,
  tables: ['inspections'],
  async read(tx) {
    if (assetId === null) return null;
    const rows = await tx.range('inspections', 'asset', assetId, assetId);
    const done = rows.filter(row => isDone(row.status) && row.deleted_at === null);
    return done.toSorted((a, b) => (b.finished_at ?? '').localeCompare(a.finished_at ?? ''))[0] ?? null;
  },
});

/** Whether what a planned inspection needs is on this device, so that it can be done with no signal. */
export function ReadyCard({ record }: { record: InspectionRecord }) {
  const { t } = useTranslation('review');
  const { formatDay } = useFormat();
  const { inspection, version, asset } = record;
  const last = useLive(lastOf(inspection.asset_id));
  const before = last.status === 'ready' ? last.answer : null;
  const when = before?.finished_at && formatDay(new Date(before.finished_at));
  return (
    <Card className="stack" label={t('ready.title')}>
      <h2 className="h2">{t('ready.title')}</h2>
      <ul className="stack sm">
        <Line isHere={version !== undefined} text={t(version ? 'ready.form' : 'ready.noForm')} />
        {inspection.asset_id !== null && (
          <Line
            isHere={asset !== undefined}
            text={asset ? t('ready.asset', { name: asset.name }) : t('ready.noAsset')}
          />
        )}
        <MapLine siteId={inspection.site_id} />
        {inspection.asset_id !== null && <Line isHere text={when ? t('ready.last', { when }) : t('ready.noLast')} />}
      </ul>
    </Card>
  );
}

/** Nothing is said of a site that has no map. */
function MapLine({ siteId }: { siteId: string | null }) {
  const { t } = useTranslation('maps');
  const maps = useSiteMaps();
  const kept = useOfflineMaps().find(map => map.site_id === siteId);
  if (kept) return <Line isHere text={t('readyHere', { name: kept.name })} />;
  const has = maps.status === 'ready' && maps.answer.some(map => map.site_id === siteId);
  return has ? <Line isHere={false} text={t('readyMissing')} /> : null;
}

function Line({ isHere, text }: { isHere: boolean; text: string }) {
  return (
    <li className="row">
      <Icon of={isHere ? Check : TriangleAlert} size="s" />
      <span className="grow">{text}</span>
    </li>
  );
}
