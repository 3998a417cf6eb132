import type { Clock } from '@cairn/base/clock.ts';
import { newId } from '@cairn/base/id.ts';
import {
  analyticsEvent,
  METRIC_NAMES,
  type Metric,
  type MetricName,
  type DeviceInfo,
  type EventData,
  type EventType,
} from '@cairn/core/analytics-events/analytics-event.ts';
import { withCompletion, withEngagement, withFeatureUse, withPageView } from '@cairn/core/app-state/changes.ts';
import type { AppStateStore } from '../app-state/app-state-store.ts';
import type { Fault } from '@cairn/sync/transport/fault.ts';
import type { RecentError } from '../errors/recent-errors.ts';
import { onNetworkChange, type NetworkSource } from './network-changes.ts';
import { summarisePerformance, type FigureSource } from './performance-summary.ts';
import type { FeatureUse } from './used-feature.ts';
import { UsageQueue, type UsageAnswer, type UsageBatch } from './usage-queue.ts';

type Source<Each> = (listener: (each: Each) => void) => () => void;

/** What is counted. Each calls back with what happened before it was asked, then with the rest; returns what stops it. */
export type UsageSources = {
  /** Patterns of routes, never addresses: these name records. */
  onPage: Source<string>;
  onError: Source<RecentError>;
  onFault: Source<Fault>;
  onUse: Source<FeatureUse>;
};

export type UsageParts = {
  userId: string;
  clock: Clock;
  device: DeviceInfo;
  network: NetworkSource;
  figures: FigureSource;
  appState: AppStateStore;
  send: (batch: UsageBatch) => Promise<UsageAnswer>;
  sources: UsageSources;
};

/** Counts one person's use of the app until it is stopped: on this device at once, on the server in batches. */
export function collectUsage(parts: UsageParts): () => void {
  const { clock, network, appState } = parts;
  const visit = newId();
  const stamp = () => ({
    id: newId(),
    timestamp: new Date(clock.now()).toISOString(),
    user_id: parts.userId,
    session_id: visit,
  });
  const queue = new UsageQueue({ clock, online: () => network.now().online, send: parts.send });
  const track = (type: EventType, data: EventData = {}) =>
    queue.track(analyticsEvent(type, data, { ...stamp(), device_info: parts.device, network_info: network.now() }));

  queue.start();
  appState.change(withEngagement('sessions', 1));
  track('session_start');
  const stops = [
    parts.sources.onPage(route => {
      appState.change(withPageView(route));
      track('page_view', { route });
    }),
    parts.sources.onUse(({ feature, step }) => {
      appState.change(step === 'used' ? withFeatureUse(feature) : withCompletion(feature, step));
      if (step !== 'begun') track('feature_used', { feature });
    }),
    ...watchTroubles(parts, track),
    network.onChange(() => network.now().online && void queue.flush()),
    summarisePerformance(clock, parts.figures, figures => {
      queue.record(METRIC_NAMES.flatMap(name => metricsOf(name, figures[name], stamp)));
    }),
    countTimeInSight(clock, seconds => {
      appState.change(withEngagement('seconds', seconds));
      void queue.flush();
    }),
    () => queue.stop(),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Errors and faults by their codes alone, and the network's comings and goings. */
function watchTroubles({ clock, network, sources }: UsageParts, track: (type: EventType, data: EventData) => void) {
  return [
    sources.onError(({ code }) => track('error', { error_code: code })),
    sources.onFault(({ code, count }) => track('sync_fault', { fault: code, count })),
    onNetworkChange(network, clock.now, ({ online }) => track('network_change', { online })),
  ];
}

function metricsOf(name: MetricName, value: number | undefined, stamp: () => Omit<Metric, 'metric_name' | 'value'>) {
  return value === undefined ? [] : [{ ...stamp(), metric_name: name, value }];
}

/** Calls back with the seconds the app was in sight, each time it goes out of sight. */
function countTimeInSight(clock: Clock, tell: (seconds: number) => void): () => void {
  let since = clock.now();
  const change = () => {
    if (document.visibilityState === 'hidden') tell(Math.round((clock.now() - since) / 1000));
    else since = clock.now();
  };
  document.addEventListener('visibilitychange', change);
  return () => document.removeEventListener('visibilitychange', change);
}
