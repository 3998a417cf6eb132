import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { isInForce } from '../policies/version-states.ts';
import { activeMembers } from '../spaces/colleagues.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';

export type DashboardFigures = {
  /** Policies in force in the organisation: the rows of `policyEntries` that are in force. */
  activePolicies: number;
  /** The rows of `activeMembers`. */
  teamMembers: number;
};

/**
 * The figures of the company dashboard that are counts of the organisation. The others are the compliance rate
 * (dashboard/compliance.ts) and what is pending, which is counted where its rows are read (`pendingCount`).
 */
export function dashboardFigures(organizationId: string): Query<DashboardFigures> {
  return {
    key: `analytics/dashboardFigures/${organizationId}`,
    tables: ['organization_members', 'policies'],
    async read(tx) {
      const [members, policies] = await Promise.all([
        activeMembers(tx, organizationId),
        tx.range('policies', 'organization', organizationId, organizationId),
      ]);
      return { activePolicies: policies.filter(isInForce).length, teamMembers: members.length };
    },
  };
}

export type RecentRecord = { id: string; title: string; /** ISO 8601. */ at: string } & (
  | { kind: 'inspection'; inspection: Row<'inspections'> }
  | { kind: 'action'; action: Row<'action_items'> }
);

/** What came in last: finished inspections by when the server received them, and new open action items; newest first. */
export function recentRecords(space: Space, limit = 10): Query<RecentRecord[]> {
  return {
    key: `analytics/recentRecords/${spaceKey(space)}/${limit}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const inspections = await tx.latest('inspections', 'arrived', limit, row => inSpace(row, space));
      const actions = await tx.latest('action_items', 'created', limit, row => inSpace(row, space));
      const all = [...inspections.map(arrivedInspection), ...actions.map(arrivedAction)];
      return all.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, limit);
    },
  };
}

const arrivedInspection = (inspection: Row<'inspections'>): RecentRecord => ({
  kind: 'inspection',
  id: inspection.id,
  title: inspection.title,
  at: inspection.received_at ?? inspection.finished_at ?? inspection.updated_at,
  inspection,
});

const arrivedAction = (action: Row<'action_items'>): RecentRecord => ({
  kind: 'action',
  id: action.id,
  title: action.title,
  at: action.created_at,
  action,
});
