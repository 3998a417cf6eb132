import { Failure } from '@cairn/base/failure.ts';
import { derivedId } from '@cairn/base/id.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { markdownFault } from '../markdown/markdown-bounds.ts';
import { asWritten } from './policy-variables.ts';
import { isEditable, type Policy, type PolicyVersion } from './version-states.ts';

export type NewPolicy = {
  /** A fresh id. */
  id: string;
  organizationId: string;
  title: string;
  code: string;
  summary: string;
  classification: Policy['classification'];
  /** Months from each publishing to the next look at it; null: never. */
  reviewMonths: number | null;
  body: string;
  /** What changed last, as a file tells; left out where nothing is known. */
  changelog?: string;
  source: PolicyVersion['source'];
  by: string;
};

/** The id of what is written next: two devices that begin at once write one draft, not two. */
export const nextVersionId = (policyId: string, currentVersionId: string | null): string =>
  derivedId(currentVersionId ?? policyId, 'next version');

/** The server takes no text past a bound: it is said here, before anything waits to be sent. */
function withinBounds(body: string, operation: string): void {
  const fault = markdownFault(body);
  if (fault) throw new Failure('too_large', `${operation}: ${fault}`);
}

/**
 * Begins a policy with its first draft. Write it with `together`.
 *
 * @returns the draft's id
 * @throws {Failure} `invalid` without a title; `too_large` for a text past a bound
 */
export async function writePolicy(tx: WriteTx, policy: NewPolicy): Promise<string> {
  withinBounds(policy.body, `writePolicy ${policy.id}`);
  const title = policy.title.trim();
  if (title === '') throw new Failure('invalid', `writePolicy: ${policy.id} has no title`);
  await tx.put('policies', {
    id: policy.id,
    organization_id: policy.organizationId,
    title,
    code: policy.code.trim() || null,
    summary: policy.summary.trim() || null,
    classification: policy.classification,
    owner_id: policy.by,
    review_months: policy.reviewMonths,
  });
  const id = nextVersionId(policy.id, null);
  await tx.put('policy_versions', {
    id,
    organization_id: policy.organizationId,
    policy_id: policy.id,
    change: 'major',
    title,
    body: policy.body,
    changelog: policy.changelog?.trim() || null,
    source: policy.source,
  });
  return id;
}

/**
 * Begins the next version from the one in force; where it was begun already, that one is gone on with.
 *
 * @returns the draft's id
 * @throws {Failure} `not_found` for the policy or where nothing is in force
 */
export async function beginNextVersion(tx: WriteTx, policyId: string): Promise<string> {
  const policy = await tx.get('policies', policyId);
  const current = policy?.current_version_id ? await tx.get('policy_versions', policy.current_version_id) : undefined;
  if (!policy || policy.deleted_at !== null || !current)
    throw new Failure('not_found', `beginNextVersion: nothing in force of ${policyId}`);
  const versions = await tx.range('policy_versions', 'policy', `${policyId}/`, `${policyId}/\uffff`);
  const begun = versions.find(({ major, deleted_at: gone }) => major === null && gone === null);
  if (begun) return begun.id;
  const id = nextVersionId(policyId, current.id);
  await tx.put('policy_versions', {
    id,
    organization_id: policy.organization_id,
    policy_id: policyId,
    change: 'minor',
    ...asWritten(current),
    source: (current.file ?? null) === null ? 'written' : 'file',
    based_on_id: current.id,
  });
  return id;
}

export type DraftEdit = Partial<Pick<PolicyVersion, 'title' | 'body' | 'quiz' | 'changelog' | 'change'>>;

/**
 * Changes what is being written.
 *
 * @throws {Failure} `not_found`; `stale_version` once it was sent for approval; `invalid` for an empty title;
 *   `too_large` for a text past a bound
 */
export async function editDraft(tx: WriteTx, versionId: string, edit: DraftEdit): Promise<void> {
  const version = await tx.get('policy_versions', versionId);
  if (!version || version.deleted_at !== null) throw new Failure('not_found', `editDraft: no version ${versionId}`);
  if (!isEditable(version.state)) throw new Failure('stale_version', `editDraft: ${versionId} is ${version.state}`);
  if (edit.body !== undefined && (version.file ?? null) === null) withinBounds(edit.body, `editDraft ${versionId}`);
  if (edit.title !== undefined && edit.title.trim() === '') throw new Failure('invalid', `editDraft: no title`);
  await tx.change('policy_versions', versionId, edit);
  if (edit.title === undefined) return;
  const policy = await tx.get('policies', version.policy_id);
  if (policy?.state === 'draft') await tx.change('policies', policy.id, { title: edit.title });
}

export type PolicyFacts = Partial<
  Pick<Policy, 'code' | 'summary' | 'classification' | 'owner_id' | 'review_by' | 'review_months'>
>;

/** Changes what stands around the words. @throws {Failure} `not_found` */
export async function changePolicy(tx: WriteTx, policyId: string, facts: PolicyFacts): Promise<void> {
  await tx.change('policies', policyId, facts);
}

/** Removes a policy that was never in force. @throws {Failure} `not_found`; `stale_version` once it was */
export async function removePolicy(tx: WriteTx, policyId: string): Promise<void> {
  const policy = await tx.get('policies', policyId);
  if (!policy || policy.deleted_at !== null) throw new Failure('not_found', `removePolicy: no policy ${policyId}`);
  if (policy.current_version_id !== null) throw new Failure('stale_version', `removePolicy: ${policyId} was in force`);
  await tx.remove('policies', policyId);
}
