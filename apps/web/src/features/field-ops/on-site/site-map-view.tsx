import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SiteMap } from '@cairn/core/on-site/site-maps.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import type { MapHandle, MapTexts, MapShapes } from './map-drawing.ts';
import './site-map.css';

type Props = {
  site: SiteMap;
  shown: MapShapes;
  /** What the places are. */
  label: string;
};

/** A map that lies on this device, with places on it. What draws it arrives with the first map. */
export function SiteMapView({ site, shown, label }: Props) {
  const { t, i18n } = useTranslation('maps');
  const box = useRef<HTMLElement>(null);
  const { state, handle } = useDrawing(box, site, {
    shown,
    words: { zoomIn: t('zoomIn'), zoomOut: t('zoomOut'), you: t('you'), language: i18n.language },
  });
  useEffect(() => handle?.show(shown), [handle, shown]);
  if (state === 'failed')
    return (
      <p className="err" role="alert">
        {t('unreadable')}
      </p>
    );
  return (
    <figure className="site-map">
      <section ref={box} className="site-map-box" aria-label={t('map', { name: site.name, label })} />
      {site.attribution && <figcaption className="sm muted">{site.attribution}</figcaption>}
    </figure>
  );
}

type MapState = { state: 'loading' | 'drawn' | 'failed'; handle: MapHandle | null };

function useDrawing(
  box: React.RefObject<HTMLElement | null>,
  site: SiteMap,
  { shown, words }: { shown: MapShapes; words: MapTexts },
): MapState {
  const { largeFiles: kept } = useSignedIn().engine;
  const [drawn, setDrawn] = useState<MapState>({ state: 'loading', handle: null });
  // Drawn once for each map; what is shown on it changes by `show`.
  useEffect(() => {
    let left = false;
    let handle: MapHandle | null = null;
    const begin = async () => {
      const { drawMap } = await import('./map-drawing.ts');
      if (left || !box.current) return;
      handle = await drawMap(box.current, { site, kept, shown, words });
      if (left) handle.end();
      else setDrawn({ state: 'drawn', handle });
    };
    begin().catch(() => left || setDrawn({ state: 'failed', handle: null }));
    return () => {
      left = true;
      handle?.end();
    };
  }, [kept, site.id]);
  return drawn;
}
