import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { actionsByStatus } from '../action-items/queries.ts';
import { isEnded, openStatuses } from '../action-items/action-status.ts';

type Action = Row<'action_items'>;
type HoldCandidate = Pick<Action, 'asset_id' | 'deleted_at' | 'priority' | 'source_type' | 'status'>;

/**
 * Whether an action item keeps its asset out of service: a critical one, of an inspection or a reported issue, until its work is
 * verified or it ends by the word of somebody who may end it. The database holds the same rule (`action.holds_asset`).
 */
export const holdsAsset = ({
  asset_id: asset,
  deleted_at: gone,
  priority,
  source_type: source,
  status,
}: HoldCandidate): boolean =>
  asset !== null &&
  gone === null &&
  priority === 'critical' &&
  (source === 'inspection' || source === 'issue_report') &&
  !isEnded(status);

/** Action items that keep assets out of service, by asset, the first that did so first. */
export type HoldsByAsset = ReadonlyMap<string, Action[]>;

/** What `holdsIn` reads. */
export const HOLDS_TABLES = ['action_items'] as const;

/** Every asset of an organisation that is out of service through a critical failure, as far as this device knows. */
export async function holdsIn(tx: Tx, organizationId: string): Promise<HoldsByAsset> {
  const open = await actionsByStatus(tx, openStatuses);
  const holding = open
    .filter(row => row.organization_id === organizationId && holdsAsset(row))
    .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));
  return Map.groupBy(holding, row => row.asset_id ?? '');
}

/**
 * The state an asset is in: what was entered in the register, and "down" while a critical failure keeps it out of service. What is
 * retired stays retired. The database holds the same rule (`asset.service_status`).
 *
 * @param actions action items about it, all or those that keep it out of service
 */
export const serviceStatus = (
  asset: Pick<Row<'assets'>, 'status'>,
  actions: readonly HoldCandidate[] = [],
): Row<'assets'>['status'] => (asset.status !== 'retired' && actions.some(holdsAsset) ? 'down' : asset.status);

/** What keeps an asset out of service. `since`: when it was found, device time of whoever found it, ISO 8601. */
export type Hold = { action: Action; since: string };

/** What keeps one asset out of service, the first that did so first; none where nothing does. */
export function holdsOf(assetId: string): Query<Hold[]> {
  return {
    key: `assets/holdsOf/${assetId}`,
    tables: ['assets', 'inspections', ...HOLDS_TABLES],
    async read(tx) {
      const asset = await tx.get('assets', assetId);
      const holding = asset ? ((await holdsIn(tx, asset.organization_id)).get(asset.id) ?? []) : [];
      const holds = await Promise.all(holding.map(async action => ({ action, since: await foundAt(tx, action) })));
      return holds.toSorted((a, b) => Date.parse(a.since) - Date.parse(b.since));
    },
  };
}

/** A row is made when it arrives; what was found with no signal was found when its inspection was finished. */
async function foundAt(tx: Tx, { source_id: source, created_at: made }: Action): Promise<string> {
  const inspection = source === null ? undefined : await tx.get('inspections', source);
  return inspection?.finished_at ?? made;
}
