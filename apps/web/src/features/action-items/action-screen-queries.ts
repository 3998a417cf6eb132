import { byDue, actionsByStatus } from '@cairn/core/action-items/queries.ts';
import { openStatuses, type ActionStatus } from '@cairn/core/action-items/action-status.ts';
import { inSpace, spaceKey, type Space } from '@cairn/core/spaces/space.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';

export type Action = Row<'action_items'>;

export type ActionLists = {
  /** Earliest due first, so that what is late leads. */
  open: Action[];
  /** Ended last first. */
  closed: Action[];
  /** Names of the assets they are about, by id. */
  assets: ReadonlyMap<string, string>;
};

const ENDED: readonly ActionStatus[] = ['closed', 'risk_accepted', 'duplicate', 'not_valid'];

export function actionLists(space: Space): Query<ActionLists> {
  return {
    key: `action-items/lists/${spaceKey(space)}`,
    tables: ['action_items', 'assets'],
    async read(tx) {
      const open = (await actionsByStatus(tx, openStatuses)).filter(row => inSpace(row, space));
      const closed = (await actionsByStatus(tx, ENDED)).filter(row => inSpace(row, space));
      return {
        open: open.toSorted(byDue),
        closed: closed.toSorted(
          (a, b) => Date.parse(b.closed_at ?? b.updated_at) - Date.parse(a.closed_at ?? a.updated_at),
        ),
        assets: await assetNames(tx, [...open, ...closed]),
      };
    },
  };
}

async function assetNames(tx: Tx, actions: readonly Action[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(actions.flatMap(({ asset_id: asset }) => asset ?? []))];
  const assets = await Promise.all(ids.map(id => tx.get('assets', id)));
  return new Map(assets.flatMap(asset => (asset ? [[asset.id, asset.name] as const] : [])));
}
