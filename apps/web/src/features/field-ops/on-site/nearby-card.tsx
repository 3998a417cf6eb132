import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { LocateFixed, MapPin } from 'lucide-react';
import { nearest, positionOf, type NearAsset } from '@cairn/core/assets/nearby.ts';
import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';
import { mapFor } from '@cairn/core/on-site/site-maps.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card, CardHead, List, RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { useFormat } from '../../../shared/format/format.ts';
import { isPlaceRefused, presentPlace } from '../../../shared/input/present-place.ts';
import { useSpace } from '../../../shared/session/space.ts';
import type { MapShapes } from './map-drawing.ts';
import { SiteMapView } from './site-map-view.tsx';
import { useOfflineMaps } from './use-site-maps.ts';
import { assetsToDo, type AssetsToDo } from '../inspections/inspection-queries.ts';

/** m; farther than this is not "nearby", it is a journey. */
const WITHIN_M = 20_000;
const MAX_ASSETS = 10;

type PositionState = { state: 'looking' | 'refused' | 'failed' } | { state: 'found'; here: GeoPoint };

type Props = { renderAsset: (id: string, face: ReactNode) => ReactNode };

/** Assets around this device, the nearest first, with what is to be done there. Works from what lies on the device. */
export function NearbyCard({ renderAsset }: Props) {
  const { t } = useTranslation('capture');
  const { organization } = useSpace();
  const found = useLive(assetsToDo(organization.id));
  const [looking, setLooking] = useState<PositionState>({ state: 'looking' });
  useEffect(() => measure(setLooking), []);
  const look = () => {
    setLooking({ state: 'looking' });
    measure(setLooking);
  };
  return (
    <Card flush label={t('nearby.title')} className="nearby">
      <CardHead
        title={t('nearby.title')}
        aside={
          <Button size="sm" variant="plain" icon={LocateFixed} busy={looking.state === 'looking'} onClick={look}>
            {t('nearby.again')}
          </Button>
        }
      />
      {looking.state === 'found' && found.status === 'ready' && (
        <Around here={looking.here} found={found.answer} renderAsset={renderAsset} />
      )}
      {looking.state === 'looking' && <SkeletonRows label={t('nearby.looking')} rows={2} />}
      {(looking.state === 'refused' || looking.state === 'failed') && (
        <p className="err nearby-word" role="alert">
          {t(`nearby.${looking.state}`)}
        </p>
      )}
    </Card>
  );
}

function measure(tell: (looking: PositionState) => void): void {
  presentPlace().then(
    here => tell({ state: 'found', here }),
    (error: unknown) => tell({ state: isPlaceRefused(error) ? 'refused' : 'failed' }),
  );
}

type AroundProps = Props & { here: GeoPoint; found: AssetsToDo };

function Around({ here, found: { assets, toDo, holds }, renderAsset }: AroundProps) {
  const { t } = useTranslation('capture');
  const { formatDistance } = useFormat();
  const near = useMemo(() => nearest(assets, here, { within: WITHIN_M, most: MAX_ASSETS }), [assets, here]);
  if (near.length === 0) {
    const isKnown = assets.some(asset => positionOf(asset) !== null);
    return (
      <p className="muted sm nearby-word">
        {isKnown ? t('nearby.far', { distance: formatDistance(WITHIN_M) }) : t('nearby.none')}
      </p>
    );
  }
  return (
    <>
      <AroundOnMap here={here} near={near} />
      <List>
        {near.map(each => (
          <li key={each.asset.id}>
            {renderAsset(
              each.asset.id,
              <NearFace near={each} toDo={toDo.get(each.asset.id) ?? 0} isOut={holds.has(each.asset.id)} />,
            )}
          </li>
        ))}
      </List>
      {here.accuracy !== null && (
        <p className="muted sm nearby-word">
          {t('nearby.accuracy', { distance: formatDistance(here.accuracy) })} {t('nearby.text')}
        </p>
      )}
    </>
  );
}

/** The same on a map, where one of this place lies on the device. */
function AroundOnMap({ here, near }: { here: GeoPoint; near: readonly NearAsset[] }) {
  const { t } = useTranslation('capture');
  const map = mapFor(useOfflineMaps(), [here]);
  const shown = useMemo<MapShapes>(() => {
    const places = near.flatMap(({ asset }) => {
      const position = positionOf(asset);
      return position ? [{ ...position, name: asset.name }] : [];
    });
    return { kind: 'spots', places, here };
  }, [here, near]);
  return map ? <SiteMapView key={map.id} site={map} shown={shown} label={t('nearby.title')} /> : null;
}

type NearProps = { near: NearAsset; toDo: number; /** Out of service. */ isOut: boolean };

function NearFace({ near: { asset, metres }, toDo, isOut }: NearProps) {
  const { t } = useTranslation('capture');
  const { t: tf } = useTranslation('field');
  const { formatDistance } = useFormat();
  const detail = [isOut && tf('service.short'), asset.location, toDo > 0 && t('nearby.tasks', { count: toDo })]
    .filter(Boolean)
    .join(' · ');
  return (
    <RowFace
      start={
        <RowIcon tone={isOut ? 'bad' : toDo > 0 ? 'accent' : 'neutral'}>
          <Icon of={MapPin} />
        </RowIcon>
      }
      title={asset.name}
      detail={detail}
      end={<span className="num strong">{t('nearby.away', { distance: formatDistance(metres) })}</span>}
    />
  );
}
