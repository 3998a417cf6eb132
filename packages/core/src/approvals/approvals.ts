import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Json, Row } from '@cairn/schema';
import type { Query, WriteTx } from '@cairn/sync/store.ts';
import { absentOnDevice, type DelegationQuery } from './delegations.ts';

export type ApprovalRequest = Row<'approval_requests'>;
export type ApprovalDecision = Row<'approval_decisions'>;

export type Stage = {
  name: string;
  rule: 'any' | 'all' | 'quorum';
  /** How many must agree, where the rule is `quorum`. */
  quorum?: number;
  /** Ids. */
  people: string[];
};

/** The stages of a request as stored; what is none is left out. */
export function stagesOf(json: Json): Stage[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap(each => {
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return [];
    const { name, rule, quorum, people } = each;
    if (rule !== 'any' && rule !== 'all' && rule !== 'quorum') return [];
    const ids = textsIn(people);
    return [
      { name: typeof name === 'string' ? name : '', rule, people: ids, ...(typeof quorum === 'number' && { quorum }) },
    ];
  });
}

/** How many must agree in a stage. */
export function needed({ rule, quorum, people }: Stage): number {
  if (rule === 'any') return 1;
  return rule === 'quorum' ? (quorum ?? people.length) : people.length;
}

/** One in whose name the person may decide now: themselves, or whom they stand in for. */
export type Part = { approverId: string; name: string | null };

export type OpenedApproval = {
  request: ApprovalRequest;
  stages: Stage[];
  /** In the order they were made; one with `counted_at` null waits on this device and does not count yet. */
  decisions: (ApprovalDecision & { approverName: string | null; deciderName: string | null })[];
  /** In whose name the person can decide in the stage that is open. */
  parts: Part[];
  requesterName: string | null;
  /** Names by id, of everybody asked. */
  names: ReadonlyMap<string, string>;
};

const TABLES = ['approval_requests', 'approval_decisions', 'approval_delegations', 'organizations', 'people'] as const;

type ApprovalQuery = { subjectId: string; userId: string; /** ISO 8601 */ now: string };

/** The latest request about a subject with its trail; null where none is on this device. */
export function approvalOf({ subjectId, userId, now }: ApprovalQuery): Query<OpenedApproval | null> {
  return {
    key: `approvals/approvalOf/${subjectId}/${userId}/${now}`,
    tables: TABLES,
    async read(tx) {
      const requests = await tx.range('approval_requests', 'subject', subjectId, subjectId);
      const request = requests
        .filter(row => row.deleted_at === null)
        .toSorted((a, b) => Date.parse(b.requested_at) - Date.parse(a.requested_at))[0];
      if (!request) return null;
      const stages = stagesOf(request.stages);
      const names = new Map((await tx.all('people')).map(row => [row.id, row.display_name ?? '']));
      const nameOf = (id: string | null) => (id === null ? null : names.get(id) || null);
      const decisions = (await tx.range('approval_decisions', 'request', request.id, request.id))
        .filter(row => row.deleted_at === null)
        .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
      const absent = await absentOnDevice(tx, { organizationId: request.organization_id, userId, now });
      return {
        request,
        stages,
        decisions: decisions.map(row => ({
          ...row,
          approverName: nameOf(row.approver_id),
          deciderName: nameOf(row.decided_by),
        })),
        parts: partsOf({ request, stages, decisions }, [userId, ...absent]).map(approverId => ({
          approverId,
          name: nameOf(approverId),
        })),
        requesterName: nameOf(request.requested_by),
        names,
      };
    },
  };
}

type OpenApproval = { request: ApprovalRequest; stages: readonly Stage[]; decisions: readonly ApprovalDecision[] };

function partsOf({ request, stages, decisions }: OpenApproval, able: readonly string[]): string[] {
  if (request.state !== 'pending') return [];
  const decided = new Set(decisions.filter(({ stage }) => stage === request.stage).map(row => row.approver_id));
  return (stages[request.stage - 1]?.people ?? []).filter(id => able.includes(id) && !decided.has(id));
}

export type DecisionInput = {
  requestId: string;
  approverId: string;
  decision: ApprovalDecision['decision'];
  /** Why, for a no. */
  reason: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Writes a decision down. It counts when the server has taken it, and not before.
 *
 * @returns the id of the decision
 * @throws {Failure} `not_found`; `stale_version` when the request has ended; `invalid` for a no without a reason
 */
export async function decideApproval(tx: WriteTx, decide: DecisionInput): Promise<string> {
  const request = await tx.get('approval_requests', decide.requestId);
  if (!request || request.deleted_at !== null)
    throw new Failure('not_found', `decideApproval: no request ${decide.requestId}`);
  if (request.state !== 'pending')
    throw new Failure('stale_version', `decideApproval: ${request.id} is ${request.state}`);
  const reason = decide.reason.trim();
  if (decide.decision !== 'approve' && reason === '')
    throw new Failure('invalid', `decideApproval: a no without a reason`);
  const id = derivedId(request.id, `stage/${request.stage}/${decide.approverId}`);
  await tx.put('approval_decisions', {
    id,
    organization_id: request.organization_id,
    request_id: request.id,
    stage: request.stage,
    approver_id: decide.approverId,
    decided_by: decide.by,
    decision: decide.decision,
    reason: reason || null,
    at: decide.at,
  });
  return id;
}

/** What waits for a person's decision, and in whose names they may give it. */
export type WaitingApproval = { request: ApprovalRequest; parts: Part[]; requesterName: string | null };

/** What waits for a decision of this person in one organisation, the latest first. */
export function waitingApprovals({ organizationId, userId, now }: DelegationQuery): Query<WaitingApproval[]> {
  return {
    key: `approvals/waitingApprovals/${organizationId}/${userId}/${now}`,
    tables: TABLES,
    async read(tx) {
      const requests = (await tx.all('approval_requests')).filter(
        row => row.organization_id === organizationId && row.deleted_at === null && row.state === 'pending',
      );
      const absent = await absentOnDevice(tx, { organizationId, userId, now });
      const nameOf = async (id: string) => (await tx.get('people', id))?.display_name ?? null;
      const waiting: WaitingApproval[] = [];
      for (const request of requests) {
        const decisions = await tx.range('approval_decisions', 'request', request.id, request.id);
        const ids = partsOf({ request, stages: stagesOf(request.stages), decisions }, [userId, ...absent]);
        const parts = await Promise.all(ids.map(async approverId => ({ approverId, name: await nameOf(approverId) })));
        const by = request.requested_by;
        if (parts.length > 0) waiting.push({ request, parts, requesterName: by === null ? null : await nameOf(by) });
      }
      return waiting.toSorted((a, b) => Date.parse(b.request.requested_at) - Date.parse(a.request.requested_at));
    },
  };
}

export type Holder = { id: string; name: string | null };

/** Members whose role gives them a permission, by name; the device knows no more than the roles of its organisation. */
export const holdersOf = (permission: string, organizationId: string): Query<Holder[]> =>
  holdersOfAny([permission], organizationId);

/** Members whose role gives them one of these permissions, by name. */
export function holdersOfAny(permissions: readonly string[], organizationId: string): Query<Holder[]> {
  return {
    key: `approvals/holdersOf/${permissions.join(' ')}/${organizationId}`,
    tables: ['role_permissions', 'organization_members', 'people'],
    async read(tx) {
      const bundles = await tx.all('role_permissions');
      const roles = new Set(
        bundles
          .filter(
            row => row.role_kind === 'organization' && permissions.includes(row.permission) && row.deleted_at === null,
          )
          .map(row => row.role),
      );
      const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
      const holders: Holder[] = [];
      for (const { user_id: id, role, deleted_at: left } of members)
        if (left === null && roles.has(role))
          holders.push({ id, name: (await tx.get('people', id))?.display_name ?? null });
      return holders.toSorted((a, b) => (a.name ?? '').localeCompare(b.name ?? ''));
    },
  };
}
