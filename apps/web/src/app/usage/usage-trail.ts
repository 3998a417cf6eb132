import type { Fault } from '@cairn/sync/transport/fault.ts';
import type { UsageSources } from '../../shared/analytics/collect-usage.ts';
import { heldBack } from '../../shared/analytics/held-back.ts';
import { onFeatureUse, type FeatureUse } from '../../shared/analytics/used-feature.ts';
import { onRecentError, type RecentError } from '../../shared/errors/recent-errors.ts';
import { onSyncFault } from '../../shared/sync/sync-faults.ts';

/** The part of a router that is listened to. */
export type PageSource = {
  state: { matches: readonly { fullPath: string }[] };
  subscribe(event: 'onResolved', listener: (change: { pathChanged: boolean }) => void): () => void;
};

export type UsageTrail = { sources: UsageSources; stop(): void };

/** Calls back with the pattern of each route that is opened, the present one first. */
function onPage(router: PageSource, listener: (route: string) => void): () => void {
  const seen = () => {
    const route = router.state.matches.at(-1)?.fullPath;
    if (route) listener(route);
  };
  seen();
  return router.subscribe('onResolved', ({ pathChanged }) => pathChanged && seen());
}

/**
 * The counting of usage is loaded after the first screen, and whether it is wanted is read from the device: what happens until then
 * waits here for the answer, from the first screen on.
 */
export function openUsageTrail(router: PageSource): UsageTrail {
  const pages = heldBack<string>(listener => onPage(router, listener));
  const errors = heldBack<RecentError>(onRecentError);
  const faults = heldBack<Fault>(onSyncFault);
  const uses = heldBack<FeatureUse>(onFeatureUse);
  const lines = [pages, errors, faults, uses];
  return {
    sources: { onPage: pages.follow, onError: errors.follow, onFault: faults.follow, onUse: uses.follow },
    stop: () => lines.forEach(line => line.stop()),
  };
}
