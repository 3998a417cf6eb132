import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  MAX_PACK_BYTES,
  readPackFile,
  type PackContents,
  type PackFault,
} from '@cairn/core/marketplace/pack-contents.ts';
import { packBound, type PackBound } from '@cairn/core/marketplace/pack-bounds.ts';
import { isOfRecord, NO_CONTENTS, NO_IDS } from '@cairn/core/marketplace/pack-writing.ts';
import { documentsOf, packMaterial } from '@cairn/core/marketplace/pack-update.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { CheckCards } from '@cairn/ui/controls/choice.tsx';
import { FileDrop } from '@cairn/ui/controls/file-drop.tsx';
import { useSpace } from '../../shared/session/space.ts';

/** What goes into a version: records by id, or a file's contents, which count instead. */
export type ContentsSelection = { policies: string[]; forms: string[]; file: PackContents | null };
export const NOTHING: ContentsSelection = { policies: [], forms: [], file: null };
export const isEmpty = ({ policies, forms, file }: ContentsSelection): boolean =>
  file === null && policies.length + forms.length === 0;

type Props = {
  picked: ContentsSelection;
  onPick: (picked: ContentsSelection) => void;
  /** What is in the pack already. */
  within?: PackContents;
};

/** Chooses what goes into a pack from what is in force and published, or from a file. */
export function ContentsPicker({ picked, onPick, within = NO_CONTENTS }: Props) {
  const { t } = useTranslation('marketplace');
  const { organization } = useSpace();
  const live = useLive(packMaterial(organization.id));
  const [fault, setFault] = useState<PackFault | PackBound | null>(null);
  const { policies, forms, own } = live.status === 'ready' ? live.answer : { policies: [], forms: [], own: NO_IDS };
  const hint = (part: 'policies' | 'forms', id: string) => {
    const isIn = within[part].some(({ key }) => isOfRecord(part, key, { id, own }));
    return [t(part === 'policies' ? 'kinds.policy' : 'kinds.form'), isIn && t('write.isIn')]
      .filter(Boolean)
      .join(' · ');
  };
  const options = [
    ...policies.map(({ id, title }) => ({ value: id, label: title, hint: hint('policies', id) })),
    ...forms.map(({ id, name }) => ({ value: id, label: name, hint: hint('forms', id) })),
  ];
  const choose = (ids: string[]) =>
    onPick({
      ...picked,
      policies: ids.filter(id => policies.some(policy => policy.id === id)),
      forms: ids.filter(id => forms.some(form => form.id === id)),
    });
  const take = (text: string) => {
    const read = readPackFile(text);
    const wrong = read.ok ? packBound(read.contents) : read.fault;
    setFault(wrong);
    onPick({ ...picked, file: read.ok && wrong === null ? read.contents : null });
  };
  return (
    <div className="stack market-stack">
      {options.length === 0 && live.status === 'ready' && <p className="muted">{t('desk.nothing')}</p>}
      {options.length > 0 && picked.file === null && (
        <CheckCards
          label={t('desk.chosen')}
          options={options}
          values={[...picked.policies, ...picked.forms]}
          onChange={choose}
        />
      )}
      <FileDrop
        label={t('desk.file')}
        hint={t('desk.fileHint')}
        accept=".json,application/json"
        maxBytes={MAX_PACK_BYTES}
        multiple={false}
        onFiles={([file]) => void file?.text().then(take)}
        onRefused={([first]) => setFault(first?.reason === 'size' ? 'too_large' : 'not_json')}
        error={fault ? t(`problem.${fault}`) : undefined}
      />
      {picked.file && <Banner tone="good" title={t('desk.fileRead', { count: documentsOf(picked.file).length })} />}
    </div>
  );
}
