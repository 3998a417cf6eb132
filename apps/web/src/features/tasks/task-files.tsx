import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Download, Upload } from 'lucide-react';
import { tasksCsv } from '@cairn/core/tasks/tasks-csv.ts';
import { Button } from '@cairn/ui/button.tsx';
import { saveFile } from '../../shared/save-file.ts';
import { ImportSheet } from './import-sheet.tsx';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

/** Takes the tasks in sight along as CSV, and brings tasks from one. */
export function TaskFiles({ tasks }: { tasks: readonly Task[] }) {
  const { t } = useTranslation('tasks');
  const { names, may } = useTaskSpace();
  const [importing, setImporting] = useState(false);
  const save = () => saveFile('tasks.csv', new Blob([tasksCsv(tasks, names)], { type: 'text/csv' }));
  return (
    <div className="row wrap">
      {tasks.length > 0 && (
        <Button size="sm" variant="plain" icon={Download} onClick={save}>
          {t('files.export')}
        </Button>
      )}
      {may('task.create') && (
        <Button size="sm" variant="plain" icon={Upload} onClick={() => setImporting(true)}>
          {t('files.import')}
        </Button>
      )}
      {importing && <ImportSheet onClose={() => setImporting(false)} />}
    </div>
  );
}
