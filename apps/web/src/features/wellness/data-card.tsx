import { useState, type ReactNode } from 'react';
import { Download, Eye, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { removeAllCheckIns, type CheckIn } from '@cairn/core/wellness/check-in.ts';
import { checkInsCsv, checkInsJson, closedNotes, type ExportedCheckIn } from '@cairn/core/wellness/export-check-ins.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Confirm } from '@cairn/ui/overlays/confirm.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { Card, CardHead } from '@cairn/ui/layout/surface.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { saveFile } from '../../shared/files/save-file.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import type { Notes } from './use-private-notes.ts';

type Props = { rows: readonly CheckIn[]; notes: Notes; employerLink: ReactNode };

/** Who sees this, and the way to take everything along or away. */
export function DataCard({ rows, notes, employerLink }: Props) {
  const { t } = useTranslation('wellness');
  const store = useStore();
  const [asking, setAsking] = useState(false);
  const exporting = useAction(async (kind: 'csv' | 'json') => {
    const all = await withNotes(rows, notes);
    const text = kind === 'csv' ? checkInsCsv(all) : checkInsJson(all);
    saveFile(`cairn-check-ins.${kind}`, new Blob([text], { type: kind === 'csv' ? 'text/csv' : 'application/json' }));
    const left = closedNotes(all);
    toast({ title: left > 0 ? t('data.withoutNotes', { count: left }) : t('data.exported') });
  });
  const removing = useAction(async () => {
    const count = await store.write('wellness.removeAll', tx => removeAllCheckIns(tx));
    toast({ title: t('data.removed', { count }) });
  });
  const failure = exporting.failure ?? removing.failure;
  return (
    <Card label={t('data.title')} className="parts">
      <CardHead title={t('data.title')} />
      <p className="row sm muted">
        <Icon of={Eye} size="s" />
        {t('data.employer')}
      </p>
      <p className="muted sm">{t('data.circle')}</p>
      <div className="row wrap">{employerLink}</div>
      <FailureLine failure={failure} />
      <div className="row wrap">
        <Button icon={Download} disabled={rows.length === 0} onClick={() => exporting.run('csv')}>
          {t('data.csv')}
        </Button>
        <Button icon={Download} disabled={rows.length === 0} onClick={() => exporting.run('json')}>
          {t('data.json')}
        </Button>
        <Button variant="danger" icon={Trash2} disabled={rows.length === 0} onClick={() => setAsking(true)}>
          {t('data.removeAll')}
        </Button>
      </div>
      <Confirm
        open={asking}
        onOpenChange={setAsking}
        title={t('data.removeTitle')}
        confirmLabel={t('data.removeAll')}
        cancelLabel={t('cancel')}
        danger
        onConfirm={() => removing.run()}
      >
        {t('data.removeText', { count: rows.length })}
      </Confirm>
    </Card>
  );
}

async function withNotes(rows: readonly CheckIn[], notes: Notes): Promise<ExportedCheckIn[]> {
  const all: ExportedCheckIn[] = [];
  for (const checkIn of rows) {
    all.push({ checkIn, note: checkIn.note === null ? null : await notes.read(checkIn.id, checkIn.note) });
  }
  return all;
}
