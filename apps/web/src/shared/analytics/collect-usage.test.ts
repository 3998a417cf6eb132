// @vitest-environment jsdom
import { beforeEach, describe, expect, test } from 'vitest';
import { APP_VERSION, type NetworkInfo } from '@cairn/core/analytics-events/analytics-event.ts';
import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { AppStateStore } from '../app-state/app-state-store.ts';
import { keepError, onRecentError } from '../errors/recent-errors.ts';
import { onSyncFault, tellSyncFault } from '../sync/sync-faults.ts';
import { collectUsage } from './collect-usage.ts';
import type { NetworkSource } from './network-changes.ts';
import { summarisePerformance, type Figures } from './performance-summary.ts';
import { onFeatureUse, usedFeature } from './used-feature.ts';
import type { UsageBatch } from './usage-queue.ts';

function network() {
  const listeners = new Set<() => void>();
  let info: NetworkInfo = { online: true, effective_type: '4g' };
  const source: NetworkSource = {
    now: () => info,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const become = (online: boolean) => {
    info = { ...info, online };
    for (const listener of listeners) listener();
  };
  return { source, become };
}

function rig() {
  const clock = virtualClock();
  const net = network();
  const batches: UsageBatch[] = [];
  let open: (route: string) => void = () => undefined;
  let figures: Figures = {};
  const appState = new AppStateStore();
  const stop = collectUsage({
    userId: 'sam',
    clock,
    device: { version: APP_VERSION, platform: 'web', screen: 'lg', touch: false, installed: false },
    network: net.source,
    figures: { sinceLoad: () => 0, take: () => figures, stop: () => undefined },
    appState,
    send: async batch => {
      batches.push(batch);
      return 'stored';
    },
    sources: {
      onPage(listener) {
        open = listener;
        return () => (open = () => undefined);
      },
      onError: onRecentError,
      onFault: onSyncFault,
      onUse: onFeatureUse,
    },
  });
  const events = () => batches.flatMap(batch => batch.events);
  const metrics = () => batches.flatMap(batch => batch.metrics);
  const measured = (next: Figures) => (figures = next);
  return { clock, net, events, metrics, appState, stop, measured, open: (route: string) => open(route) };
}

beforeEach(() => localStorage.clear());

describe('usage of the app', () => {
  test('what sync put right by itself is told by its name and a count, and by nothing else', async () => {
    const { events, stop } = rig();
    const fault = { code: 'set_aside' as const, count: 2, at: 5, title: 'Oil on the floor' };
    tellSyncFault(fault);
    await expect.poll(() => events().length).toBe(2);
    expect(events()[1]).toMatchObject({
      event_type: 'sync_fault',
      event_category: 'error',
      event_data: { fault: 'set_aside', count: 2 },
    });
    expect(JSON.stringify(events())).not.toContain('Oil');
    stop();
    tellSyncFault(fault);
    expect(events()).toHaveLength(2);
  });

  test('R3.40 R9.18 pages and features are told with who, when, where and on what', async () => {
    const { clock, events, open, stop } = rig();
    open('/field/$inspectionId');
    usedFeature('form_import');
    clock.advance(5_000);
    await expect.poll(() => events().length).toBe(3);
    expect(events().map(each => [each.event_type, each.event_category, each.event_data])).toEqual([
      ['session_start', 'system', {}],
      ['page_view', 'navigation', { route: '/field/$inspectionId' }],
      ['feature_used', 'feature', { feature: 'form_import' }],
    ]);
    const [first, second] = events();
    expect(first).toMatchObject({ user_id: 'sam', network_info: { online: true, effective_type: '4g' } });
    expect(first?.device_info.version).toBe('1.0.0');
    expect(second?.session_id).toBe(first?.session_id);
    expect(first?.timestamp).toBe('2026-11-21T09:00:00.000Z');
    stop();
  });

  test('R3.30 the same is counted on the device', () => {
    const { appState, open, stop } = rig();
    open('/tasks');
    open('/tasks');
    usedFeature('command_palette');
    usedFeature('inspection', 'begun');
    usedFeature('inspection', 'done');
    expect(appState.snapshot().analytics).toEqual({
      pageViews: { '/tasks': 2 },
      userEngagement: { sessions: 1 },
      featureUsage: { command_palette: 1 },
      completionRates: { inspection: { begun: 1, done: 1 } },
    });
    stop();
  });

  test('R4.33 an error the app keeps is told at once, by its code alone', async () => {
    const { events, stop } = rig();
    keepError(new Error('permission denied for the goal "be less sad"'), 'Save', new Date());
    await expect.poll(() => events().at(-1)?.event_data).toEqual({ error_code: 'PERMISSION_DENIED' });
    expect(JSON.stringify(events())).not.toContain('sad');
    stop();
  });

  test('R4.32 what was counted offline goes when the network is back', async () => {
    const { clock, net, events, open, stop } = rig();
    net.become(false);
    open('/tasks');
    clock.advance(300_000);
    expect(events()).toEqual([]);
    net.become(true);
    await expect.poll(() => events().some(({ event_data }) => event_data.route === '/tasks')).toBe(true);
    stop();
  });

  test('R3.41 a figure has name, value and timestamp', async () => {
    const { clock, metrics, measured, stop } = rig();
    measured({ largest_paint_ms: 812 });
    clock.advance(5_000);
    await expect.poll(() => metrics().length).toBe(1);
    expect(metrics()[0]).toMatchObject({
      metric_name: 'largest_paint_ms',
      value: 812,
      timestamp: '2026-11-21T09:00:02.000Z',
    });
    stop();
  });

  test('once stopped nothing is counted and no timer is left', () => {
    const { clock, appState, open, stop } = rig();
    stop();
    open('/tasks');
    usedFeature('export');
    expect(appState.snapshot().analytics.pageViews).toEqual({});
    expect(clock.timers).toBe(0);
  });
});

test('R9.17 of the network changes within 5 s the collector tells one', async () => {
  const { clock, net, events, stop } = rig();
  const told = () =>
    events()
      .filter(each => each.event_type === 'network_change')
      .map(each => each.event_data);
  net.become(false);
  clock.advance(4_999);
  net.become(true);
  await expect.poll(told).toEqual([{ online: false }]);
  clock.advance(1);
  net.become(false);
  clock.advance(5_000);
  net.become(true);
  await expect.poll(told).toEqual([{ online: false }, { online: false }, { online: true }]);
  stop();
});

test('R9.19 performance is summarised 2 s after load and every 30 s', () => {
  const clock = virtualClock(0);
  const told: number[] = [];
  let stopped = false;
  const source = { sinceLoad: () => 0, take: () => ({ first_paint_ms: 1 }), stop: () => (stopped = true) };
  const stop = summarisePerformance(clock, source, () => told.push(clock.now()));
  clock.advance(100_000);
  expect(told).toEqual([2_000, 32_000, 62_000, 92_000]);
  stop();
  clock.advance(100_000);
  expect(told).toHaveLength(4);
  expect(stopped).toBe(true);

  for (const [sinceLoad, first] of [
    [1_500, 500],
    [60_000, 0],
  ] as const) {
    const late = virtualClock(0);
    const at: number[] = [];
    summarisePerformance(late, { ...source, sinceLoad: () => sinceLoad }, () => at.push(late.now()));
    late.advance(40_000);
    expect(at).toEqual([first, first + 30_000]);
  }
});

test('without a new figure there is no summary', () => {
  const clock = virtualClock(0);
  let told = 0;
  summarisePerformance(clock, { sinceLoad: () => 0, take: () => ({}), stop: () => undefined }, () => (told += 1));
  clock.advance(100_000);
  expect(told).toBe(0);
});
