import { describe, expect, test } from 'vitest';
import { APP_VERSION, analyticsEvent, type EventType } from '@cairn/core/analytics-events/analytics-event.ts';
import { virtualClock } from '@cairn/testing/virtual-platform.ts';
import { QUEUE_CAP, UsageQueue, type UsageAnswer, type UsageBatch } from './usage-queue.ts';

const event = (n: number, type: EventType = 'page_view') =>
  analyticsEvent(
    type,
    { count: n },
    {
      id: `e${n}`,
      timestamp: '2026-11-21T08:00:00.000Z',
      user_id: 'sam',
      session_id: 's',
      device_info: { version: APP_VERSION, platform: 'web', screen: 'xs', touch: true, installed: false },
      network_info: { online: true, effective_type: null },
    },
  );

/** A queue on a clock, and a server that is told to answer or not. */
function rig() {
  const clock = virtualClock(0);
  const server = { online: true, answer: 'stored' as UsageAnswer, batches: [] as UsageBatch[], at: [] as number[] };
  const queue = new UsageQueue({
    clock,
    online: () => server.online,
    async send(batch) {
      server.at.push(clock.now());
      if (server.answer === 'stored') server.batches.push(batch);
      return server.answer;
    },
  });
  const sent = () => server.batches.flatMap(({ events }) => events.map(({ id }) => id));
  return { clock, server, queue, sent };
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => `e${from + index}`);

describe('usage', () => {
  test('R9.15 nine events wait, the tenth sends all ten at once', async () => {
    const { queue, server, sent } = rig();
    for (let n = 1; n <= 9; n++) queue.track(event(n));
    await queue.flush();
    expect(server.batches.map(({ events }) => events.length)).toEqual([9]);
    for (let n = 10; n <= 19; n++) queue.track(event(n));
    await expect.poll(sent).toEqual(upTo(19));
    expect(server.batches.map(({ events }) => events.length)).toEqual([9, 10]);
  });

  test('R9.15 a batch holds ten, however many wait', async () => {
    const { queue, server, sent } = rig();
    server.online = false;
    for (let n = 1; n <= 25; n++) queue.track(event(n));
    server.online = true;
    await queue.flush();
    expect(server.batches.map(({ events }) => events.length)).toEqual([10, 10, 5]);
    expect(sent()).toEqual(upTo(25));
  });

  test('R9.15 of 1001 events that could not be sent the newest 1000 wait', async () => {
    const { queue, server, sent } = rig();
    server.answer = 'unreachable';
    for (let n = 1; n <= 1001; n++) queue.track(event(n));
    await queue.flush();
    expect(queue.waiting).toBe(QUEUE_CAP);
    server.answer = 'stored';
    await queue.flush();
    expect(sent()).toEqual(upTo(1000, 2));
  });

  test('R9.16 it is sent after 5 s, then every 30 s', async () => {
    const { clock, queue, server } = rig();
    queue.start();
    for (let n = 1; n <= 10; n++) {
      queue.track(event(n));
      clock.advance(10_000);
      await expect.poll(() => queue.waiting + server.at.length).toBeGreaterThan(0);
    }
    expect(server.at).toEqual([5_000, 35_000, 65_000, 95_000]);
  });

  test('R4.32 offline nothing is sent and nothing lost; with the network it goes', async () => {
    const { clock, queue, server, sent } = rig();
    server.online = false;
    queue.start();
    for (let n = 1; n <= 12; n++) queue.track(event(n));
    clock.advance(120_000);
    expect(server.at).toEqual([]);
    server.online = true;
    await queue.flush();
    expect(sent()).toEqual(upTo(12));
  });

  test('R4.33 an error is sent at once, with what waited before it', async () => {
    const { queue, sent } = rig();
    queue.track(event(1));
    queue.track(event(2, 'error'));
    await expect.poll(sent).toEqual(['e1', 'e2']);
  });

  test('a batch that did not arrive goes again, in order; one that was refused does not', async () => {
    const { queue, server, sent } = rig();
    server.answer = 'unreachable';
    queue.track(event(1));
    await queue.flush();
    queue.track(event(2));
    server.answer = 'stored';
    await queue.flush();
    expect(sent()).toEqual(['e1', 'e2']);
    server.answer = 'refused';
    queue.track(event(3));
    await queue.flush();
    expect(queue.waiting).toBe(0);
  });

  test('once stopped it takes nothing and sends nothing', async () => {
    const { clock, queue, server } = rig();
    queue.start();
    queue.track(event(1));
    queue.stop();
    queue.track(event(2, 'error'));
    clock.advance(60_000);
    await queue.flush();
    expect(server.at).toEqual([]);
    expect(queue.waiting).toBe(0);
    expect(clock.timers).toBe(0);
  });
});
