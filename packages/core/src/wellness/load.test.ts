import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import { wallClock } from '@cairn/base/wall-clock.ts';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { ownWork } from './load-query.ts';
import { loadOf, nightOf, type LoadItem } from './load.ts';
import type { DayMean } from './trends.ts';

const TODAY = '2026-11-21';
const SAM = '00000000-0000-4000-8000-000000000003';
const mean = (day: string, stress: number | null): DayMean => ({
  day,
  mood: null,
  energy: null,
  stress,
  sleep_hours: null,
});
const load = (items: readonly LoadItem[], means: readonly DayMean[] = [], zone = 'UTC') =>
  loadOf({ items, means, today: TODAY, length: 14, wallOf: at => wallClock(at, zone) });

test.each([
  ['2026-11-20T22:00:00Z', '2026-11-20'],
  ['2026-11-20T23:59:59Z', '2026-11-20'],
  ['2026-11-21T00:00:00Z', '2026-11-20'],
  ['2026-11-21T05:59:59Z', '2026-11-20'],
  ['2026-11-21T06:00:00Z', null],
  ['2026-11-21T21:59:59Z', null],
])('%s is of the night of %s', (at, night) => {
  expect(nightOf(Date.parse(at))).toBe(night);
});

test('an item counts as overdue on each day after its due day until the day it is done', () => {
  const { days, overdueNow } = load([{ dueAt: '2026-11-17T12:00:00Z', doneAt: '2026-11-19T12:00:00Z' }]);
  expect(days.filter(({ overdue }) => overdue > 0).map(({ day }) => day)).toEqual(['2026-11-18', '2026-11-19']);
  expect(overdueNow).toBe(0);
  expect(load([{ dueAt: '2026-11-20T12:00:00Z', doneAt: null }]).overdueNow).toBe(1);
  expect(load([{ dueAt: '2026-11-21T01:00:00Z', doneAt: null }]).overdueNow).toBe(0);
});

test('late is by the person’s own clock', () => {
  const item = { dueAt: null, doneAt: '2026-11-20T21:30:00Z' };
  expect(load([item]).lateNights).toBe(0);
  expect(load([item], [], 'Europe/Berlin').lateNights).toBe(1);
});

test('stress on loaded days stands beside that of others once there are five of each, with their numbers', () => {
  const item = { dueAt: '2026-11-15T12:00:00Z', doneAt: null };
  const means = Array.from({ length: 12 }, (_, back) => mean(addDays(TODAY, -back), back < 6 ? 4 : 2));
  expect(load([item], means).stress).toEqual({ on: { mean: 4, n: 6 }, off: { mean: 2, n: 6 } });
  expect(load([item], means.slice(0, 10)).stress).toBeNull();
});

test('one’s own work alone counts, of every space, and nothing that was taken away', async () => {
  const action = (n: number, part: object) => ({
    id: `00000000-0000-4000-8000-0000000000${n}`,
    organization_id: SAM,
    title: 'x',
    assignee_id: SAM,
    due_at: '2026-11-20T12:00:00Z',
    ...part,
  });
  const store = memoryStore(
    {
      action_items: [
        action(10, {}),
        action(11, { assignee_id: '00000000-0000-4000-8000-000000000004' }),
        action(12, { status: 'closed', closed_by: SAM, closed_at: '2026-11-20T23:00:00Z' }),
        action(13, { status: 'closed', closed_by: SAM, closed_at: '2026-10-01T23:00:00Z' }),
      ],
    },
    SAM,
  );
  const work = await store.read(ownWork(SAM, '2026-11-08'));
  expect(new Set(work.map(({ doneAt }) => doneAt))).toEqual(new Set(['2026-11-20T23:00:00Z', null]));
  expect(work).toHaveLength(2);
});
