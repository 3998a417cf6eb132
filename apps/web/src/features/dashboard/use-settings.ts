import { useCallback } from 'react';
import {
  dashboardSettings,
  saveDashboardConfig,
  saveDashboardOrder,
  type DashboardConfig,
} from '@cairn/core/dashboard/config.ts';
import type { DashboardWorld, Widget } from '@cairn/core/dashboard/widgets.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useAction } from '../../shared/errors/use-action.ts';

/** How the person set their dashboard; null until first read. */
export function useDashboardSettings() {
  const { user } = useSignedIn();
  const live = useLive(dashboardSettings(user.id));
  return live.status === 'ready' ? live.answer : null;
}

/** The two ways to change it; each is committed before it resolves. */
export function useSaveSettings() {
  const store = useStore();
  const { user } = useSignedIn();
  const config = useAction(
    useCallback(
      (change: Partial<DashboardConfig>) =>
        store.write('dashboard.config', tx => saveDashboardConfig(tx, user.id, change)),
      [store, user.id],
    ),
  );
  const order = useAction(
    useCallback(
      (world: DashboardWorld, next: readonly Widget[]) =>
        store.write('dashboard.order', tx => saveDashboardOrder(tx, user.id, { world, order: next })),
      [store, user.id],
    ),
  );
  return { saveConfig: config.run, saveOrder: order.run, failure: config.failure ?? order.failure };
}
