import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Upload } from 'lucide-react';
import type { TaskImportResult } from '@cairn/core/tasks/import-task.ts';
import { besideTasks, tasksCsv } from '@cairn/core/tasks/tasks-csv.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CsvExport } from '../../shared/files/csv-export.tsx';
import { ImportSheet } from './import-sheet.tsx';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

type Props = { tasks: readonly Task[]; onShow: (imported: readonly TaskImportResult[]) => void };

/** Takes the tasks in sight along as CSV, and brings tasks from one. */
export function TaskFiles({ tasks, onShow }: Props) {
  const { t } = useTranslation('taskFiles');
  const store = useStore();
  const { names, may } = useTaskSpace();
  const [importing, setImporting] = useState(false);
  const csv = async () => {
    const beside = await store.read(besideTasks(new Set(tasks.map(({ id }) => id))));
    return tasksCsv(tasks, names, beside);
  };
  const show = (imported: readonly TaskImportResult[]) => {
    setImporting(false);
    onShow(imported);
  };
  return (
    <div className="row wrap">
      {tasks.length > 0 && <CsvExport size="sm" variant="plain" label={t('export')} file="tasks.csv" csv={csv} />}
      {may('task.create') && (
        <Button size="sm" variant="plain" icon={Upload} onClick={() => setImporting(true)}>
          {t('import')}
        </Button>
      )}
      {importing && <ImportSheet onClose={() => setImporting(false)} onShow={show} />}
    </div>
  );
}
