import { expect, test } from 'vitest';
import { planSchedules, type ScheduleToPlan } from '../schedules/plan.ts';
import { planSeries, type SeriesToPlan } from './plan-series.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const row = {
  recurrence: 'FREQ=DAILY',
  start_day: '2026-11-21',
  due_time: '09:00',
  zone: 'UTC',
  based_on: 'completed',
  state: 'active',
  active_since: '2026-11-20T12:00:00.000Z',
  deleted_at: null,
  opens_minutes: null,
  closes_minutes: null,
  version: 1,
  done: 0,
  last: null,
  settled_day: null,
};
const ids = [1, 2, 3, 4].map(n => `00000000-0000-4000-8000-00000000000${n}`);

/** What happens in order: each plan as it is written down, and each turn of whatever else waits in this process. */
async function inOrder(rows: unknown[], plan: (calls: object) => Promise<unknown>): Promise<string[]> {
  const seen: string[] = [];
  let isOver = false;
  const turn = () => {
    if (isOver) return;
    seen.push('other');
    setTimeout(turn, 0);
  };
  setTimeout(turn, 0);
  await plan({
    toPlan: async () => rows,
    plan: async (id: string) => {
      seen.push(id);
      return 1;
    },
    failed: async () => {},
  }).finally(() => {
    isOver = true;
  });
  return seen;
}

test.each([
  ['series', (calls: object) => planSeries(calls as Parameters<typeof planSeries>[0], now)],
  ['schedules', (calls: object) => planSchedules(calls as Parameters<typeof planSchedules>[0], now)],
])('between one of the %s and the next, others have their turn', async (_, plan) => {
  const rows = ids.map(id => ({ ...row, id })) as (SeriesToPlan & ScheduleToPlan)[];
  const seen = await inOrder(rows, plan);
  for (const [index, id] of ids.slice(1).entries()) {
    const between = seen.slice(seen.indexOf(ids[index] ?? ''), seen.indexOf(id));
    expect(between).toContain('other');
  }
});

test('one that cannot be worked out keeps none of the others from being planned', async () => {
  const unreadable = { ...row, id: ids[0], zone: null };
  const rows = [unreadable, { ...row, id: ids[1] }];
  const planned: string[] = [];
  const failed: string[] = [];
  const calls = {
    toPlan: async () => rows as unknown as SeriesToPlan[],
    plan: async (id: string) => planned.push(id),
    failed: async (id: string) => void failed.push(id),
  };
  const broken = { ...row, id: ids[2] };
  Object.defineProperty(broken, 'recurrence', {
    get() {
      throw new Error('no rule');
    },
  });
  rows.unshift(broken);
  await expect(planSeries(calls, now)).rejects.toThrow('1 series could not be planned');
  expect(planned).toContain(ids[1]);
  expect(failed).toEqual([ids[2]]);
});

test('a round ends when its time is over, after one at least; that one could not be noted as failed is told too', async () => {
  const rows = ids.map(id => ({ ...row, id })) as unknown as (SeriesToPlan & ScheduleToPlan)[];
  for (const plan of [planSeries, planSchedules]) {
    const planned: string[] = [];
    const calls = {
      toPlan: async () => rows,
      plan: async (id: string) => planned.push(id),
      failed: async () => {
        throw new Error('no database');
      },
    };
    await plan(calls, now, 0);
    expect(planned).toEqual([ids[0]]);
    await plan(calls, now);
    expect(planned).toEqual([ids[0], ...ids]);
    const refused = () => Promise.reject(new Error('not now'));
    await expect(plan({ ...calls, plan: refused }, now, 0)).rejects.toMatchObject({ errors: [{}, {}] });
  }
});
