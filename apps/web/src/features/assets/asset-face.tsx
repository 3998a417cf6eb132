import { useTranslation } from 'react-i18next';
import { Boxes } from 'lucide-react';
import type { Asset } from '@cairn/core/assets/queries.ts';
import { Icon } from '@cairn/ui/icon.tsx';
import { StatusChip } from '@cairn/ui/pill.tsx';
import { RowFace, RowIcon } from '@cairn/ui/surface.tsx';
import { STATE_FACES } from './asset-words.ts';

/** What stands in the row of an asset. */
export function AssetFace({ asset, site }: { asset: Asset; site: string | undefined }) {
  const { t } = useTranslation('assets');
  return (
    <RowFace
      start={
        <RowIcon tone={asset.status === 'down' ? 'bad' : 'neutral'}>
          <Icon of={Boxes} />
        </RowIcon>
      }
      title={asset.name}
      detail={[asset.code, asset.location, site].filter(Boolean).join(' · ')}
      end={<StatusChip state={STATE_FACES[asset.status]}>{t(`status.${asset.status}`)}</StatusChip>}
    />
  );
}
