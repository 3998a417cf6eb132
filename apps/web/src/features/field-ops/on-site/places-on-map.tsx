import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Grid3x3, Map as MapIcon } from 'lucide-react';
import { questionTypeDef, type QuestionType } from '@cairn/core/forms/question-types/question-types.ts';
import type { GeoPoint } from '@cairn/core/forms/question-types/places.ts';
import { mapFor } from '@cairn/core/on-site/site-maps.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import type { MapShapes } from './map-drawing.ts';
import { PlacesDrawing, useMeasured } from './places-drawing.tsx';
import { SiteMapView } from './site-map-view.tsx';
import { useOfflineMaps } from './use-site-maps.ts';

type Props = { type: QuestionType; points: readonly GeoPoint[]; label: string };

/** Places that were measured: on a map that lies on this device, else a way or an area on a plain grid. */
export function PlacesOnMap({ type, points, label }: Props) {
  const { t } = useTranslation('maps');
  const [onGrid, setOnGrid] = useState(false);
  const map = mapFor(useOfflineMaps(), points);
  const words = useMeasured()(type, points);
  const { places = 'spot' } = questionTypeDef(type);
  const kind = places === 'spot' ? 'spots' : places;
  const shown = useMemo<MapShapes>(() => ({ kind, places: points }), [kind, points]);
  const hasGrid = points.length > 1;
  if (!map || (onGrid && hasGrid)) {
    if (!hasGrid) return null;
    return (
      <>
        <PlacesDrawing type={type} points={points} label={label} />
        {map && (
          <Button size="sm" variant="plain" icon={MapIcon} onClick={() => setOnGrid(false)}>
            {t('mapAgain')}
          </Button>
        )}
      </>
    );
  }
  return (
    <div className="stack">
      <SiteMapView key={map.id} site={map} shown={shown} label={label} />
      {words && <p className="sm muted num">{words}</p>}
      {hasGrid && (
        <div>
          <Button size="sm" variant="plain" icon={Grid3x3} onClick={() => setOnGrid(true)}>
            {t('grid')}
          </Button>
        </div>
      )}
    </div>
  );
}
