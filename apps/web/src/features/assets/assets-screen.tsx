import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { register, type Asset, type Register } from '@cairn/core/assets/queries.ts';
import { serviceStatus } from '@cairn/core/assets/service-status.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { VirtualRows } from '@cairn/ui/data/virtual-rows.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useOpenedAtOnce } from '../../shared/page/use-opened-at-once.ts';
import { AssetFace } from './asset-face.tsx';
import { AssetForm } from './asset-form.tsx';
import { AssetBranches } from './asset-branches.tsx';
import { ASSET_STATES, fitsAsset } from './asset-labels.ts';
import './assets.css';

type Props = {
  title: string;
  /** A code that a scan found no asset for: opens an empty one with it at once; told when it has. */
  code: string | undefined;
  onMaking: () => void;
  renderAsset: (id: string, face: ReactNode) => ReactNode;
  scanLink: ReactNode;
  onMade: (id: string) => void;
};

type AssetFilter = { typed: string; status: string };

/** The register: everything the organisation looks after, as a list or as what is part of what. */
export function AssetsScreen({ title, code, onMaking, renderAsset, scanLink, onMade }: Props) {
  const { t } = useTranslation('assets');
  const { organization, may } = useSpace();
  const found = useLive(register(organization.id));
  const [isTree, setTree] = useState(false);
  const [shown, setShown] = useState<AssetFilter>({ typed: '', status: '' });
  const [making, setMaking] = useOpenedAtOnce(code !== undefined, onMaking);
  // Kept: the address loses it as soon as the sheet is open.
  const [scanned, setScanned] = useState(code ?? '');
  const mayManage = may('asset.manage');
  const close = () => {
    setMaking(false);
    setScanned('');
  };
  const make = mayManage && (
    <Button variant="primary" icon={Plus} onClick={() => setMaking(true)}>
      {t('new')}
    </Button>
  );
  const all = found.status === 'ready' ? found.answer.assets : [];
  return (
    <div className="parts foot-room">
      <div className="page-head">
        <h1 className="h1">{title}</h1>
        <div className="row wrap">
          {scanLink}
          {make}
        </div>
      </div>
      {all.length > 0 && <Tools shown={shown} onShown={setShown} isTree={isTree} onTree={setTree} />}
      {found.status === 'loading' && <SkeletonRows label={t('loading')} />}
      {found.status === 'ready' && all.length === 0 && (
        <EmptyState title={t('empty.title')} action={make || undefined}>
          {t(mayManage ? 'empty.text' : 'empty.textOthers')}
        </EmptyState>
      )}
      {found.status === 'ready' && all.length > 0 && (
        <Found register={found.answer} shown={shown} isTree={isTree} renderAsset={renderAsset} />
      )}
      {making && mayManage && found.status === 'ready' && (
        <AssetForm register={found.answer} code={scanned} onClose={close} onSaved={onMade} />
      )}
    </div>
  );
}

type ToolsProps = {
  shown: AssetFilter;
  onShown: (shown: AssetFilter) => void;
  isTree: boolean;
  onTree: (isTree: boolean) => void;
};

function Tools({ shown, onShown, isTree, onTree }: ToolsProps) {
  const { t } = useTranslation('assets');
  return (
    <div className="asset-tools">
      <SearchInput
        label={t('search')}
        clearLabel={t('clear')}
        value={shown.typed}
        onChange={typed => onShown({ ...shown, typed })}
      />
      <Select
        label={t('field.status')}
        labelHidden
        choices={[
          { value: '', label: t('everyStatus') },
          ...ASSET_STATES.map(value => ({ value, label: t(`status.${value}`) })),
        ]}
        value={shown.status}
        onChange={event => onShown({ ...shown, status: event.target.value })}
      />
      <Segmented
        label={t('view.label')}
        value={isTree ? 'tree' : 'list'}
        onChange={value => onTree(value === 'tree')}
        options={[
          { value: 'list', label: t('view.list') },
          { value: 'tree', label: t('view.tree') },
        ]}
      />
    </div>
  );
}

type FoundProps = { register: Register; shown: AssetFilter; isTree: boolean; renderAsset: Props['renderAsset'] };

function Found({ register: { assets, sites, holds }, shown, isTree, renderAsset }: FoundProps) {
  const { t } = useTranslation('assets');
  // What is retired is out of the way until it is asked for.
  const wanted = (asset: Asset) => {
    const status = serviceStatus(asset, holds.get(asset.id));
    return shown.status === '' ? status !== 'retired' : status === shown.status;
  };
  const rows = assets.filter(asset => wanted(asset) && fitsAsset(asset, shown.typed.trim()));
  const siteOf = new Map(sites.map(site => [site.id, site.name]));
  if (rows.length === 0) return <EmptyState title={t('empty.found')}>{t('empty.foundText')}</EmptyState>;
  if (isTree) return <AssetBranches assets={rows} holds={holds} renderAsset={renderAsset} />;
  return (
    <Card flush>
      <VirtualRows
        rows={rows}
        estimate={68}
        label={t('list')}
        renderRow={asset =>
          renderAsset(asset.id, <AssetFace asset={asset} site={siteOf.get(asset.site_id ?? '')} holds={holds} />)
        }
      />
    </Card>
  );
}
