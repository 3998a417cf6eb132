import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ReportPlaces } from '@cairn/core/issue-reports/report-places.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { FormSheet } from '@cairn/ui/overlays/form-sheet.tsx';
import { useSpace } from '../../shared/session/space.ts';
import { makeCode, useCodeAction, type MadeCode, type ReportCode } from './use-report-codes.ts';

type CodeLocation = Pick<ReportCode, 'site_id' | 'asset_id' | 'spot'>;
type Props = { places: ReportPlaces; onClose: () => void; onMade: (code: CodeLocation, made: MadeCode) => void };

/** Asks where a new code will hang. */
export function NewCode({ places, onClose, onMade }: Props) {
  const { t } = useTranslation('issueReports');
  const { organization } = useSpace();
  const [draft, setDraft] = useState({ siteId: '', assetId: '', spot: '' });
  const making = useCodeAction(makeCode);
  const near = places.assets.filter(asset => draft.siteId === '' || asset.site_id === draft.siteId);
  const make = async () => {
    const assetId = draft.assetId || null;
    // An asset is where it stands: its site follows it.
    const where = { siteId: assetId === null ? draft.siteId || null : null, assetId, spot: draft.spot };
    const made = await making.run({ organizationId: organization.id, ...where });
    if (made) onMade({ site_id: where.siteId, asset_id: assetId, spot: draft.spot.trim() || null }, made);
  };
  return (
    <FormSheet
      title={t('codes.new')}
      closeLabel={t('codes.close')}
      onClose={onClose}
      saveLabel={t('codes.make')}
      busy={making.busy}
      onSave={() => void make()}
    >
      <Select
        label={t('field.site')}
        placeholder={t('codes.everywhere')}
        choices={places.sites.map(site => ({ value: site.id, label: site.name }))}
        value={draft.siteId}
        onChange={event => setDraft({ ...draft, siteId: event.target.value, assetId: '' })}
      />
      <Select
        label={t('field.asset')}
        placeholder={t('field.noAsset')}
        choices={near.map(asset => ({ value: asset.id, label: asset.name }))}
        value={draft.assetId}
        onChange={event => setDraft({ ...draft, assetId: event.target.value })}
      />
      <Input
        label={t('codes.spot')}
        hint={t('codes.spotHint')}
        value={draft.spot}
        maxLength={80}
        onChange={event => setDraft({ ...draft, spot: event.target.value })}
      />
      {making.problem && <Banner tone="bad" title={t(`codes.problem.${making.problem}`)} />}
    </FormSheet>
  );
}
