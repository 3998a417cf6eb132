import { useTranslation } from 'react-i18next';
import { Boxes } from 'lucide-react';
import type { Asset } from '@cairn/core/assets/queries.ts';
import { serviceStatus, type HoldsByAsset } from '@cairn/core/assets/service-status.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip } from '@cairn/ui/feedback/pill.tsx';
import { RowFace, RowIcon } from '@cairn/ui/layout/surface.tsx';
import { STATE_FACES } from './asset-labels.ts';

/** What stands in the row of an asset. */
export function AssetFace({ asset, site, holds }: { asset: Asset; site: string | undefined; holds: HoldsByAsset }) {
  const { t } = useTranslation('assets');
  const status = serviceStatus(asset, holds.get(asset.id));
  return (
    <RowFace
      start={
        <RowIcon tone={status === 'down' ? 'bad' : 'neutral'}>
          <Icon of={Boxes} />
        </RowIcon>
      }
      title={asset.name}
      detail={[asset.code, asset.location, site].filter(Boolean).join(' · ')}
      end={<StatusChip state={STATE_FACES[status]}>{t(`status.${status}`)}</StatusChip>}
    />
  );
}
