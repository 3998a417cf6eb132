import { actionsByStatus, byDue } from '@cairn/core/action-items/queries.ts';
import { openStatuses } from '@cairn/core/action-items/action-status.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import type { Query } from '@cairn/sync/store.ts';

/** Something open that a file can be made part of. */
export type ShareTarget = { kind: 'inspection' | 'action_item'; id: string; title: string };

/** The person's inspections under way, then what is to be done, earliest due first. */
export function shareTargets(space: Space, userId: string): Query<ShareTarget[]> {
  return {
    key: `share/targets/${spaceKey(space)}/${userId}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const begun = await tx.range('inspections', 'status', 'in_progress/', 'in_progress/\uffff');
      const open = await actionsByStatus(tx, openStatuses);
      const inspections = begun.filter(row => row.conducted_by === userId && inSpace(row, space));
      const items = open.filter(row => inSpace(row, space)).toSorted(byDue);
      return [
        ...inspections.map(({ id, title }): ShareTarget => ({ kind: 'inspection', id, title })),
        ...items.map(({ id, title }): ShareTarget => ({ kind: 'action_item', id, title })),
      ];
    },
  };
}
