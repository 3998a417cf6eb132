import { useTranslation } from 'react-i18next';
import { Inbox } from 'lucide-react';
import { oneLine } from '@cairn/base/one-line.ts';
import { submittedBy, type ImporterColumns } from '@cairn/core/spaces/submitted-by.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Pill } from '@cairn/ui/feedback/pill.tsx';

/** That a record was brought in its author's name, and by whom; nothing where its author's own device sent it. */
export function SubmittedByLine({ row }: { row: ImporterColumns }) {
  // Most rows were not: they ask nothing of this device's database.
  return row.submitted_at ? <Told row={row} /> : null;
}

function Told({ row }: { row: ImporterColumns }) {
  const { t } = useTranslation('shell');
  const found = useLive(submittedBy(row));
  if (found.status === 'loading' || found.answer === null) return null;
  const by = found.answer;
  return (
    <Pill tone="warn" icon={Inbox}>
      {by === 'former' ? t('brought.former') : t('brought.by', { name: oneLine(by.name) })}
    </Pill>
  );
}
