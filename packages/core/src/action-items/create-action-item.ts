import { Failure } from '@cairn/base/failure.ts';
import type { Row } from '@cairn/schema';
import type { WriteTx } from '@cairn/sync/store.ts';

export type CreateActionItem = {
  /** A fresh id. */
  id: string;
  organizationId: string;
  playbookId: string | null;
  title: string;
  description?: string;
  priority?: Row<'action_items'>['priority'];
  /** ISO 8601. */
  dueAt?: string;
  assigneeId?: string;
  siteId?: string;
  assetId?: string;
  kind?: Row<'action_items'>['kind'];
  by: string;
};

/** Makes an action item by hand. @throws {Failure} `invalid` when its title is empty */
export async function createActionItem(tx: WriteTx, item: CreateActionItem): Promise<void> {
  const title = item.title.trim();
  if (title === '') throw new Failure('invalid', `createActionItem: ${item.id} has no title`);
  await tx.put('action_items', {
    id: item.id,
    organization_id: item.organizationId,
    site_id: item.siteId ?? null,
    playbook_id: item.playbookId,
    title,
    description: item.description?.trim() || null,
    status: item.assigneeId === undefined ? 'open' : 'assigned',
    priority: item.priority ?? 'medium',
    due_at: item.dueAt ?? null,
    assignee_id: item.assigneeId ?? null,
    source_type: 'manual',
    asset_id: item.assetId ?? null,
    ...(item.kind && { kind: item.kind }),
    created_by: item.by,
  });
}
