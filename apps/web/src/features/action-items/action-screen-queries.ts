import { proposalsAmong, RECURRENCE_TABLES, type Proposal } from '@cairn/core/action-items/recurrence-queries.ts';
import { byUrgency, actionsByStatus } from '@cairn/core/action-items/queries.ts';
import { openStatuses, type ActionStatus } from '@cairn/core/action-items/action-status.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

export type Action = Row<'action_items'>;

export type ActionLists = {
  /** What is critical first, then earliest due, so that what is late leads. */
  open: Action[];
  /** Ended last first. */
  closed: Action[];
  /** Names of the assets they are about, by id. */
  assets: ReadonlyMap<string, string>;
  /** What recurs among them and is not answered. */
  proposals: Proposal[];
};

const ENDED: readonly ActionStatus[] = ['closed', 'risk_accepted', 'duplicate', 'not_valid'];

/** @param asOf ISO 8601, for what recurs; null does not look for that */
export function actionLists(space: Space, asOf: string | null): Query<ActionLists> {
  return {
    key: `action-items/lists/${spaceKey(space)}/${asOf ?? ''}`,
    tables: asOf === null ? ['action_items', 'assets'] : RECURRENCE_TABLES,
    async read(tx) {
      const open = (await actionsByStatus(tx, openStatuses)).filter(row => inSpace(row, space));
      const closed = (await actionsByStatus(tx, ENDED)).filter(row => inSpace(row, space));
      return {
        open: open.toSorted(byUrgency),
        closed: closed.toSorted(
          (a, b) => Date.parse(b.closed_at ?? b.updated_at) - Date.parse(a.closed_at ?? a.updated_at),
        ),
        assets: await assetNames(tx, [...open, ...closed]),
        proposals: asOf === null ? [] : await proposalsAmong(tx, [...open, ...closed], asOf),
      };
    },
  };
}

async function assetNames(tx: Tx, actions: readonly Action[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actions.flatMap(({ asset_id: asset }) => asset ?? []))];
  const assets = await Promise.all(ids.map(id => tx.get('assets', id)));
  return new Map(assets.flatMap(asset => (asset ? [[asset.id, asset.name] as const] : [])));
}
