import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ChevronRight, Search } from 'lucide-react';
import { newId } from '@cairn/base/id.ts';
import { startInspection } from '@cairn/core/inspections/start-inspection.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { EmptyState } from '@cairn/ui/feedback/empty-state.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { RadioCards } from '@cairn/ui/controls/choice.tsx';
import { RowFace, rowClass } from '@cairn/ui/layout/surface.tsx';
import { usedFeature } from '../../../shared/analytics/used-feature.ts';
import { OutOfService } from '../../../shared/records/out-of-service.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { startChoices, type StartChoices } from './inspection-queries.ts';
import './start-sheet.css';

type Props = {
  /** What is inspected, where that is known already. */
  asset?: Row<'assets'>;
  onClose: () => void;
  onStarted: (inspectionId: string) => void;
};

/** Form, then asset, then start. Everything comes from this device. */
export function StartSheet({ asset, onClose, onStarted }: Props) {
  const { t } = useTranslation('field');
  const { organization, playbook } = useSpace();
  const { user } = useSignedIn();
  const store = useStore();
  const choices = useLive(startChoices({ organizationId: organization.id, playbookId: playbook?.id ?? null }));
  const [form, setForm] = useState<Row<'forms'> | null>(null);
  /** Null until chosen; empty for no asset. */
  const [assetId, setAsset] = useState<string | null>(asset?.id ?? null);
  const [missing, setMissing] = useState(false);
  const starting = useAction(async () => {
    if (!form) return;
    const id = newId();
    await store.write('field-ops.start', tx =>
      startInspection(tx, {
        id,
        formId: form.id,
        playbookId: playbook?.id ?? null,
        ...(assetId && { assetId }),
        by: user.id,
        at: new Date().toISOString(),
      }),
    );
    usedFeature('inspection', 'begun');
    onStarted(id);
  });
  const asksForAsset = choices.status === 'ready' && form !== null && fittingAssets(choices.answer, form).length > 0;
  return (
    <Sheet
      open
      onOpenChange={open => !open && onClose()}
      title={asset ? t('startSheet.titleOf', { asset: asset.name }) : t('startSheet.title')}
      closeLabel={t('startSheet.close')}
      actions={
        form && (
          <Button
            variant="primary"
            size="lg"
            block
            busy={starting.busy}
            onClick={() => (assetId === null && asksForAsset ? setMissing(true) : starting.run())}
          >
            {t('start')}
          </Button>
        )
      }
    >
      {choices.status === 'loading' && <SkeletonRows label={t('loading')} rows={3} />}
      {choices.status === 'ready' && !form && <FormPart forms={formsFor(choices.answer, asset)} onChoose={setForm} />}
      {choices.status === 'ready' && form && (
        <>
          <p className="row between start-form">
            <span className="strong">{form.name}</span>
            <Button variant="plain" size="sm" onClick={() => setForm(null)}>
              {t('startSheet.change')}
            </Button>
          </p>
          {!asset && (
            <AssetPart
              choices={choices.answer}
              form={form}
              value={assetId}
              onChoose={setAsset}
              error={missing && assetId === null ? t('startSheet.assetNeeded') : undefined}
            />
          )}
        </>
      )}
      {choices.status === 'ready' && form && (
        <ChosenAsset assets={choices.answer.assets} asset={asset} assetId={assetId} />
      )}
      <FailureLine failure={starting.failure} />
    </Sheet>
  );
}

type ChosenProps = { assets: readonly Row<'assets'>[]; asset: Row<'assets'> | undefined; assetId: string | null };

/** Says of what was chosen that it is out of service, where it is. */
function ChosenAsset({ assets, asset, assetId }: ChosenProps) {
  const chosen = asset ?? assets.find(({ id }) => id === assetId);
  return chosen ? <OutOfService key={chosen.id} asset={chosen} isInspected /> : null;
}

/** Below this many a search box would only be in the way. */
const FEW = 6;

type FormProps = { forms: readonly Row<'forms'>[]; onChoose: (form: Row<'forms'>) => void };

function FormPart({ forms: all, onChoose }: FormProps) {
  const { t } = useTranslation('field');
  const [wanted, setWanted] = useState('');
  const forms = all.filter(form => has(wanted, form.name, form.category));
  if (all.length === 0) {
    return <EmptyState title={t('startSheet.noForms')}>{t('startSheet.noFormsText')}</EmptyState>;
  }
  return (
    <div className="stack">
      <p className="label">{t('startSheet.form')}</p>
      {all.length > FEW && <SearchBox label={t('startSheet.formSearch')} value={wanted} onChange={setWanted} />}
      <ul className="list start-list" aria-label={t('startSheet.form')}>
        {forms.map(form => (
          <li key={form.id}>
            <button type="button" className={rowClass} onClick={() => onChoose(form)}>
              <RowFace
                title={form.name}
                detail={[form.category, form.minutes && t('startSheet.minutes', { count: form.minutes })]
                  .filter(Boolean)
                  .join(' · ')}
                end={<Icon of={ChevronRight} className="flip muted" />}
              />
            </button>
          </li>
        ))}
      </ul>
      {forms.length === 0 && <p className="muted">{t('startSheet.noFormsFound')}</p>}
    </div>
  );
}

type AssetProps = {
  choices: StartChoices;
  form: Row<'forms'>;
  value: string | null;
  onChoose: (assetId: string) => void;
  error: string | undefined;
};

/** Forms that are meant for an asset, those made for its kind first; all where none is given. */
function formsFor({ forms }: StartChoices, asset: Row<'assets'> | undefined): Row<'forms'>[] {
  if (!asset) return forms;
  const own = forms.filter(form => form.asset_category && form.asset_category === asset.category);
  return [...own, ...forms.filter(form => !form.asset_category)];
}

/** Assets the form is meant for; all where it says nothing. */
const fittingAssets = ({ assets }: StartChoices, form: Row<'forms'>) =>
  assets.filter(asset => !form.asset_category || asset.category === form.asset_category);

/** As many as a person scrolls through; the search narrows the rest. */
const SHOWN = 30;

function AssetPart({ choices, form, value, onChoose, error }: AssetProps) {
  const { t } = useTranslation('field');
  const [wanted, setWanted] = useState('');
  const fitting = fittingAssets(choices, form);
  const found = fitting.filter(asset => has(wanted, asset.name, asset.code, asset.location));
  return (
    <div className="stack">
      {fitting.length > FEW && <SearchBox label={t('startSheet.assetSearch')} value={wanted} onChange={setWanted} />}
      <RadioCards
        label={t('startSheet.asset')}
        value={value}
        error={error}
        onChange={onChoose}
        options={[
          ...found.slice(0, SHOWN).map(asset => ({
            value: asset.id,
            label: asset.name,
            hint: [choices.holds.has(asset.id) && t('service.short'), asset.code, asset.location]
              .filter(Boolean)
              .join(' · '),
          })),
          { value: '', label: t('startSheet.noAsset'), hint: t('startSheet.noAssetHint') },
        ]}
      />
      {found.length === 0 && fitting.length > 0 && <p className="muted sm">{t('startSheet.noAssetsFound')}</p>}
    </div>
  );
}

function SearchBox({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <Input
      type="search"
      label={label}
      labelHidden
      placeholder={label}
      value={value}
      onChange={event => onChange(event.target.value)}
      end={<Icon of={Search} size="s" />}
    />
  );
}

const has = (wanted: string, ...texts: (string | null)[]): boolean => {
  const word = wanted.trim().toLocaleLowerCase();
  return word === '' || texts.some(text => text?.toLocaleLowerCase().includes(word));
};
