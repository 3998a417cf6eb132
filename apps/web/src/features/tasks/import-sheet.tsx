import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { presentCount, type TaskImportResult } from '@cairn/core/tasks/import-task.ts';
import type { ImportTask } from '@cairn/core/tasks/csv-row.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Segmented } from '@cairn/ui/controls/choice.tsx';
import { Sheet } from '@cairn/ui/overlays/dialog.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { ImportColumns } from './import-columns.tsx';
import { ImportReport } from './import-report.tsx';
import { BadRows, UnknownNames } from './import-rows.tsx';
import { ImportSource } from './import-source.tsx';
import { useTaskSpace } from './task-space.ts';
import { useImport, type KnownRows } from './use-import.ts';
import { useTaskReading, type TaskReading } from './use-task-reading.ts';

type Props = { onClose: () => void; onShow: (imported: readonly TaskImportResult[]) => void };

/** Brings tasks from a CSV file: first says what it would take, then takes it and says what became of each row. */
export function ImportSheet({ onClose, onShow }: Props) {
  const { t } = useTranslation('taskFiles');
  const reading = useTaskReading();
  const importing = useImport();
  const [known, setKnown] = useState<KnownRows>('leave');
  const { rows } = reading;
  const tasks = useMemo(() => rows.flatMap(row => ('task' in row ? [row.task] : [])), [rows]);
  const { outcome, done, busy } = importing;
  const present = usePresent(busy || outcome ? null : reading, tasks);
  const count = tasks.length - (known === 'leave' ? present : 0);
  const act = (
    <Button
      variant="primary"
      size="lg"
      block
      busy={busy}
      disabled={count === 0}
      onClick={() => importing.run(rows, known)}
    >
      {t('bring', { count })}
    </Button>
  );
  return (
    <Sheet
      open
      // While it writes, only "Stop" ends it: what was written is to be told.
      onOpenChange={open => !open && !busy && onClose()}
      title={t('importTitle')}
      description={t('importText')}
      closeLabel={t('close')}
      actions={!outcome && reading.source ? act : undefined}
    >
      <div className="parts foot-room">
        <FailureLine failure={importing.failure} />
        {outcome && <ImportReport outcome={outcome} onClose={onClose} onShow={onShow} />}
        {!outcome && busy && <Progress done={done ?? 0} total={tasks.length} onStop={importing.stop} />}
        {!outcome && !busy && (
          <>
            <ImportSource reading={reading} />
            <ImportColumns reading={reading} />
            {reading.source && <Preview reading={reading} good={tasks.length} />}
            {present > 0 && <Known count={present} known={known} onKnown={setKnown} />}
          </>
        )}
      </div>
    </Sheet>
  );
}

/** How many of the rows stand for tasks that are here already; 0 until that is known. */
function usePresent(reading: TaskReading | null, tasks: readonly ImportTask[]): number {
  const { space, userId } = useTaskSpace();
  const whose = { organizationId: space.organizationId, by: userId };
  const found = useLive(reading && tasks.length > 0 ? presentCount(tasks, whose, reading.key) : null);
  return found.status === 'ready' ? (found.answer ?? 0) : 0;
}

function Preview({ reading, good }: { reading: TaskReading; good: number }) {
  const { t } = useTranslation('taskFiles');
  if (!reading.source?.mapping.includes('title')) return <Banner tone="warn" title={t('noTitleColumn')} />;
  return (
    <>
      <p aria-live="polite">{t('found', { count: good })}</p>
      <BadRows rows={reading.rows} />
      <UnknownNames rows={reading.rows} />
    </>
  );
}

type KnownProps = { count: number; known: KnownRows; onKnown: (known: KnownRows) => void };

function Known({ count, known, onKnown }: KnownProps) {
  const { t } = useTranslation('taskFiles');
  return (
    <Banner tone="warn" title={t('known', { count })}>
      <div className="stack">
        <Segmented
          label={t('knownRows')}
          value={known}
          onChange={value => onKnown(value === 'change' ? 'change' : 'leave')}
          options={[
            { value: 'leave', label: t('leaveKnown') },
            { value: 'change', label: t('changeKnown') },
          ]}
        />
      </div>
    </Banner>
  );
}

function Progress({ done, total, onStop }: { done: number; total: number; onStop: () => void }) {
  const { t } = useTranslation('taskFiles');
  return (
    <>
      <ProgressBar label={t('bringing')} figure={t('figure', { done, total })} value={done} max={total} />
      <Button onClick={onStop}>{t('stop')}</Button>
    </>
  );
}
