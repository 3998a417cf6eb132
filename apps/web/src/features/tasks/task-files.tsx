import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Download, Upload } from 'lucide-react';
import type { Brought } from '@cairn/core/tasks/bring-task.ts';
import { besideTasks, tasksCsv } from '@cairn/core/tasks/tasks-csv.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/button.tsx';
import { FailureLine } from '../../shared/failure-line.tsx';
import { saveFile } from '../../shared/save-file.ts';
import { useAction } from '../../shared/use-action.ts';
import { ImportSheet } from './import-sheet.tsx';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

type Props = { tasks: readonly Task[]; onShow: (brought: readonly Brought[]) => void };

/** Takes the tasks in sight along as CSV, and brings tasks from one. */
export function TaskFiles({ tasks, onShow }: Props) {
  const { t } = useTranslation('taskFiles');
  const store = useStore();
  const { names, may } = useTaskSpace();
  const [importing, setImporting] = useState(false);
  const saving = useAction(async () => {
    const beside = await store.read(besideTasks(new Set(tasks.map(({ id }) => id))));
    saveFile('tasks.csv', new Blob([tasksCsv(tasks, names, beside)], { type: 'text/csv' }));
  });
  const show = (brought: readonly Brought[]) => {
    setImporting(false);
    onShow(brought);
  };
  return (
    <div className="row wrap">
      {tasks.length > 0 && (
        <Button size="sm" variant="plain" icon={Download} busy={saving.busy} onClick={() => saving.run()}>
          {t('export')}
        </Button>
      )}
      {may('task.create') && (
        <Button size="sm" variant="plain" icon={Upload} onClick={() => setImporting(true)}>
          {t('import')}
        </Button>
      )}
      <FailureLine failure={saving.failure} />
      {importing && <ImportSheet onClose={() => setImporting(false)} onShow={show} />}
    </div>
  );
}
