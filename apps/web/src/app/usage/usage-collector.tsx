import { useEffect, useRef } from 'react';
import { useRouter } from '@tanstack/react-router';
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
import { openPageTrail, type PageTrail } from './page-trail.ts';
import { sendUsage } from './send-usage.ts';

/** Counts how the app is used while somebody is signed in who did not switch it off. Shows nothing. */
export function UsageCollector() {
  const { user } = useSignedIn();
  const controller = useSessionController();
  const router = useRouter();
  const choice = useLive(sharesUsage(user.id));
  const shares = choice.status === 'ready' ? choice.answer : null;
  const trail = useRef<PageTrail | null>(null);
  useEffect(() => {
    const opened = (trail.current = openPageTrail(router));
    return () => opened.stop();
  }, [user.id, router]);
  useEffect(() => {
    if (shares === null) return undefined;
    const follow = (listener: (route: string) => void) => trail.current?.follow(listener) ?? (() => undefined);
    // Pages opened by somebody who does not share are nobody's, also when they share later.
    if (!shares) return follow(() => undefined);
    return collectUsage({
      userId: user.id,
      clock: systemClock,
      device: deviceInfo(),
      network: browserNetwork,
      figures: webFigures(),
      appState,
      send: batch => sendUsage(controller, user.id, batch),
      onPage: follow,
    });
  }, [shares, user.id, controller, router]);
  return null;
}
