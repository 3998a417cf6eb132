import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx, WriteTx } from '@cairn/sync/store.ts';

export type Delegation = Row<'approval_delegations'>;

/** Whatever somebody may be asked to decide on: holders of one of these can stand in for another. */
export const DECIDING = ['policy.approve', 'action.accept_risk', 'workflow.approve'] as const;

/** The longest a delegation may last, in days. */
export const MAX_DELEGATION_DAYS = 366;

const DAY_MS = 86_400_000;

export type WindowState = 'coming' | 'now' | 'over' | 'revoked';

/** Where a delegation stands at an instant: from its start, up to but without its end. `now`: ISO 8601. */
export function windowState(
  { starts_at, ends_at, revoked_at }: Pick<Delegation, 'starts_at' | 'ends_at' | 'revoked_at'>,
  now: string,
): WindowState {
  if (revoked_at !== null) return 'revoked';
  const at = Date.parse(now);
  if (at < Date.parse(starts_at)) return 'coming';
  return at < Date.parse(ends_at) ? 'now' : 'over';
}

export type DelegationQuery = { organizationId: string; userId: string; /** ISO 8601. */ now: string };

/** Whom a person stands in for at an instant, by id. One step only: who stands in for them is no concern of it. */
export function absentFor(rows: readonly Delegation[], { organizationId, userId, now }: DelegationQuery): string[] {
  const open = rows.filter(
    row =>
      row.organization_id === organizationId &&
      row.to_id === userId &&
      row.deleted_at === null &&
      windowState(row, now) === 'now',
  );
  return [...new Set(open.map(row => row.from_id))];
}

/** As `absentFor`, of what the device holds; nobody without the enterprise plan, as on the server (R6.27). */
export async function absentOnDevice(tx: Tx, asked: DelegationQuery): Promise<string[]> {
  return (await hasEnterprisePlan(tx, asked.organizationId))
    ? absentFor(await tx.all('approval_delegations'), asked)
    : [];
}

const hasEnterprisePlan = async (tx: Tx, organizationId: string): Promise<boolean> =>
  (await tx.get('organizations', organizationId))?.plan === 'enterprise';

export type ListedDelegation = {
  delegation: Delegation;
  state: WindowState;
  /** Who is away. */
  fromName: string | null;
  /** Who stands in. */
  toName: string | null;
};

export type Delegations = {
  /** While this person is away. */
  own: ListedDelegation[];
  /** In which this person stands in. */
  asDeputy: ListedDelegation[];
  /** Of everybody else. */
  others: ListedDelegation[];
};

const ORDER: Record<WindowState, number> = { now: 0, coming: 1, over: 2, revoked: 2 };

/** Every delegation of an organisation: what holds now, what comes, then what is past, the latest first. */
export function delegations({ organizationId, userId, now }: DelegationQuery): Query<Delegations> {
  return {
    key: `approvals/delegations/${organizationId}/${userId}/${now}`,
    tables: ['approval_delegations', 'people'],
    async read(tx) {
      const names = new Map((await tx.all('people')).map(row => [row.id, row.display_name]));
      const listed = (await tx.all('approval_delegations'))
        .filter(row => row.organization_id === organizationId && row.deleted_at === null)
        .map(delegation => ({
          delegation,
          state: windowState(delegation, now),
          fromName: names.get(delegation.from_id) ?? null,
          toName: names.get(delegation.to_id) ?? null,
        }))
        .toSorted(
          (a, b) =>
            ORDER[a.state] - ORDER[b.state] || Date.parse(b.delegation.starts_at) - Date.parse(a.delegation.starts_at),
        );
      return {
        own: listed.filter(({ delegation }) => delegation.from_id === userId),
        asDeputy: listed.filter(({ delegation }) => delegation.to_id === userId),
        others: listed.filter(({ delegation: { from_id, to_id } }) => from_id !== userId && to_id !== userId),
      };
    },
  };
}

export type DelegationInput = {
  /** Of the new delegation. */
  id: string;
  organizationId: string;
  /** Who is away, and who decides in their name. */
  fromId: string;
  toId: string;
  /** ISO 8601; the end is not part of it. */
  startsAt: string;
  endsAt: string;
  reason: string;
  /** Who writes it down, and when (ISO 8601). */
  by: string;
  at: string;
};

/**
 * Says who decides in somebody's name while they are away.
 *
 * @throws {Failure} `invalid` for oneself as deputy, an end before the start or in the past, or more than 366 days;
 *   `not_allowed` for making oneself the deputy of another, and without the enterprise plan
 */
export async function delegate(tx: WriteTx, wanted: DelegationInput): Promise<void> {
  const { id, organizationId, fromId, toId, startsAt, endsAt, by, at } = wanted;
  const [start, end] = [Date.parse(startsAt), Date.parse(endsAt)];
  if (fromId === toId) throw new Failure('invalid', 'delegate: nobody stands in for themselves');
  if (fromId !== by && toId === by) throw new Failure('not_allowed', 'delegate: nobody makes themselves a deputy');
  if (!(end > start) || end <= Date.parse(at) || end - start > MAX_DELEGATION_DAYS * DAY_MS)
    throw new Failure('invalid', `delegate: from ${startsAt} until ${endsAt}`);
  if (!(await hasEnterprisePlan(tx, organizationId)))
    throw new Failure('not_allowed', 'delegate: deputies belong to the enterprise plan');
  await tx.put('approval_delegations', {
    id,
    organization_id: organizationId,
    from_id: fromId,
    to_id: toId,
    starts_at: startsAt,
    ends_at: endsAt,
    reason: wanted.reason.trim() || null,
  });
}

/**
 * Ends a delegation before its time; it stays ended. `at`: device time, ISO 8601.
 *
 * @throws {Failure} `not_found`; `stale_version` when it is over or was revoked
 */
export async function revokeDelegation(tx: WriteTx, id: string, at: string): Promise<void> {
  const row = await tx.get('approval_delegations', id);
  if (!row || row.deleted_at !== null) throw new Failure('not_found', `revokeDelegation: no ${id}`);
  const state = windowState(row, at);
  if (state === 'over' || state === 'revoked')
    throw new Failure('stale_version', `revokeDelegation: ${id} is ${state}`);
  await tx.change('approval_delegations', id, { revoked_at: at });
}

/** Of those who stand in, who is away themselves in a part of that time: nobody then decides in either name. */
export function awayToo(
  rows: readonly ListedDelegation[],
  { toId, startsAt, endsAt }: Pick<DelegationInput, 'toId' | 'startsAt' | 'endsAt'>,
): boolean {
  return rows.some(
    ({ delegation: row, state }) =>
      row.from_id === toId &&
      (state === 'now' || state === 'coming') &&
      Date.parse(row.starts_at) < Date.parse(endsAt) &&
      Date.parse(startsAt) < Date.parse(row.ends_at),
  );
}
