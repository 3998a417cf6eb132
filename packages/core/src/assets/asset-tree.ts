import type { Asset } from './queries.ts';

export type AssetNode = { asset: Asset; parts: AssetNode[] };

/**
 * The assets as a tree: each below what it is part of. One whose parent is not among them stands on the first level; of a
 * ring (two phones may close one without signal) the first by order stands there too, so that nothing is out of sight.
 */
export function assetTree(assets: readonly Asset[]): AssetNode[] {
  const ids = new Set(assets.map(({ id }) => id));
  const parts = new Map<string, Asset[]>();
  for (const asset of assets) {
    const parent = asset.parent_id;
    if (parent !== null && ids.has(parent)) parts.set(parent, [...(parts.get(parent) ?? []), asset]);
  }
  const placed = new Set<string>();
  const nodeOf = (asset: Asset): AssetNode => {
    placed.add(asset.id);
    const below = (parts.get(asset.id) ?? []).filter(({ id }) => !placed.has(id));
    return { asset, parts: below.map(nodeOf) };
  };
  const tops = assets.filter(({ parent_id: parent }) => parent === null || !ids.has(parent)).map(nodeOf);
  const ringed: AssetNode[] = [];
  for (const asset of assets) if (!placed.has(asset.id)) ringed.push(nodeOf(asset));
  return [...tops, ...ringed];
}

/** Ids of an asset and of everything that is part of it: what it may not be put into. */
export function withParts(id: string, assets: readonly Asset[]): ReadonlySet<string> {
  const found = new Set([id]);
  for (let before = 0; before < found.size;) {
    before = found.size;
    for (const asset of assets) if (asset.parent_id !== null && found.has(asset.parent_id)) found.add(asset.id);
  }
  return found;
}
