import { compareCodes } from '@cairn/base/order.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import type { ActionStatus } from './action-status.ts';

/** Instants or days, ISO 8601 in UTC, compared as text: from the first up to, and without, the second. */
export type DueRange = { from: string; to: string };

/** Action items in any of these states, by the `status` key; with `due`, only those that fall due then. */
export async function actionsByStatus(
  tx: Tx,
  statuses: readonly ActionStatus[],
  due: DueRange = { from: '', to: '\uffff' },
): Promise<Row<'action_items'>[]> {
  const ranges = statuses.map(status =>
    tx.range('action_items', 'status', `${status}/${due.from}`, `${status}/${due.to}`),
  );
  return (await Promise.all(ranges)).flat();
}

/** Open action items that somebody has to do, or that they made and nobody has, by due date. */
export const openActionsOf = (tx: Tx, userId: string): Promise<Row<'action_items'>[]> =>
  tx.range('action_items', 'whose', `${userId}/`, `${userId}/\uffff`);

type DueItem = { due_at: string | null; id: string };

/** Instants are compared as instants: a server may write the same one in another way. */
export const byDue = (a: DueItem, b: DueItem): number => msOf(a) - msOf(b) || compareCodes(a.id, b.id);

/** What is critical first, whenever it is due; then by due date. */
export const byUrgency = (a: PriorityItem, b: PriorityItem): number =>
  Number(isCritical(b)) - Number(isCritical(a)) || byDue(a, b);

type PriorityItem = DueItem & Pick<Row<'action_items'>, 'priority'>;

const isCritical = ({ priority }: PriorityItem): boolean => priority === 'critical';

const msOf = ({ due_at: due }: DueItem): number => (due === null ? Number.MAX_SAFE_INTEGER : Date.parse(due));

export type OpenedActionItem = {
  item: Row<'action_items'>;
  /** The inspection it came from. */
  source: Row<'inspections'> | null;
  asset: Row<'assets'> | null;
  /** The issue report it came from. */
  report: Row<'issue_reports'> | null;
  /** The finding it answers. */
  finding: Row<'findings'> | null;
};

/** One action item with where it came from; null when it is not on this device. */
export function actionItem(id: string): Query<OpenedActionItem | null> {
  return {
    key: `action-items/actionItem/${id}`,
    tables: ['action_items', 'inspections', 'assets', 'issue_reports', 'findings'],
    async read(tx) {
      const item = await tx.get('action_items', id);
      if (!item || item.deleted_at !== null) return null;
      return {
        item,
        source: item.source_id === null ? null : ((await tx.get('inspections', item.source_id)) ?? null),
        asset: item.asset_id === null ? null : ((await tx.get('assets', item.asset_id)) ?? null),
        finding: item.source_id === null ? null : ((await tx.get('findings', item.source_id)) ?? null),
        report: item.source_id === null ? null : ((await tx.get('issue_reports', item.source_id)) ?? null),
      };
    },
  };
}
