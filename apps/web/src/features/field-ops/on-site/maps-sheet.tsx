import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import type { SiteMap } from '@cairn/core/on-site/site-maps.ts';
import { reportPlaces } from '@cairn/core/issue-reports/report-places.ts';
import type { Row } from '@cairn/schema';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { AddMap } from './add-map.tsx';
import { MapRow } from './map-row.tsx';
import { useMapShelf, useSiteMaps, useTidyMaps } from './use-site-maps.ts';
import './maps-sheet.css';

/** The maps of the sites a person works at: kept on this phone or not; whoever looks after a site adds and removes them. */
export function MapsSheet({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('maps');
  const { organization, may } = useSpace();
  const { user } = useSignedIn();
  const [adding, setAdding] = useState(false);
  const maps = useSiteMaps();
  const { held } = useMapShelf();
  useTidyMaps();
  const places = useLive(reportPlaces({ organizationId: organization.id, userId: user.id, all: may('place.all') }));
  const sites = places.status === 'ready' ? places.answer.sites : [];
  const canAdd = may('asset.manage') && sites.length > 0;
  const isRead = maps.status === 'ready' && held !== null && places.status === 'ready';
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={t('title')}
      description={t('about')}
      closeLabel={t('close')}
      actions={
        canAdd &&
        !adding && (
          <Button block icon={Plus} onClick={() => setAdding(true)}>
            {t('add')}
          </Button>
        )
      }
    >
      {adding && <AddMap sites={sites} onDone={() => setAdding(false)} />}
      {!adding && !isRead && <SkeletonRows label={t('loading')} rows={2} />}
      {!adding && isRead && <BySite maps={maps.answer} sites={sites} canAdd={canAdd} />}
    </Sheet>
  );
}

type BySiteProps = { maps: readonly SiteMap[]; sites: readonly Row<'sites'>[]; canAdd: boolean };

function BySite({ maps, sites, canAdd }: BySiteProps) {
  const { t } = useTranslation('maps');
  if (maps.length === 0) return <EmptyState title={t('empty')}>{t(canAdd ? 'emptyOwnText' : 'emptyText')}</EmptyState>;
  const own = new Set(sites.map(({ id }) => id));
  return sites
    .map(site => ({ site, here: maps.filter(map => map.site_id === site.id) }))
    .filter(({ here }) => here.length > 0)
    .map(({ site, here }) => (
      <section key={site.id} aria-label={site.name}>
        <h3 className="h3 sect">{site.name}</h3>
        <ul className="list">
          {here.map(map => (
            <MapRow key={map.id} map={map} mayRemove={canAdd && own.has(map.site_id)} />
          ))}
        </ul>
      </section>
    ));
}
