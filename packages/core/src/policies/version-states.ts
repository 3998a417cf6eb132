import type { Row } from '@cairn/schema';

export type Policy = Row<'policies'>;
export type PolicyVersion = Row<'policy_versions'>;
/** Characters; as the table takes them. */
export const MAX_POLICY_CHARS = 400_000;

export type VersionState = PolicyVersion['state'];

/** Whether a policy is published and there: what the dashboard counts and the list of those in force holds. */
export const isInForce = ({ state, deleted_at: deleted }: Pick<Policy, 'state' | 'deleted_at'>): boolean =>
  state === 'published' && deleted === null;

/** Whether its words may still be changed on a device. */
export const isEditable = (state: VersionState): boolean => state === 'draft' || state === 'change_requested';

/** "3.0"; null for one that was never published. */
export const versionNumber = ({ major, minor }: Pick<PolicyVersion, 'major' | 'minor'>): string | null =>
  major === null || minor === null ? null : `${major}.${minor}`;

/** The number the next version gets, should it be published now. */
export function nextNumber(current: Pick<PolicyVersion, 'major' | 'minor'> | null, change: PolicyVersion['change']) {
  if (current === null || current.major === null || current.minor === null) return '1.0';
  return change === 'major' ? `${current.major + 1}.0` : `${current.major}.${current.minor + 1}`;
}
