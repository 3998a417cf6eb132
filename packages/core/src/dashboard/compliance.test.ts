import { expect, test } from 'vitest';
import type { Draft } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { complianceOverview } from './compliance.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, me] = [uuid(1), uuid(3)];
const space = { organizationId: organization, playbookId: null };
const today = '2026-11-21';
const noon = (day: string): string => new Date(`${day}T12:00:00`).toISOString();

let n = 100;
const check = (due: string, done: string | null): Draft<'inspections'> => ({
  id: uuid(n++),
  organization_id: organization,
  form_id: uuid(90),
  form_version_id: uuid(91),
  title: due,
  status: done === null ? 'scheduled' : 'finalised',
  due_at: noon(due),
  finished_at: done && noon(done),
});

const store = memoryStore(
  {
    inspections: [
      check('2026-11-20', '2026-11-20'),
      check('2026-11-18', null),
      check('2026-11-10', '2026-11-11'),
      check('2026-11-01', '2026-11-01'),
      check('2026-07-01', '2026-07-01'),
      check('2026-07-02', null),
      check('2026-12-24', null),
    ],
  },
  me,
);

test('the overview has the rate of 90 days, and exactly the rows it is made of, those not met first', async () => {
  const overview = await store.read(complianceOverview({ space, today }));
  expect([overview.rate, overview.met, overview.due]).toEqual([50, 2, 4]);
  expect(overview.duties.map(({ title, met }) => [title, met])).toEqual([
    ['2026-11-18', false],
    ['2026-11-10', false],
    ['2026-11-20', true],
    ['2026-11-01', true],
  ]);
  expect(overview.before).toBe(50);
});

test('twelve weeks, the last one ends today; a week without a duty has no rate', async () => {
  const { weeks } = await store.read(complianceOverview({ space, today }));
  expect(weeks).toHaveLength(12);
  expect(weeks.at(-1)).toEqual({ from: '2026-11-15', to: today, rate: 50 });
  expect(weeks.at(-2)).toEqual({ from: '2026-11-08', to: '2026-11-14', rate: 0 });
  expect(weeks.at(-4)?.rate).toBeNull();
});

test('90 days are today and the 89 before it; the 90 before those are what it is compared with', async () => {
  const due = ['2026-08-24', '2026-08-23', '2026-05-26', '2026-05-25'].map(day => check(day, day));
  const { due: counted, before } = await memoryStore({ inspections: due }, me).read(
    complianceOverview({ space, today }),
  );
  expect([counted, before]).toEqual([1, 100]);
  const none = await memoryStore({ inspections: due.slice(3) }, me).read(complianceOverview({ space, today }));
  expect([none.due, none.before]).toEqual([0, null]);
});
