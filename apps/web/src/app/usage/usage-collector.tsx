import { useEffect } from 'react';
import { useRouter, type AnyRouter } from '@tanstack/react-router';
import { systemClock } from '@cairn/base/clock.ts';
import { sharesUsage } from '@cairn/core/analytics-events/usage-choice.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { collectUsage } from '../../shared/analytics/collect-usage.ts';
import { deviceInfo } from '../../shared/analytics/device-info.ts';
import { browserNetwork } from '../../shared/analytics/network-changes.ts';
import { webFigures } from '../../shared/analytics/web-figures.ts';
import { appState } from '../../shared/app-state-store.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useSessionController } from '../session/session-context.tsx';
import { sendUsage } from './send-usage.ts';

/** Counts how the app is used while somebody is signed in who did not switch it off. Shows nothing. */
export function UsageCollector() {
  const { user } = useSignedIn();
  const controller = useSessionController();
  const router = useRouter();
  const choice = useLive(sharesUsage(user.id));
  const shares = choice.status === 'ready' && choice.answer;
  useEffect(() => {
    if (!shares) return undefined;
    return collectUsage({
      userId: user.id,
      clock: systemClock,
      device: deviceInfo(),
      network: browserNetwork,
      figures: webFigures(),
      appState,
      send: batch => sendUsage(controller, user.id, batch),
      onPage: listener => onPage(router, listener),
    });
  }, [shares, user.id, controller, router]);
  return null;
}

function onPage(router: AnyRouter, listener: (route: string) => void): () => void {
  const tell = () => {
    const route = router.state.matches.at(-1)?.fullPath;
    if (route) listener(route);
  };
  tell();
  return router.subscribe('onResolved', ({ pathChanged }) => pathChanged && tell());
}
