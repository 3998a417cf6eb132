import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { APP_VERSION, analyticsEvent, type Metric } from '@cairn/core/analytics-events/analytics-event.ts';
import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { UsageQueue } from '../../apps/web/src/shared/analytics/usage-queue.ts';
import { storeUsage } from '../../apps/web/src/app/usage/store-usage.ts';
import { serveWorld, type ServedWorld } from './people-by-client.ts';

let served: ServedWorld;
let session: string;
beforeAll(async () => {
  served = await serveWorld();
});
afterAll(() => served.stop());

const event = () =>
  analyticsEvent(
    'page_view',
    { route: '/field/$inspectionId', duration_ms: 12 },
    {
      id: randomUUID(),
      timestamp: '2026-11-21T08:00:00.000Z',
      user_id: served.world.worker,
      session_id: session,
      device_info: { version: APP_VERSION, platform: 'web', screen: 'xs', touch: true, installed: false },
      network_info: { online: true, effective_type: '4g' },
    },
  );
const figure = (): Metric => ({
  id: randomUUID(),
  metric_name: 'largest_paint_ms',
  value: 812.5,
  timestamp: '2026-11-21T08:00:00.000Z',
  user_id: served.world.worker,
  session_id: session,
});

const stored = (table: 'analytics_events' | 'analytics_metrics') =>
  served.db.asAdmin(`select * from ${table} where session_id = $1`, [session]);

const choose = (shares: boolean) =>
  served.db.asAdmin('update user_preferences set usage_analytics = $2 where user_id = $1', [
    served.world.worker,
    shares,
  ]);

describe('usage arrives by the official client', () => {
  test('R7.27 R9.15 ten tracked events become ten rows with everything in them', async () => {
    session = randomUUID();
    const send = (batch: Parameters<typeof storeUsage>[1]) => storeUsage(served.clients.owner, batch);
    const queue = new UsageQueue({ clock: virtualClock(), online: () => true, send });
    const events = Array.from({ length: 10 }, event);
    queue.record([figure()]);
    for (const each of events) queue.track(each);
    await expect.poll(async () => (await stored('analytics_events')).length).toBe(10);
    const row = (await stored('analytics_events')).find(({ id }) => id === events[3]?.id);
    expect({ ...row, timestamp: new Date(String(row?.['timestamp'])).toISOString() }).toMatchObject({ ...events[3] });
    await expect.poll(async () => (await stored('analytics_metrics')).map(({ value }) => value)).toEqual([812.5]);
  });

  test('a batch sent twice is stored once', async () => {
    session = randomUUID();
    const batch = { events: [event(), event()], metrics: [figure()] };
    expect(await storeUsage(served.clients.owner, batch)).toBe('stored');
    expect(await storeUsage(served.clients.owner, { ...batch, events: [...batch.events, event()] })).toBe('stored');
    expect(await stored('analytics_events')).toHaveLength(3);
    expect(await stored('analytics_metrics')).toHaveLength(1);
  });

  test('R7.27 who opted out is refused by the server too, whatever an old device sends', async () => {
    session = randomUUID();
    await choose(false);
    const batch = { events: [event()], metrics: [figure()] };
    expect(await storeUsage(served.clients.owner, batch)).toBe('refused');
    expect(await stored('analytics_events')).toEqual([]);
    expect(await stored('analytics_metrics')).toEqual([]);
    await choose(true);
    expect(await storeUsage(served.clients.owner, batch)).toBe('stored');
  });

  test('nobody counts in the name of somebody else, and nobody signed out counts', async () => {
    session = randomUUID();
    const batch = { events: [event()], metrics: [] };
    expect(await storeUsage(served.clients.colleague, batch)).toBe('refused');
    expect(await storeUsage(served.clients.visitor, batch)).not.toBe('stored');
    expect(await stored('analytics_events')).toEqual([]);
  });

  test('an event too large to be one is refused', async () => {
    session = randomUUID();
    const large = { ...event(), event_data: { note: 'x'.repeat(1000) } as never };
    expect(await storeUsage(served.clients.owner, { events: [large], metrics: [] })).toBe('refused');
  });

  test('without a server it stays with whoever sends it', async () => {
    const nowhere = { from: () => ({ upsert: async () => ({ error: { code: '', message: 'Failed to fetch' } }) }) };
    expect(await storeUsage(nowhere as never, { events: [event()], metrics: [] })).toBe('unreachable');
  });
});
