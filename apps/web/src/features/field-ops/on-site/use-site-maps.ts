import { useEffect, useSyncExternalStore } from 'react';
import { siteMaps, type SiteMap } from '@cairn/core/on-site/site-maps.ts';
import { filesToKeep } from '@cairn/core/offline/files-to-keep.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import { useLive, type LiveAnswer } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { isWhole, MapShelf, type Shelf } from './map-shelf.ts';

/** One for each engine, so that fetching outlives the screen it was begun on. */
const shelves = new WeakMap<SyncEngine, MapShelf>();

function shelfOf(engine: SyncEngine): MapShelf {
  const shelf = shelves.get(engine) ?? new MapShelf(engine.largeFiles);
  shelves.set(engine, shelf);
  return shelf;
}

/** What of the maps lies on this device; null for the moment before that is known. */
export function useMapShelf(): { shelf: MapShelf; held: Shelf | null } {
  const shelf = shelfOf(useSignedIn().engine);
  return { shelf, held: useSyncExternalStore(shelf.subscribe, shelf.snapshot) };
}

/** The maps of the organisation one is in. */
export const useSiteMaps = (): LiveAnswer<SiteMap[]> => useLive(siteMaps(useSpace().organization.id));

/** The maps of this organisation that are on this device whole. */
export function useOfflineMaps(): readonly SiteMap[] {
  const { held } = useMapShelf();
  const found = useSiteMaps();
  if (found.status === 'loading' || !held) return [];
  return found.answer.filter(map => isWhole(held.get(map.media_id)));
}

/** Lets files go that are no maps any more and nothing else that is kept, once the device knows all that it may see. */
export function useTidyMaps(): void {
  const { engine } = useSignedIn();
  const { shelf, held } = useMapShelf();
  const known = useLive(filesToKeep);
  const isRead = held !== null;
  const files = known.status === 'ready' ? known.answer : null;
  useEffect(() => {
    if (!isRead || !files) return undefined;
    return engine.watchStatus(({ firstPull }) => void (firstPull || shelf.tidy(files)));
  }, [engine, shelf, isRead, files]);
}
