import { byDue, actionsByStatus } from '@cairn/core/action-items/queries.ts';
import { openStatuses, type ActionStatus } from '@cairn/core/action-items/action-status.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';

export type Action = Row<'action_items'>;

export type ActionLists = {
  /** Earliest due first, so that what is late leads. */
  open: Action[];
  /** Ended last first. */
  closed: Action[];
};

const ENDED: readonly ActionStatus[] = ['closed', 'risk_accepted', 'duplicate', 'not_valid'];

export function actionLists(space: Space): Query<ActionLists> {
  return {
    key: `action-items/lists/${spaceKey(space)}`,
    tables: ['action_items'],
    async read(tx) {
      const open = await actionsByStatus(tx, openStatuses);
      const closed = await actionsByStatus(tx, ENDED);
      return {
        open: open.filter(row => inSpace(row, space)).toSorted(byDue),
        closed: closed
          .filter(row => inSpace(row, space))
          .toSorted((a, b) => Date.parse(b.closed_at ?? b.updated_at) - Date.parse(a.closed_at ?? a.updated_at)),
      };
    },
  };
}

export type Colleague = { id: string; name: string };

/** Everybody of an organisation who may be asked to do something, by name. */
export function colleagues(organizationId: string): Query<Colleague[]> {
  return {
    key: `action-items/colleagues/${organizationId}`,
    tables: ['people', 'organization_members'],
    async read(tx) {
      const members = await tx.range('organization_members', 'organization', organizationId, organizationId);
      const ids = new Set(members.filter(row => row.deleted_at === null).map(row => row.user_id));
      const people = await tx.all('people');
      return people
        .filter(person => ids.has(person.id))
        .map(person => ({ id: person.id, name: person.display_name ?? '' }))
        .filter(person => person.name !== '')
        .toSorted((a, b) => a.name.localeCompare(b.name));
    },
  };
}
