import { compareNames } from '@cairn/base/order.ts';
import type { Row, TableName } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { mustLeaveCheck } from '../action-items/another-verifies.ts';
import { actionsByStatus, openActionsOf } from '../action-items/queries.ts';
import { openStatuses } from '../action-items/action-status.ts';
import { byStatus } from '../inspections/inspection-rows.ts';
import { isOpen } from '../inspections/inspection-states.ts';
import { OTHERS_TABLES } from '../spaces/others-at.ts';
import { mayDo, permissions } from '../spaces/permissions.ts';
import { inSpace, type Space, spaceKey } from '../spaces/space.ts';
import { byTaskDue, openTasksOf } from '../tasks/queries.ts';
import { nextOfSeries } from '../tasks/task-filter.ts';

/** One thing to do. `title`, `dueAt` (ISO 8601) and `id` are the record's. */
export type TodayItem = { id: string; title: string; dueAt: string | null } & (
  | { kind: 'inspection'; inspection: Row<'inspections'> }
  | {
      kind: 'action';
      action: Row<'action_items'>;
      /** It comes before everything else: it is critical, and this person's move. */
      isPressing: boolean;
    }
  | { kind: 'task'; task: Row<'tasks'> }
);

export type Today = {
  /** What to do first: what is critical, else the draft that was begun last, else what is due first. */
  next: TodayItem | null;
  /** Everything to do by the end of today: what is critical, drafts, then by due date; `next` is one of them. */
  items: TodayItem[];
  /**
   * What is open, mine and due later or without a date: tasks, action items, and inspections planned for me by name (of a
   * schedule the next one).
   */
  later: TodayItem[];
};

/** How much a person has to do: each of it is a row of the day that the figure opens. */
export const pendingCount = ({ items, later }: { items: readonly unknown[]; later: readonly unknown[] }): number =>
  items.length + later.length;

export type TodayRequest = {
  space: Space;
  userId: string;
  /** The end of the device's local day, ISO 8601. */
  endOfDay: string;
};

const WORK_TABLES: readonly TableName[] = [
  ...(['inspections', 'action_items', 'tasks', 'team_members'] as const),
  ...permissions('').tables,
  ...OTHERS_TABLES,
];

/**
 * What a person has to do: their drafts, inspections scheduled for them or for nobody in particular, their open
 * action items and tasks; of whoever manages action items also what is critical and nobody's, or waits for its check. What is
 * overdue stays in it, and what is critical is always due.
 */
export function today({ space, userId, endOfDay }: TodayRequest): Query<Today> {
  return {
    key: `today/today/${spaceKey(space)}/${userId}/${endOfDay}`,
    tables: WORK_TABLES,
    async read(tx) {
      const sorted = await openWork(tx, { space, userId }, endOfDay);
      const items = sorted.filter(item => isNow(item, endOfDay));
      return {
        next: items[0] ?? null,
        items,
        later: nextOfSchedules(sorted.filter(item => !isNow(item, endOfDay) && isByName(item, userId))),
      };
    },
  };
}

/**
 * What a person has to do in the days after today, by due date: inspections, tasks and action items that fall due after
 * `endOfDay` and by `until` (both ISO 8601).
 */
export function upcoming({ space, userId, endOfDay, until }: TodayRequest & { until: string }): Query<TodayItem[]> {
  return {
    key: `today/upcoming/${spaceKey(space)}/${userId}/${endOfDay}/${until}`,
    tables: WORK_TABLES,
    async read(tx) {
      const sorted = await openWork(tx, { space, userId }, until);
      return sorted.filter(item => !isNow(item, endOfDay) && isDueBy(item, until));
    },
  };
}

/** Today's duties in one organisation, told apart by who sees them. */
export type DutiesElsewhere = { organizationId: string; name: string; items: TodayItem[] };

/**
 * What is due by tonight in the person's other organisations (all but `except`), each on its own; those without anything
 * are left out.
 */
export function dutiesElsewhere(request: {
  userId: string;
  /** The organisation that is open. */
  except: string;
  endOfDay: string;
}): Query<DutiesElsewhere[]> {
  const { userId, except, endOfDay } = request;
  return {
    key: `today/dutiesElsewhere/${userId}/${except}/${endOfDay}`,
    tables: [...WORK_TABLES, 'organizations'],
    async read(tx) {
      const memberships = await tx.range('organization_members', 'user', userId, userId);
      const found: DutiesElsewhere[] = [];
      for (const { organization_id: organizationId, deleted_at: left } of memberships) {
        const organization = await tx.get('organizations', organizationId);
        if (left !== null || organizationId === except || !organization || organization.deleted_at !== null) continue;
        const work = await openWork(tx, { space: { organizationId, playbookId: null }, userId }, endOfDay);
        const items = work.filter(item => isNow(item, endOfDay));
        if (items.length > 0) found.push({ organizationId, name: organization.name, items });
      }
      return found.toSorted((a, b) => compareNames(a.name, b.name));
    },
  };
}

type PersonAndSpace = Pick<TodayRequest, 'space' | 'userId'>;

/** @param until ISO 8601: of a series everything due by then is told, and the next one after it */
async function openWork(tx: Tx, { space, userId }: PersonAndSpace, until: string): Promise<TodayItem[]> {
  const lastDueDay = until.slice(0, 10);
  const [inspections, actions, tasks, memberships, may] = await Promise.all([
    byStatus(tx, ['in_progress', 'has_issues', 'scheduled']),
    openActionsOf(tx, userId),
    openTasksOf(tx, userId),
    tx.range('team_members', 'user', userId, userId),
    permissions(userId).read(tx),
  ]);
  const manages = mayDo(may, space.organizationId, 'action.manage');
  const managed = manages ? (await actionsByStatus(tx, openStatuses)).filter(row => waitsForManager(row, userId)) : [];
  const own = [...actions.filter(row => row.assignee_id === userId), ...managed].filter(row => inSpace(row, space));
  const teams = new Set(memberships.map(member => member.team_id));
  const mine = [
    ...inspections.filter(row => inSpace(row, space) && isMine(row, userId, teams)).map(inspectionItem),
    ...(await Promise.all(own.map(async row => actionItem(row, await isTheirMove(tx, row, userId))))),
    ...nextOfSeries(tasks.filter(row => inSpace(row, space)).toSorted(byTaskDue), lastDueDay).map(taskItem),
  ];
  return mine.toSorted(byUrgency);
}

/** What is critical and nobody's, or done by somebody and not yet verified, is the business of those who manage the place. */
const waitsForManager = (row: Row<'action_items'>, userId: string): boolean =>
  row.priority === 'critical' &&
  row.assignee_id !== userId &&
  (row.assignee_id === null || (row.status === 'ready_for_verification' && row.done_by !== userId));

/** Whether something belongs to the day that ends at `endOfDay` (ISO 8601). */
const isNow = (item: TodayItem, endOfDay: string): boolean =>
  isDraft(item) || isPressing(item) || isDueBy(item, endOfDay);

/** Whether it comes before everything else. */
export const isPressing = (item: TodayItem): boolean => item.kind === 'action' && item.isPressing;

const isDueBy = ({ dueAt }: TodayItem, instant: string): boolean =>
  dueAt !== null && Date.parse(dueAt) <= Date.parse(instant);

function isMine(row: Row<'inspections'>, userId: string, teams: ReadonlySet<string>): boolean {
  if (isOpen(row.status)) return row.conducted_by === userId;
  if (row.missed_at !== null) return false;
  if (row.assigned_team !== null) return teams.has(row.assigned_team);
  return row.assigned_to === userId || row.assigned_to === null;
}

/** An inspection that anyone may do, or a whole team, is nobody's in particular before its day. */
const isByName = (item: TodayItem, userId: string): boolean =>
  item.kind !== 'inspection' || item.inspection.assigned_to === userId;

/** @param items by due date: of a schedule the first one stays */
function nextOfSchedules(items: readonly TodayItem[]): TodayItem[] {
  const shown = new Set<string>();
  return items.filter(item => {
    const schedule = item.kind === 'inspection' ? item.inspection.schedule_id : null;
    if (schedule === null) return true;
    if (shown.has(schedule)) return false;
    shown.add(schedule);
    return true;
  });
}

const inspectionItem = (inspection: Row<'inspections'>): TodayItem => ({
  kind: 'inspection',
  id: inspection.id,
  title: inspection.title,
  dueAt: inspection.due_at,
  inspection,
});

const actionItem = (action: Row<'action_items'>, isTheirs: boolean): TodayItem => ({
  kind: 'action',
  id: action.id,
  title: action.title,
  dueAt: action.due_at,
  action,
  isPressing: action.priority === 'critical' && isTheirs,
});

/** Whether a person goes on with an action item: what they said is ready is for somebody else to verify, where somebody can. */
const isTheirMove = async (tx: Tx, row: Row<'action_items'>, userId: string): Promise<boolean> =>
  row.status !== 'ready_for_verification' ||
  ![row.assignee_id, row.done_by].includes(userId) ||
  !(await mustLeaveCheck(row, userId).read(tx));

const taskItem = (task: Row<'tasks'>): TodayItem => ({
  kind: 'task',
  id: task.id,
  title: task.title,
  dueAt: task.due_at,
  task,
});

const isDraft = (item: TodayItem): boolean => item.kind === 'inspection' && isOpen(item.inspection.status);
const startOf = (item: TodayItem): number =>
  item.kind === 'inspection' ? Date.parse(item.inspection.started_at ?? item.inspection.created_at) : 0;

function byUrgency(a: TodayItem, b: TodayItem): number {
  if (isPressing(a) !== isPressing(b)) return isPressing(a) ? -1 : 1;
  if (isDraft(a) && isDraft(b)) return startOf(b) - startOf(a);
  if (isDraft(a) !== isDraft(b)) return isDraft(a) ? -1 : 1;
  return byTaskDue({ due_at: a.dueAt, id: a.id }, { due_at: b.dueAt, id: b.id });
}
