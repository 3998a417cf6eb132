import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Check, Download, Eye, Pause, Trash2, X } from 'lucide-react';
import { removeSiteMap, type SiteMap } from '@cairn/core/on-site/site-maps.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { useUpload } from '../../../shared/media/use-upload.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import type { MapShapes } from './map-drawing.ts';
import { isWhole, type MapDownload } from './map-shelf.ts';
import { SiteMapView } from './site-map-view.tsx';
import { useMapShelf } from './use-site-maps.ts';

/** One map: how large it is, whether it lies on this phone, and what can be done about that. */
export function MapRow({ map, mayRemove }: { map: SiteMap; mayRemove: boolean }) {
  const { t } = useTranslation('maps');
  const { formatBytes } = useFormat();
  const { shelf, held } = useMapShelf();
  const [looking, setLooking] = useState(false);
  const waits = useUpload(map.media_id) !== null;
  const here = held?.get(map.media_id);
  const whole = isWhole(here);
  const keeping = useAction(() =>
    shelf.keep({ id: map.media_id, organizationId: map.organization_id, size: map.bytes }),
  );
  const dropping = useAction(() => shelf.drop(map.media_id));
  return (
    <li className="map-row stack">
      <div className="row between">
        <span className="grow">
          <span className="t">{map.name}</span>
          <span className="d num">{t('size', { size: formatBytes(map.bytes) })}</span>
        </span>
        {whole && (
          <span className="row sm">
            <Icon of={Check} size="s" />
            {t('here')}
          </span>
        )}
      </div>
      {waits && <p className="sm muted">{t('waits')}</p>}
      <Fetching map={map} here={here} onStop={() => shelf.stop(map.media_id)} />
      <div className="row wrap">
        {!whole && !here?.fetching && (
          <Button
            size="sm"
            variant="primary"
            icon={Download}
            aria-label={t(here ? 'goOnOf' : 'keepOf', { name: map.name })}
            onClick={() => keeping.run()}
          >
            {t(here ? 'goOn' : 'keep')}
          </Button>
        )}
        {whole && (
          <IconButton
            icon={looking ? X : Eye}
            label={t('look', { name: map.name })}
            aria-expanded={looking}
            onClick={() => setLooking(!looking)}
          />
        )}
        {here && !here.fetching && (
          <Button size="sm" variant="plain" aria-label={t('dropOf', { name: map.name })} onClick={() => dropping.run()}>
            {t('drop')}
          </Button>
        )}
        {mayRemove && <RemoveMap map={map} />}
      </div>
      {whole && looking && <Look map={map} />}
      <FailureLine failure={dropping.failure} />
    </li>
  );
}

const NOWHERE: MapShapes = { kind: 'spots', places: [] };

function Look({ map }: { map: SiteMap }) {
  const shown = useMemo(() => NOWHERE, []);
  return <SiteMapView site={map} shown={shown} label={map.name} />;
}

const WHY = { storage_full: 'full', not_found: 'gone', signed_out: 'signedOut' } as const;

function Fetching({ map, here, onStop }: { map: SiteMap; here: MapDownload | undefined; onStop: () => void }) {
  const { t } = useTranslation('maps');
  const { formatBytes } = useFormat();
  if (!here || isWhole(here)) return null;
  const { failure } = here;
  const why = failure && failure.code in WHY ? WHY[failure.code as keyof typeof WHY] : 'brokeOff';
  return (
    <>
      <ProgressBar
        label={t('fetching', { name: map.name })}
        figure={t('of', { have: formatBytes(here.have), size: formatBytes(here.size) })}
        value={here.have}
        max={here.size}
      />
      {here.fetching && (
        <div>
          <Button size="sm" variant="plain" icon={Pause} aria-label={t('stopOf', { name: map.name })} onClick={onStop}>
            {t('stop')}
          </Button>
        </div>
      )}
      {failure && (
        <p className="err sm" role="alert">
          {t(why)}
        </p>
      )}
    </>
  );
}

function RemoveMap({ map }: { map: SiteMap }) {
  const { t } = useTranslation('maps');
  const store = useStore();
  const [asking, setAsking] = useState(false);
  const removing = useAction(() => store.write('field-ops.remove-map', tx => removeSiteMap(tx, map.id)));
  return (
    <>
      <Button
        size="sm"
        variant="plain"
        icon={Trash2}
        busy={removing.busy}
        aria-label={t('removeOf', { name: map.name })}
        onClick={() => setAsking(true)}
      >
        {t('remove')}
      </Button>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('removeAsk')}
        confirmLabel={t('remove')}
        cancelLabel={t('removeNo')}
        onConfirm={() => removing.run()}
        danger
      >
        {t('removeText')}
      </Confirm>
      <FailureLine failure={removing.failure} />
    </>
  );
}
