import { addDays, localDay } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { openStatuses } from '../action-items/action-status.ts';
import { byStatus } from '../field-ops/inspection-rows.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';
import { complianceRate } from './compliance.ts';

export type DashboardFigures = {
  /** Null: policies are not kept yet; the tile shows "–". */
  activePolicies: null;
  pendingTasks: number;
  /** Whole per cent over 90 days; null when nothing was due. */
  complianceRate: number | null;
  teamMembers: number;
};

const PERIOD_DAYS = 90;

/** The four figures of the company dashboard. `today`: the device's local day, YYYY-MM-DD. */
export function dashboardFigures(request: { space: Space; userId: string; today: string }): Query<DashboardFigures> {
  const { space, userId, today } = request;
  return {
    key: `analytics/dashboardFigures/${spaceKey(space)}/${userId}/${today}`,
    tables: ['inspections', 'action_items', 'organization_members'],
    async read(tx) {
      const inspections = (await tx.all('inspections')).filter(row => inSpace(row, space));
      const actions = (await tx.all('action_items')).filter(row => inSpace(row, space));
      const members = await tx.range(
        'organization_members',
        'organization',
        space.organizationId,
        space.organizationId,
      );
      const period = { from: addDays(today, -PERIOD_DAYS), to: today };
      return {
        activePolicies: null,
        pendingTasks:
          inspections.filter(row => isPending(row, userId)).length + actions.filter(isOpenFor(userId)).length,
        complianceRate: complianceRate(inspections, actions, period),
        teamMembers: members.filter(({ deleted_at: left }) => left === null).length,
      };
    },
  };
}

const isOpenFor = (userId: string) => (row: Row<'action_items'>) =>
  row.assignee_id === userId && openStatuses.includes(row.status);

const isPending = (row: Row<'inspections'>, userId: string): boolean =>
  (row.status === 'scheduled' && row.assigned_to === userId) ||
  (row.status === 'in_progress' && row.conducted_by === userId);

const FINISHED = ['finalised', 'has_issues', 'approved', 'rejected', 'closed'] as const;

export type WeekOfInspections = {
  /** Its Monday, YYYY-MM-DD. */
  week: string;
  finished: number;
  failed: number;
};

/** Inspections finished in each of the last weeks, the oldest first; the last is the week of `today`. */
export function inspectionTrend(request: { space: Space; today: string; weeks: number }): Query<WeekOfInspections[]> {
  const { space, today, weeks } = request;
  return {
    key: `analytics/inspectionTrend/${spaceKey(space)}/${today}/${weeks}`,
    tables: ['inspections'],
    async read(tx) {
      const rows = (await byStatus(tx, FINISHED)).filter(row => inSpace(row, space));
      const last = mondayOf(today);
      return Array.from({ length: weeks }, (_, index) => {
        const week = addDays(last, (index - weeks + 1) * 7);
        const inWeek = rows.filter(({ finished_at: at }) => at !== null && mondayOf(localDay(new Date(at))) === week);
        return { week, finished: inWeek.length, failed: inWeek.filter(({ result }) => result === 'fail').length };
      });
    },
  };
}

/** The Monday of a day's week, YYYY-MM-DD. */
function mondayOf(day: string): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return addDays(day, -((weekday + 6) % 7));
}

export type Arrival = { id: string; title: string; /** ISO 8601. */ at: string } & (
  | { kind: 'inspection'; inspection: Row<'inspections'> }
  | { kind: 'action'; action: Row<'action_items'> }
);

/** What came in last: finished inspections by when the server received them, and new action items; newest first. */
export function recentArrivals(space: Space, limit = 10): Query<Arrival[]> {
  return {
    key: `analytics/recentArrivals/${spaceKey(space)}/${limit}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const inspections = (await byStatus(tx, FINISHED)).filter(row => inSpace(row, space)).map(arrivedInspection);
      const actions = (await tx.all('action_items')).filter(row => inSpace(row, space)).map(arrivedAction);
      return [...inspections, ...actions].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at)).slice(0, limit);
    },
  };
}

const arrivedInspection = (inspection: Row<'inspections'>): Arrival => ({
  kind: 'inspection',
  id: inspection.id,
  title: inspection.title,
  at: inspection.received_at ?? inspection.finished_at ?? inspection.updated_at,
  inspection,
});

const arrivedAction = (action: Row<'action_items'>): Arrival => ({
  kind: 'action',
  id: action.id,
  title: action.title,
  at: action.created_at,
  action,
});
