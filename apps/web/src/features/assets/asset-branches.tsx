import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { assetTree, type AssetNode } from '@cairn/core/assets/asset-tree.ts';
import type { Asset } from '@cairn/core/assets/queries.ts';
import type { HoldsByAsset } from '@cairn/core/assets/service-status.ts';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { Tree } from '@cairn/ui/data/tree.tsx';
import type { TreeNode } from '@cairn/ui/data/tree-rows.ts';
import { AssetFace } from './asset-face.tsx';

type Props = {
  assets: readonly Asset[];
  holds: HoldsByAsset;
  renderAsset: (id: string, face: ReactNode) => ReactNode;
};

const nodeOf = ({ asset, parts }: AssetNode): TreeNode => ({
  id: asset.id,
  label: asset.name,
  ...(asset.code !== null && { detail: asset.code }),
  ...(parts.length > 0 && { children: parts.map(nodeOf) }),
});

/** What is part of what. A branch is chosen first, because choosing also folds it; the line below opens it. */
export function AssetBranches({ assets, holds, renderAsset }: Props) {
  const { t } = useTranslation('assets');
  const [chosen, setChosen] = useState<string | null>(null);
  const asset = assets.find(({ id }) => id === chosen);
  const nodes = assetTree(assets).map(nodeOf);
  return (
    <div className="parts columns first-wide">
      <Card>
        <Tree
          label={t('view.tree')}
          nodes={nodes}
          value={chosen}
          onChange={setChosen}
          open={nodes.filter(({ children }) => children).map(({ id }) => id)}
        />
      </Card>
      <Card flush label={t('chosen')} className="asset-chosen" aria-live="polite">
        {asset ? (
          renderAsset(asset.id, <AssetFace asset={asset} site={undefined} holds={holds} />)
        ) : (
          <p className="muted sm asset-hint">{t('chooseOne')}</p>
        )}
      </Card>
    </div>
  );
}
