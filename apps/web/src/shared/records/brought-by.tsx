import { useTranslation } from 'react-i18next';
import { Inbox } from 'lucide-react';
import { oneLine } from '@cairn/base/one-line.ts';
import { broughtBy, type ImporterColumns } from '@cairn/core/spaces/brought-by.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Pill } from '@cairn/ui/feedback/pill.tsx';

/** That a record was brought in its author's name, and by whom; nothing where its author's own device sent it. */
export function BroughtBy({ row }: { row: ImporterColumns }) {
  // Most rows were not: they ask nothing of this device's database.
  return row.brought_at ? <Told row={row} /> : null;
}

function Told({ row }: { row: ImporterColumns }) {
  const { t } = useTranslation('shell');
  const found = useLive(broughtBy(row));
  if (found.status === 'loading' || found.answer === null) return null;
  const by = found.answer;
  return (
    <Pill tone="warn" icon={Inbox}>
      {by === 'former' ? t('brought.former') : t('brought.by', { name: oneLine(by.name) })}
    </Pill>
  );
}
