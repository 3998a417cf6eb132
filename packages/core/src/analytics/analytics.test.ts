import { describe, expect, test } from 'vitest';
import type { Draft } from '@cairn/schema';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { complianceOverview } from '../dashboard/compliance.ts';
import { dashboardFigures, recentRecords } from './queries.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const [organization, me] = [uuid(1), uuid(3)];
const space = { organizationId: organization, playbookId: null };
// Noon, so that the day is the same in every time zone the tests may run in.
const noon = (day: string): string => new Date(`${day}T12:00:00`).toISOString();

let n = 100;
const inspection = (more: Partial<Draft<'inspections'>>): Draft<'inspections'> => ({
  id: uuid(n++),
  organization_id: organization,
  form_id: uuid(90),
  form_version_id: uuid(91),
  title: 'Check',
  status: 'finalised',
  ...more,
});
const action = (more: Partial<Draft<'action_items'>>): Draft<'action_items'> => ({
  id: uuid(n++),
  organization_id: organization,
  title: 'Fix',
  ...more,
});

const rate = async (inspections: Draft<'inspections'>[], action_items: Draft<'action_items'>[] = []) =>
  (await memoryStore({ inspections, action_items }, me).read(complianceOverview({ space, today: '2026-11-21' }))).rate;

describe('the figures of the dashboard', () => {
  test('nothing was due: no rate; policies are not kept yet: no figure', async () => {
    expect(await memoryStore({}, me).read(dashboardFigures(organization))).toEqual({
      activePolicies: 0,
      teamMembers: 0,
    });
    expect(await rate([])).toBeNull();
  });

  test('compliance: done on the due day counts as met, the day after does not, void items are no duties', async () => {
    const complianceRate = await rate(
      [
        inspection({ due_at: noon('2026-11-10'), finished_at: noon('2026-11-10') }),
        inspection({ due_at: noon('2026-11-10'), finished_at: noon('2026-11-11') }),
        inspection({ due_at: noon('2026-11-12'), status: 'scheduled' }),
        inspection({ due_at: noon('2026-08-01'), status: 'scheduled' }),
        inspection({ due_at: noon('2026-11-30'), status: 'scheduled' }),
      ],
      [
        action({ due_at: noon('2026-11-15'), status: 'closed', closed_at: noon('2026-11-12') }),
        action({ due_at: noon('2026-11-15'), status: 'duplicate' }),
      ],
    );
    expect(complianceRate).toBe(50);
  });

  test('what is due today and not done yet has time until midnight', async () => {
    const done = inspection({ due_at: noon('2026-11-10'), finished_at: noon('2026-11-10') });
    const open = inspection({ due_at: noon('2026-11-21'), status: 'scheduled' });
    expect(await rate([done, open])).toBe(100);
    expect(await rate([done, { ...open, due_at: noon('2026-11-20') }])).toBe(50);
  });

  test('members are those of the organisation', async () => {
    const store = memoryStore(
      {
        organization_members: [
          { id: uuid(50), organization_id: organization, user_id: me },
          { id: uuid(51), organization_id: organization, user_id: uuid(4) },
          { id: uuid(52), organization_id: uuid(2), user_id: me },
        ],
      },
      me,
    );
    expect((await store.read(dashboardFigures(organization))).teamMembers).toBe(2);
  });
});

test('arrivals are the newest first, by when the server had them', async () => {
  const store = memoryStore({
    inspections: [
      { ...inspection({ title: 'late arrival', finished_at: noon('2026-11-01') }), received_at: noon('2026-11-21') },
      inspection({ title: 'early', finished_at: noon('2026-11-19') }),
      inspection({ title: 'draft', status: 'in_progress' }),
    ],
    action_items: [{ ...action({ title: 'an action' }), created_at: noon('2026-11-20') }],
  });
  const titles = async (limit: number) => (await store.read(recentRecords(space, limit))).map(({ title }) => title);
  expect(await titles(10)).toEqual(['late arrival', 'an action', 'early']);
  expect(await titles(2)).toEqual(['late arrival', 'an action']);
});
