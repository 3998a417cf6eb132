import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { withParts } from '@cairn/core/assets/asset-tree.ts';
import type { Asset, Register } from '@cairn/core/assets/queries.ts';
import { positionOf } from '@cairn/core/assets/nearby.ts';
import { assetProblem, saveAsset, type AssetFields, type AssetProblem } from '@cairn/core/assets/save-asset.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { PositionField } from './position-field.tsx';
import { ASSET_STATES, assetStateFrom, tagsOf } from './asset-labels.ts';

type Props = {
  register: Register;
  /** The one to change; a new one where left out. */
  asset?: Asset;
  /** What a scan read, for a new one. */
  code?: string;
  onClose: () => void;
  onSaved: (id: string) => void;
};

type AssetDraft = Omit<AssetFields, 'tags'> & { tags: string };

const typedOf = (asset: Asset | undefined, code: string): AssetDraft => ({
  name: asset?.name ?? '',
  category: asset?.category ?? '',
  code: asset?.code ?? code,
  barcode: asset?.barcode ?? '',
  location: asset?.location ?? '',
  siteId: asset?.site_id ?? null,
  parentId: asset?.parent_id ?? null,
  status: asset?.status ?? 'operational',
  serialNumber: asset?.serial_number ?? '',
  manufacturer: asset?.manufacturer ?? '',
  model: asset?.model ?? '',
  notes: asset?.notes ?? '',
  position: asset ? positionOf(asset) : null,
  tags: asset ? tagsOf(asset).join(', ') : '',
});

/** Adds an asset, or changes one. */
export function AssetForm({ register, asset, code = '', onClose, onSaved }: Props) {
  const { t } = useTranslation('assets');
  const [typed, setTyped] = useState(() => typedOf(asset, code));
  const { problem, run, busy, failure } = useSaving(asset?.id, typed, onSaved);
  const set = (part: Partial<AssetDraft>) => setTyped({ ...typed, ...part });
  return (
    <FormSheet
      title={t(asset ? 'change' : 'new')}
      closeLabel={t('close')}
      onClose={onClose}
      saveLabel={t(asset ? 'save' : 'add')}
      busy={busy}
      onSave={() => run()}
    >
      <Naming typed={typed} set={set} problem={problem} />
      <Placing typed={typed} set={set} problem={problem} register={register} id={asset?.id} />
      <Plate typed={typed} set={set} />
      <FailureLine failure={failure} />
    </FormSheet>
  );
}

function useSaving(known: string | undefined, typed: AssetDraft, onSaved: (id: string) => void) {
  const store = useStore();
  const { organization } = useSpace();
  const [problem, setProblem] = useState<AssetProblem | null>(null);
  const saving = useAction(async () => {
    const id = known ?? newId();
    const fields = { ...typed, tags: typed.tags.split(',') };
    const asset = { id, organizationId: organization.id, fields };
    const wrong = await store.read({
      key: `assets/problem/${id}/${JSON.stringify(fields)}`,
      tables: ['assets'],
      read: tx => assetProblem(tx, asset),
    });
    setProblem(wrong);
    if (wrong) return;
    await store.write('assets.save', tx => saveAsset(tx, asset));
    onSaved(id);
  });
  return { problem, ...saving };
}

type PartProps = { typed: AssetDraft; set: (part: Partial<AssetDraft>) => void };

function Naming({ typed, set, problem }: PartProps & { problem: AssetProblem | null }) {
  const { t } = useTranslation('assets');
  return (
    <>
      <Input
        label={t('field.name')}
        value={typed.name}
        maxLength={200}
        error={problem === 'nameNeeded' ? t('problem.nameNeeded') : undefined}
        onChange={event => set({ name: event.target.value })}
      />
      <Input
        label={t('field.code')}
        hint={t('field.codeHint')}
        value={typed.code}
        maxLength={200}
        error={problem === 'codeTaken' ? t('problem.codeTaken') : undefined}
        onChange={event => set({ code: event.target.value })}
      />
      <Input
        label={t('field.barcode')}
        hint={t('field.barcodeHint')}
        value={typed.barcode}
        maxLength={200}
        error={problem === 'barcodeTaken' ? t('problem.barcodeTaken') : undefined}
        onChange={event => set({ barcode: event.target.value })}
      />
      <Select
        label={t('field.status')}
        choices={ASSET_STATES.map(value => ({ value, label: t(`status.${value}`) }))}
        value={typed.status}
        onChange={event => set({ status: assetStateFrom(event.target.value) })}
      />
    </>
  );
}

type PlacingProps = PartProps & { problem: AssetProblem | null; register: Register; id: string | undefined };

function Placing({ typed, set, problem, register: { assets, sites }, id }: PlacingProps) {
  const { t } = useTranslation('assets');
  const inside = id === undefined ? new Set<string>() : withParts(id, assets);
  const parents = assets.filter(asset => !inside.has(asset.id));
  return (
    <>
      <Select
        label={t('field.site')}
        placeholder={t('field.noSite')}
        choices={sites.map(site => ({ value: site.id, label: site.name }))}
        value={typed.siteId ?? ''}
        onChange={event => set({ siteId: event.target.value || null })}
      />
      <Input
        label={t('field.location')}
        hint={t('field.locationHint')}
        value={typed.location}
        maxLength={200}
        onChange={event => set({ location: event.target.value })}
      />
      <PositionField position={typed.position} onChange={position => set({ position })} />
      <Select
        label={t('field.parent')}
        placeholder={t('field.noParent')}
        choices={parents.map(asset => ({ value: asset.id, label: asset.name }))}
        value={typed.parentId ?? ''}
        error={problem === 'partOfItself' ? t('problem.partOfItself') : undefined}
        onChange={event => set({ parentId: event.target.value || null })}
      />
    </>
  );
}

const PLATE = ['category', 'manufacturer', 'model', 'serialNumber'] as const;

function Plate({ typed, set }: PartProps) {
  const { t } = useTranslation('assets');
  return (
    <>
      {PLATE.map(field => (
        <Input
          key={field}
          label={t(`field.${field}`)}
          value={typed[field]}
          maxLength={field === 'category' ? 100 : 200}
          onChange={event => set({ [field]: event.target.value })}
        />
      ))}
      <Input
        label={t('field.tags')}
        hint={t('field.tagsHint')}
        value={typed.tags}
        maxLength={500}
        onChange={event => set({ tags: event.target.value })}
      />
      <Textarea
        label={t('field.notes')}
        value={typed.notes}
        maxLength={4000}
        onChange={event => set({ notes: event.target.value })}
      />
    </>
  );
}
