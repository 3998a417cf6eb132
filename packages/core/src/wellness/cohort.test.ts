import { expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import {
  beCounted,
  byPlace,
  employers,
  employerView,
  rangeOf,
  reportedWeeks,
  workloadHint,
  type CohortFigure,
} from './cohort.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [SAM, ACME, PRIVATE_SPACE, NORTH] = [uuid(1), uuid(2), uuid(3), uuid(4)];
const AT = '2026-11-22T08:00:00.000Z';
const membership = (id: string, organization: string) => ({
  id,
  organization_id: organization,
  user_id: SAM,
  role: 'member' as const,
});
const store = () =>
  memoryStore(
    {
      organizations: [
        { id: ACME, name: 'Acme', slug: 'acme', kind: 'company' as const },
        { id: PRIVATE_SPACE, name: 'Home', slug: 'home', kind: 'private' as const },
      ],
      organization_members: [membership(uuid(5), ACME), membership(uuid(6), PRIVATE_SPACE)],
      sites: [{ id: NORTH, organization_id: ACME, name: 'North' }],
    },
    SAM,
  );
const figure = (part: Partial<CohortFigure>): CohortFigure => ({
  week: '2026-11-09',
  measure: 'stress',
  kind: 'organization',
  place_id: ACME,
  people: 100,
  percent: 40,
  margin: 15,
  overdue: 10,
  overdue_before: 5,
  ...part,
});

test('a person is counted by a company they belong to, only from their own yes to their own no', async () => {
  const own = store();
  expect(await own.read(employers(SAM))).toEqual([{ id: ACME, name: 'Acme' }]);
  const view = () => own.read(employerView({ id: ACME, name: 'Acme' }));
  expect(await view()).toMatchObject({ isCounted: false, places: [{ id: ACME }, { id: NORTH, kind: 'site' }] });
  const say = (isCounted: boolean, employerId = ACME) =>
    own.write('count', tx => beCounted(tx, { id: uuid(9), userId: SAM, employerId, isCounted, at: AT }));
  await say(true);
  await say(true);
  expect((await view()).isCounted).toBe(true);
  await say(false);
  expect((await view()).isCounted).toBe(false);
  await expect(say(true, uuid(8))).rejects.toMatchObject({ code: 'not_allowed' });
});

test('four weeks are there from the Wednesday after them on', () => {
  expect(reportedWeeks(Date.parse('2026-11-10T23:59:00Z'))[0]).toBe('2026-09-14');
  expect(reportedWeeks(Date.parse('2026-11-11T00:00:00Z')).slice(0, 2)).toEqual(['2026-10-12', '2026-09-14']);
  expect(reportedWeeks(Date.parse('2026-12-08T23:59:00Z'))[0]).toBe('2026-10-12');
});

test('the range of a figure stays between none and all', () => {
  expect(rangeOf(figure({}))).toEqual({ from: 25, until: 55 });
  expect(rangeOf(figure({ percent: 5, margin: 10 }))).toEqual({ from: 0, until: 15 });
  expect(rangeOf(figure({ percent: 95, margin: 10 }))).toEqual({ from: 85, until: 100 });
});

test('what was withheld is null, beside what was not', () => {
  const places = [
    { kind: 'organization' as const, id: ACME, name: 'Acme' },
    { kind: 'site' as const, id: NORTH, name: 'North' },
  ];
  expect(byPlace(places, [figure({})]).map(({ stress, mood }) => [stress?.percent ?? null, mood])).toEqual([
    [40, null],
    [null, null],
  ]);
});

test('a workload hint needs both: more overdue work, and more people with high stress than chance explains', () => {
  const before = figure({ percent: 40 });
  expect(workloadHint(figure({ percent: 65 }), before)).toEqual({ from: 40, to: 65, overdue: 10, before: 5 });
  expect(workloadHint(figure({ percent: 40 }), before)).toBeNull();
  // Each is 15 off at most, 19 times in 20; both together 21.
  expect(workloadHint(figure({ percent: 61 }), before)).toBeNull();
  expect(workloadHint(figure({ percent: 65, overdue: 6 }), before)).toBeNull();
  expect(workloadHint(figure({ percent: 65, overdue: 7 }), before)).toBeNull();
  expect(workloadHint(null, before)).toBeNull();
});
