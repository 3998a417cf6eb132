import { useEffect, type RefObject } from 'react';
import { systemClock } from '@cairn/base/clock.ts';
import { sharesUsage } from '@cairn/core/analytics-events/usage-choice.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { collectUsage, type UsageSources } from '../../shared/analytics/collect-usage.ts';
import { deviceInfo } from '../../shared/analytics/device-info.ts';
import { browserNetwork } from '../../shared/analytics/network-changes.ts';
import { webFigures } from '../../shared/analytics/web-figures.ts';
import { appState } from '../../shared/app-state/app-state-store.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSessionController } from '../session/session-context.tsx';
import { sendUsage } from './send-usage.ts';
import type { UsageTrail } from './usage-trail.ts';

/** Counts how the app is used while somebody is signed in who did not switch it off. Shows nothing. */
export function UsageCollector({ trail }: { trail: RefObject<UsageTrail | null> }) {
  const { user } = useSignedIn();
  const controller = useSessionController();
  const choice = useLive(sharesUsage(user.id));
  const shares = choice.status === 'ready' ? choice.answer : null;
  useEffect(() => {
    const sources = trail.current?.sources;
    if (shares === null || !sources) return undefined;
    if (!shares) return forget(sources);
    return collectUsage({
      userId: user.id,
      clock: systemClock,
      device: deviceInfo(),
      network: browserNetwork,
      figures: webFigures(),
      appState,
      send: batch => sendUsage(controller, user.id, batch),
      sources,
    });
  }, [shares, user.id, controller, trail]);
  return null;
}

/** What somebody does who does not share is nobody's, also when they share later. */
function forget(sources: UsageSources): () => void {
  const stops = Object.values(sources).map(follow => follow(() => undefined));
  return () => stops.forEach(stop => stop());
}
