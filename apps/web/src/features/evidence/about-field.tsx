import { useTranslation } from 'react-i18next';
import type { EvidenceTarget } from '@cairn/core/evidence/collect-evidence.ts';
import { linkableRecords } from '@cairn/core/evidence/queries.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Combobox } from '@cairn/ui/controls/combobox.tsx';
import { useSpace } from '../../shared/session/space.ts';

type Props = { value: EvidenceTarget | null; onChange: (target: EvidenceTarget) => void };

/** Chooses what a piece is about, found by typing. */
export function AboutField({ value, onChange }: Props) {
  const { t } = useTranslation('evidence');
  const { organization } = useSpace();
  const known = useLive(linkableRecords(organization.id));
  const records = known.status === 'ready' ? known.answer : [];
  return (
    <Combobox
      label={t('field.about')}
      words={{ placeholder: t('field.aboutNone'), search: t('field.aboutSearch'), none: t('field.aboutNothing') }}
      options={records.map(({ id, table, title }) => ({ value: id, label: `${title ?? ''} · ${t(`table.${table}`)}` }))}
      value={value?.id ?? null}
      onChange={id => {
        const found = records.find(record => record.id === id);
        if (found) onChange({ table: found.table, id });
      }}
    />
  );
}
