import L from 'leaflet';
import 'leaflet/dist/leaflet.css';
import { leafletRasterLayer, PMTiles, type Source } from 'pmtiles';
import { leafletLayer } from 'protomaps-leaflet';
import type { LatLon } from '@cairn/base/globe.ts';
import type { SiteMap } from '@cairn/core/on-site/site-maps.ts';
import type { LargeFileStore } from '@cairn/sync/files/lazy-large-files.ts';

/** What is shown on a map: places one by one, as a way, or as an area; with a name where it has one. */
export type MapShapes = {
  kind: 'spots' | 'way' | 'area';
  places: readonly (LatLon & { name?: string })[];
  /** Where this device is, and how exactly that is known, m. */
  here?: LatLon & { accuracy: number | null };
};

export type MapTexts = { zoomIn: string; zoomOut: string; you: string; language: string };

export type MapHandle = { show: (shown: MapShapes) => void; end: () => void };

/** Levels past the deepest of a map: vectors stay sharp, pictures for one. */
const BEYOND = { vector: 3, image: 1 } as const;
/** A single place is shown with what is around it. */
const CLOSE = 17;

/** Reads tiles out of the pieces on this device. */
const sourceOf = (kept: LargeFileStore, map: SiteMap): Source => ({
  getKey: () => map.media_id,
  getBytes: async (offset, length) => ({ data: await kept.read(map.media_id, offset, length) }),
});

const boundsOf = ({ south, west, north, east }: SiteMap): L.LatLngBounds =>
  L.latLngBounds([south, west], [north, east]);

function tilesOf(file: PMTiles, map: SiteMap, language: string): L.GridLayer {
  const shared = { attribution: '', noWrap: true, bounds: boundsOf(map) };
  const { theme } = document.documentElement.dataset;
  // Both libraries say `any`; what they make is a layer of Leaflet.
  return (
    map.tiles === 'vector'
      ? leafletLayer({
          ...shared,
          url: file,
          maxDataZoom: map.max_zoom,
          lang: language.slice(0, 2),
          flavor: theme === 'dark' ? 'dark' : 'light',
        })
      : leafletRasterLayer(file, { ...shared, maxNativeZoom: map.max_zoom, minNativeZoom: map.min_zoom })
  ) as L.GridLayer;
}

const at = ({ lat, lon }: LatLon): L.LatLngTuple => [lat, lon];

/** A name is text: never markup. */
function named(name: string): HTMLElement {
  const words = document.createElement('span');
  words.textContent = name;
  return words;
}

function layersOf({ kind, places, here }: MapShapes, words: MapTexts): L.Layer[] {
  const spots = places.map((place, index) => {
    const isFirst = kind !== 'spots' && index === 0;
    const spot = L.circleMarker(at(place), { radius: isFirst ? 7 : 5, className: 'map-spot' });
    return place.name === undefined ? spot : spot.bindTooltip(named(place.name), { permanent: places.length < 6 });
  });
  const way = places.map(at);
  const line =
    kind === 'area' && places.length > 2
      ? [L.polygon(way, { className: 'map-area', interactive: false })]
      : kind !== 'spots' && places.length > 1
        ? [L.polyline(way, { className: 'map-way', interactive: false })]
        : [];
  if (!here) return [...line, ...spots];
  const around = L.circle(at(here), { radius: here.accuracy ?? 0, className: 'map-around', interactive: false });
  const me = L.circleMarker(at(here), { radius: 7, className: 'map-here' }).bindTooltip(named(words.you));
  return [...line, around, ...spots, me];
}

function look(map: L.Map, site: SiteMap, { places, here }: MapShapes): void {
  const inside = [...places, ...(here ? [here] : [])].map(at).filter(place => boundsOf(site).contains(place));
  if (inside.length === 0) map.fitBounds(boundsOf(site), { animate: false });
  else
    map.fitBounds(L.latLngBounds(inside), {
      animate: false,
      padding: [28, 28],
      maxZoom: Math.max(CLOSE, site.min_zoom),
    });
}

/**
 * Draws a map that lies on this device into a box of the page.
 *
 * @throws {Error} where its bytes are not a map (any more)
 */
export async function drawMap(
  box: HTMLElement,
  { site, kept, shown, words }: { site: SiteMap; kept: LargeFileStore; shown: MapShapes; words: MapTexts },
): Promise<MapHandle> {
  const file = new PMTiles(sourceOf(kept, site));
  await file.getHeader();
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const map = L.map(box, {
    attributionControl: false,
    zoomControl: false,
    fadeAnimation: !still,
    zoomAnimation: !still,
    minZoom: site.min_zoom,
    maxZoom: site.max_zoom + BEYOND[site.tiles],
    maxBounds: boundsOf(site).pad(0.5),
  });
  L.control.zoom({ zoomInTitle: words.zoomIn, zoomOutTitle: words.zoomOut }).addTo(map);
  look(map, site, shown);
  tilesOf(file, site, words.language).addTo(map);
  const group = L.layerGroup(layersOf(shown, words)).addTo(map);
  let drawn = JSON.stringify(shown);
  const resized = new ResizeObserver(() => map.invalidateSize({ animate: false }));
  resized.observe(box);
  return {
    show(next) {
      // The same drawn anew would blink: what leaves fades out over what comes.
      if (JSON.stringify(next) === drawn) return;
      drawn = JSON.stringify(next);
      group.clearLayers();
      for (const layer of layersOf(next, words)) group.addLayer(layer);
      look(map, site, next);
    },
    end() {
      resized.disconnect();
      map.remove();
    },
  };
}
