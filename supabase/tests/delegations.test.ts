import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { absentFor, type Delegation } from '@cairn/core/approvals/delegations.ts';
import { db, setUpWorld, world } from './set-up-world.ts';
import { PolicyFixture } from './policy-fixture.ts';
import { setPlan } from './workflow-fixture.ts';

/** Runs of the property; more by hand, e.g. `DELEGATION_RUNS=500`. */
const RUNS = Number(process.env['DELEGATION_RUNS'] ?? 25);

setUpWorld();
let policies: PolicyFixture;
let away: string;
let deputy: string;
let third: string;
beforeAll(async () => {
  policies = new PolicyFixture(db, world);
  [away = '', deputy = '', third = ''] = await Promise.all(
    ['away', 'deputy', 'third'].map(async name => {
      const id = await db.person(`${name}@deputies.test`);
      const member = `insert into organization_members (organization_id, user_id, role) values ($1, $2, 'manager')`;
      await db.asAdmin(member, [world.organization, id]);
      return id;
    }),
  );
});
beforeEach(async () => {
  await db.asAdmin('delete from approval_decisions; delete from approval_delegations');
  await setPlan('enterprise');
});

type Window = { from: string; to: string; hours: [number, number]; revoked?: boolean };
const at = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();

async function given(windows: readonly Window[]): Promise<void> {
  for (const { from, to, hours, revoked = false } of windows)
    await db.asAdmin(
      `insert into approval_delegations (organization_id, from_id, to_id, starts_at, ends_at, revoked_at) values ($1, $2, $3, $4, $5, $6)`,
      [world.organization, from, to, at(hours[0]), at(hours[1]), revoked ? at(-0.1) : null],
    );
}
async function asked(): Promise<string> {
  const { version } = await policies.draft(`Text ${randomUUID()}`);
  await policies.submit(version, [{ name: '', rule: 'all', people: [away] }]);
  return version;
}
const answer = async (version: string, person: string) =>
  (await policies.decide(version, person, 'approve', { approver_id: away }))?.st;

describe('who may decide is right at every instant', () => {
  const cases: [string, () => Window[], 'applied' | 'rejected'][] = [
    ['somebody away, with a deputy', () => [{ from: away, to: deputy, hours: [-1, 1] }], 'applied'],
    ['nobody named', () => [], 'rejected'],
    ['a window that comes', () => [{ from: away, to: deputy, hours: [1, 2] }], 'rejected'],
    ['a window that is over', () => [{ from: away, to: deputy, hours: [-2, -1] }], 'rejected'],
    ['a window that was revoked', () => [{ from: away, to: deputy, hours: [-1, 1], revoked: true }], 'rejected'],
    [
      'one revoked, another that holds',
      () => [
        { from: away, to: deputy, hours: [-1, 1], revoked: true },
        { from: away, to: deputy, hours: [-2, 2] },
      ],
      'applied',
    ],
    [
      'a chain: the deputy of the deputy',
      () => [
        { from: away, to: third, hours: [-1, 1] },
        { from: third, to: deputy, hours: [-1, 1] },
      ],
      'rejected',
    ],
    [
      'a ring: who is away stands in for the deputy',
      () => [
        { from: away, to: deputy, hours: [-1, 1] },
        { from: deputy, to: away, hours: [-1, 1] },
      ],
      'applied',
    ],
    ['the other way round', () => [{ from: deputy, to: away, hours: [-1, 1] }], 'rejected'],
  ];
  test.for(cases)('%s', async ([, windows, expected]) => {
    await given(windows());
    expect(await answer(await asked(), deputy)).toBe(expected);
  });

  test('a window that is revoked while something waits lets the deputy decide nothing more, and who is back decides', async () => {
    await given([{ from: away, to: deputy, hours: [-1, 1] }]);
    const version = await asked();
    await db.asAdmin('update approval_delegations set revoked_at = now()');
    expect(await answer(version, deputy)).toBe('rejected');
    expect(await answer(version, away)).toBe('applied');
  });

  test('a deputy decides with their own rights, for somebody who is still there', async () => {
    await given([{ from: away, to: world.worker, hours: [-1, 1] }]);
    expect(await answer(await asked(), world.worker)).toBe('rejected');
    await given([{ from: away, to: deputy, hours: [-1, 1] }]);
    const version = await asked();
    const end = async (until: string | null) => {
      await db.asAdmin('update organization_members set valid_until = $3 where organization_id = $1 and user_id = $2', [
        world.organization,
        away,
        until,
      ]);
      await setPlan('enterprise'); // which is reckoned anew with each change of a member
    };
    await end(at(-0.01));
    expect(await answer(version, deputy)).toBe('rejected');
    await end(null);
    expect(await answer(version, deputy)).toBe('applied');
  });

  test('whatever windows there are, the database and the device name the same people', async () => {
    const hour = fc.integer({ min: -48, max: 48 }).filter(value => value !== 0);
    const one = fc.record({
      from: fc.constantFrom(0, 1, 2),
      step: fc.constantFrom(1, 2),
      starts: hour,
      lasts: fc.integer({ min: 1, max: 60 }),
      revoked: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { maxLength: 7 }), async drawn => {
        await db.asAdmin('delete from approval_delegations');
        const people = [away, deputy, third];
        await given(
          drawn
            .filter(({ starts, lasts }) => starts + lasts !== 0)
            .map(({ from, step, starts, lasts, revoked }) => ({
              from: people[from] ?? '',
              to: people[(from + step) % 3] ?? '',
              hours: [starts, starts + lasts] as [number, number],
              revoked,
            })),
        );
        const rows = (await db.asAdmin(
          'select *, starts_at::text, ends_at::text, revoked_at::text from approval_delegations',
        )) as Delegation[];
        for (const userId of people) {
          const here = absentFor(rows, { organizationId: world.organization, userId, now: at(0) });
          const there = await db.asAdmin(
            'select p from unnest($1::uuid[]) p where approval.deputises_for($2, p, $3) is not null',
            [people, world.organization, userId],
          );
          expect(here.toSorted()).toEqual(there.map(row => String(row['p'])).toSorted());
        }
      }),
      { numRuns: RUNS },
    );
  });
});
