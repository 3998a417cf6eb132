import { withError, withLoading } from '@cairn/core/app-state/changes.ts';
import type { SyncEngine } from '@cairn/sync/engine/engine.ts';
import type { SyncStatus } from '@cairn/sync/outbox/outbox-item.ts';
import { appState } from '../../shared/app-state/app-state-store.ts';

/**
 * Keeps the flags of the app state true to the download: `sync` is loading while records are fetched, and its error is what keeps work
 * from arriving (R3.28).
 * @returns what stops it
 */
export const mirrorDownload = ({ watchStatus }: Pick<SyncEngine, 'watchStatus'>): (() => void) =>
  watchStatus(status => {
    const { loading, errors } = appState.snapshot();
    const isLoading = status.firstPull || status.phase === 'pulling';
    const fault = faultOf(status);
    // A status is told often; each change is written to the browser.
    if (loading['sync'] !== isLoading) appState.change(withLoading('sync', isLoading));
    if ((errors['sync'] ?? null) !== fault) appState.change(withError('sync', fault));
  });

const faultOf = ({ online, phase, failed }: SyncStatus): string | null => {
  if (phase === 'paused_auth') return 'SESSION_EXPIRED';
  if (failed > 0) return 'PERMISSION_DENIED';
  return online ? null : 'NETWORK_ERROR';
};
