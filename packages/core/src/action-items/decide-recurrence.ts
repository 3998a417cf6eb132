import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { createActionItem, type CreateActionItem } from './create-action-item.ts';
import type { Recurrence } from './recurrence.ts';

/** Sources that one decision names at most, the newest of them. */
const MAX_SOURCES = 200;

type DecisionInput = {
  /** A fresh id, of the decision. */
  id: string;
  organizationId: string;
  recurrence: Recurrence;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

const columnsOf = ({ id, organizationId, recurrence, by, at }: DecisionInput) => ({
  id,
  organization_id: organizationId,
  site_id: recurrence.siteId,
  about: recurrence.about,
  source_ids: recurrence.sources.slice(0, MAX_SOURCES),
  decided_at: at,
  created_by: by,
});

/** Says that nothing is done about a recurrence, until it happens once more. @throws {Failure} `invalid` without a reason */
export async function dismissRecurrence(
  tx: WriteTx,
  { reason: reasonText, ...deciding }: DecisionInput & { reason: string },
): Promise<void> {
  const reason = reasonText.trim().slice(0, 2000);
  if (reason === '') throw new Failure('invalid', 'a recurrence is dismissed with a reason');
  await tx.put('recurrence_decisions', { ...columnsOf(deciding), decision: 'dismissed', reason });
}

/** What a measure changes. */
export type Changes = 'policy' | 'training';

export type MakeMeasure = DecisionInput & {
  changes: Changes;
  /** The corrective action: where it is, and why, follows from the recurrence. */
  action: Pick<CreateActionItem, 'id' | 'playbookId' | 'title' | 'description' | 'dueAt' | 'assigneeId'>;
};

/**
 * Makes one corrective action that changes a policy or a training, and so answers all sources of a recurrence.
 *
 * @throws {Failure} `invalid` when its title is empty
 */
export async function makeMeasure(tx: WriteTx, { changes, action, ...deciding }: MakeMeasure): Promise<void> {
  const { organizationId, recurrence, by } = deciding;
  await createActionItem(tx, {
    ...action,
    organizationId,
    kind: 'corrective',
    priority: 'high',
    ...(recurrence.siteId !== null && { siteId: recurrence.siteId }),
    ...(recurrence.assetId !== null && { assetId: recurrence.assetId }),
    by,
  });
  await tx.put('recurrence_decisions', { ...columnsOf(deciding), decision: 'measure', action_id: action.id, changes });
}
