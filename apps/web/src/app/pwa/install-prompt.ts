import { useSyncExternalStore } from 'react';
import { withProgress } from '@cairn/core/app-state/changes.ts';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { appState } from '../../shared/app-state/app-state-store.ts';

/** What Chromium hands over when the app can be put on the home screen; other browsers have no such thing. */
type InstallEvent = Event & { prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }> };

const PROGRESS = 'install';

let offered: InstallEvent | null = null;
const listeners = new Set<() => void>();

function become(next: InstallEvent | null): void {
  offered = next;
  for (const listener of listeners) listener();
}

/** Keeps the browser's offer; `main.tsx` listens from the start, because it may come before this file does. */
export function keepInstallOffer(event: Event): void {
  become(event as InstallEvent);
}

addEventListener('appinstalled', () => become(null));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  const stop = appState.subscribe(listener);
  return () => {
    listeners.delete(listener);
    stop();
  };
}

const isDismissed = (userId: string): boolean => appState.snapshot().userProgress[userId]?.[PROGRESS] === 'dismissed';

export type InstallOffer = { install: () => Promise<void>; dismiss: () => void };

/** The offer to put the app on the home screen; null where the browser has none, or the person said no before. */
export function useInstallOffer(userId: string): InstallOffer | null {
  const open = useSyncExternalStore(subscribe, () => offered !== null && !isDismissed(userId));
  if (!open) return null;
  const dismiss = () => appState.change(withProgress(userId, PROGRESS, 'dismissed'));
  return {
    dismiss,
    async install() {
      const event = offered;
      if (!event) return;
      const { outcome } = await event.prompt();
      if (outcome === 'accepted') usedFeature('install');
      else dismiss();
      // A browser's offer can be used once.
      become(null);
    },
  };
}
