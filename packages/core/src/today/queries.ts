import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { openStatuses } from '../action-items/action-status.ts';
import { actionsByStatus, byDue } from '../action-items/queries.ts';
import { byStatus } from '../field-ops/queries.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';

/** One thing to do. `title`, `dueAt` (ISO 8601) and `id` are the record's. */
export type TodayItem = { id: string; title: string; dueAt: string | null } & (
  | { kind: 'inspection'; inspection: Row<'inspections'> }
  | { kind: 'action'; action: Row<'action_items'> }
);

export type Today = {
  /** What to do first: the draft that was begun last, else what is due first. */
  next: TodayItem | null;
  /** Everything to do by the end of today, drafts first, then by due date; `next` is one of them. */
  items: TodayItem[];
  /** My open action items that are due later or have no date. */
  later: TodayItem[];
};

export type TodayRequest = {
  space: Space;
  userId: string;
  /** The end of the device's local day, ISO 8601. */
  endOfDay: string;
};

/**
 * What a person has to do: their drafts, inspections scheduled for them or for nobody in particular, and their open
 * action items. What is overdue stays in it.
 */
export function today({ space, userId, endOfDay }: TodayRequest): Query<Today> {
  return {
    key: `today/today/${spaceKey(space)}/${userId}/${endOfDay}`,
    tables: ['inspections', 'action_items'],
    async read(tx) {
      const inspections = (await byStatus(tx, ['in_progress', 'scheduled']))
        .filter(row => inSpace(row, space) && isMine(row, userId))
        .map(inspectionItem);
      const actions = (await actionsByStatus(tx, openStatuses))
        .filter(row => inSpace(row, space) && row.assignee_id === userId)
        .map(actionItem);
      const sorted = [...inspections, ...actions].toSorted(byUrgency);
      const items = sorted.filter(item => isDraft(item) || isDueBy(item, endOfDay));
      return {
        next: items[0] ?? null,
        items,
        later: sorted.filter(item => item.kind === 'action' && !isDueBy(item, endOfDay)),
      };
    },
  };
}

const isDueBy = ({ dueAt }: TodayItem, instant: string): boolean =>
  dueAt !== null && Date.parse(dueAt) <= Date.parse(instant);

/** Whether something is past its due date at the instant `now` (ISO 8601). */
export const isOverdue = ({ dueAt }: { dueAt: string | null }, now: string): boolean =>
  dueAt !== null && Date.parse(dueAt) < Date.parse(now);

function isMine(row: Row<'inspections'>, userId: string): boolean {
  if (row.status === 'in_progress') return row.conducted_by === userId;
  return row.assigned_to === userId || row.assigned_to === null;
}

const inspectionItem = (inspection: Row<'inspections'>): TodayItem => ({
  kind: 'inspection',
  id: inspection.id,
  title: inspection.title,
  dueAt: inspection.due_at,
  inspection,
});

const actionItem = (action: Row<'action_items'>): TodayItem => ({
  kind: 'action',
  id: action.id,
  title: action.title,
  dueAt: action.due_at,
  action,
});

const isDraft = (item: TodayItem): boolean => item.kind === 'inspection' && item.inspection.status === 'in_progress';
const startOf = (item: TodayItem): number =>
  item.kind === 'inspection' ? Date.parse(item.inspection.started_at ?? item.inspection.created_at) : 0;

function byUrgency(a: TodayItem, b: TodayItem): number {
  if (isDraft(a) && isDraft(b)) return startOf(b) - startOf(a);
  if (isDraft(a) !== isDraft(b)) return isDraft(a) ? -1 : 1;
  return byDue({ due_at: a.dueAt, id: a.id }, { due_at: b.dueAt, id: b.id });
}
