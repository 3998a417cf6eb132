import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { memoryStore } from '@cairn/testing/memory-store.ts';
import { decideApproval, waitingApprovals } from './approvals.ts';
import {
  absentFor,
  awayToo,
  delegate,
  delegations,
  revokeDelegation,
  windowState,
  type Delegation,
} from './delegations.ts';

const ORG = '00000000-0000-4000-8000-0000000000a1';
const [LEAD, DEPUTY, THIRD, BOSS] = [1, 2, 3, 4].map(n => `00000000-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
  string,
];
const REQUEST = '00000000-0000-4000-8000-0000000000d1';
const ID = '00000000-0000-4000-8000-0000000000e1';
const NOW = '2026-11-22T12:00:00.000Z';
const at = (hours: number): string => new Date(Date.parse(NOW) + hours * 3_600_000).toISOString();
const wanted = (change: Partial<Parameters<typeof delegate>[1]> = {}) => ({
  id: ID,
  organizationId: ORG,
  fromId: LEAD,
  toId: DEPUTY,
  reason: ' Away ',
  by: LEAD,
  at: NOW,
  startsAt: at(-1),
  endsAt: at(24),
  ...change,
});
const here = (plan: 'standard' | 'enterprise' = 'enterprise', given: Delegation[] = []) =>
  memoryStore(
    {
      approval_delegations: given,
      organizations: [{ id: ORG, name: 'Works', slug: 'works', plan }],
      people: [LEAD, DEPUTY, THIRD, BOSS].map((id, index) => ({
        id,
        display_name: ['Lead', 'Deputy', 'Third', 'Boss'][index] ?? null,
      })),
      approval_requests: [
        {
          id: REQUEST,
          organization_id: ORG,
          permission: 'policy.approve',
          subject_table: 'policy_versions',
          subject_id: ID,
          path: '/policies',
          title: 'Lockout',
          stages: [{ name: '', rule: 'all', people: [LEAD] }],
          requested_by: BOSS,
          requested_at: at(-2),
        },
      ],
    },
    LEAD,
  );
const waiting = async (store: ReturnType<typeof here>, userId: string, now = NOW) =>
  (await store.read(waitingApprovals({ organizationId: ORG, userId, now }))).flatMap(({ parts }) => parts);

describe('a delegation', () => {
  test.for([
    ['before it begins', { starts_at: at(1), ends_at: at(2), revoked_at: null }, 'coming'],
    ['at its first moment', { starts_at: NOW, ends_at: at(2), revoked_at: null }, 'now'],
    ['at its last moment', { starts_at: at(-2), ends_at: at(0.001), revoked_at: null }, 'now'],
    ['at its end', { starts_at: at(-2), ends_at: NOW, revoked_at: null }, 'over'],
    ['once revoked', { starts_at: at(-2), ends_at: at(2), revoked_at: at(-1) }, 'revoked'],
  ] as const)('%s', ([, row, state]) => {
    expect(windowState(row, NOW)).toBe(state);
  });

  test('R6.27 needs the enterprise plan: without it none is named, and one that was given counts for nothing', async () => {
    const standard = here('standard');
    await expect(standard.write('delegate', tx => delegate(tx, wanted()))).rejects.toMatchObject({
      code: 'not_allowed',
    });
    const people = { from_id: LEAD, to_id: DEPUTY };
    const given = {
      id: ID,
      organization_id: ORG,
      ...people,
      starts_at: at(-1),
      ends_at: at(24),
      revoked_at: null,
    } as Delegation;
    expect(await waiting(here('enterprise', [given]), DEPUTY)).toHaveLength(1);
    expect(await waiting(here('standard', [given]), DEPUTY)).toEqual([]);
  });

  test('lets somebody decide in the name of whoever is away, and says in whose; whoever is away still may', async () => {
    const store = here();
    expect(await waiting(store, DEPUTY)).toEqual([]);
    await store.write('delegate', tx => delegate(tx, wanted()));
    expect(await waiting(store, DEPUTY)).toEqual([{ approverId: LEAD, name: 'Lead' }]);
    expect(await waiting(store, LEAD)).toEqual([{ approverId: LEAD, name: 'Lead' }]);
    expect(await waiting(store, DEPUTY, at(25))).toEqual([]);
    const decision = {
      requestId: REQUEST,
      approverId: LEAD,
      decision: 'approve' as const,
      reason: '',
      by: DEPUTY,
      at: NOW,
    };
    await store.write('decide', tx => decideApproval(tx, decision));
    expect([await waiting(store, DEPUTY), await waiting(store, LEAD)]).toEqual([[], []]);
  });

  test('is not passed on, and ends when it is revoked, once', async () => {
    const store = here();
    await store.write('delegate', tx => delegate(tx, wanted()));
    const further = wanted({ id: THIRD, fromId: DEPUTY, toId: THIRD, by: DEPUTY });
    await store.write('delegate', tx => delegate(tx, further));
    expect(await waiting(store, THIRD)).toEqual([]);
    const listed = await store.read(delegations({ organizationId: ORG, userId: LEAD, now: NOW }));
    expect(listed.own).toMatchObject([
      { state: 'now', fromName: 'Lead', toName: 'Deputy', delegation: { reason: 'Away' } },
    ]);
    expect(awayToo([...listed.own, ...listed.others], wanted())).toBe(true);
    expect(awayToo([...listed.own, ...listed.others], wanted({ startsAt: at(24), endsAt: at(48) }))).toBe(false);
    await store.write('revoke', tx => revokeDelegation(tx, ID, at(1)));
    expect(await waiting(store, DEPUTY, at(1))).toEqual([]);
    await expect(store.write('revoke', tx => revokeDelegation(tx, ID, at(2)))).rejects.toMatchObject({
      code: 'stale_version',
    });
  });

  test.for([
    ['to oneself', { toId: LEAD }, 'invalid'],
    ['that ends before it begins', { startsAt: at(2), endsAt: at(1) }, 'invalid'],
    ['that is over', { startsAt: at(-2), endsAt: at(-1) }, 'invalid'],
    ['without times', { startsAt: 'soon' }, 'invalid'],
    ['for more than a year', { endsAt: at(24 * 367) }, 'invalid'],
    ['of somebody else to oneself', { by: DEPUTY }, 'not_allowed'],
  ] as const)('%s is none', async ([, change, code]) => {
    await expect(here().write('delegate', tx => delegate(tx, wanted(change)))).rejects.toMatchObject({ code });
  });

  test('whoever it is, whenever it is asked: exactly who was named, for the time named, and not one step further', () => {
    const hour = fc.integer({ min: -72, max: 72 });
    const one = fc.record({
      pair: fc.constantFrom([LEAD, DEPUTY], [DEPUTY, THIRD], [THIRD, LEAD], [LEAD, THIRD], [BOSS, LEAD]),
      starts: hour,
      lasts: fc.integer({ min: 1, max: 48 }),
      revoked: fc.option(hour),
      elsewhere: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), hour, (drawn, now) => {
        const rows = drawn.map(({ pair: [from_id, to_id], starts, lasts, revoked, elsewhere }) => ({
          organization_id: elsewhere ? ID : ORG,
          from_id,
          to_id,
          deleted_at: null,
          starts_at: at(starts),
          ends_at: at(starts + lasts),
          revoked_at: revoked === null ? null : at(revoked),
        })) as Delegation[];
        for (const userId of [LEAD, DEPUTY, THIRD, BOSS]) {
          const named = drawn.filter(
            ({ pair, starts, lasts, revoked, elsewhere }) =>
              pair[1] === userId && !elsewhere && revoked === null && starts <= now && now < starts + lasts,
          );
          expect(absentFor(rows, { organizationId: ORG, userId, now: at(now) }).toSorted()).toEqual(
            [...new Set(named.map(({ pair }) => pair[0] ?? ''))].toSorted(),
          );
        }
      }),
    );
  });
});
