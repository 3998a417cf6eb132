import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { bringTasks, undoImport, type TaskImportResult, type LeftTask } from '@cairn/core/tasks/import-task.ts';
import type { ImportRow } from '@cairn/core/tasks/read-tasks-csv.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useTaskSpace } from './task-space.ts';
import { useFieldsText } from './fields-text.ts';

/** Rows of one write: few enough for the screen to stay quick; each write draws the lists anew, so more of them take longer. */
const PART = 100;

/** A row and what it came to; `left`: it was not tried, since the import was stopped or the device is full. */
export type Outcome = { row: ImportRow; imported: TaskImportResult | null }[];

/** What a row that is here already is to become. */
export type KnownRows = 'leave' | 'change';

/** Brings rows part by part, tells how far it is, and can be stopped in between. */
export function useImport() {
  const store = useStore();
  const { space, userId, may } = useTaskSpace();
  const [done, setDone] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const stopped = useRef(false);
  const manages = may('task.manage');
  const bringing = useAction(async (rows: readonly ImportRow[], known: KnownRows) => {
    stopped.current = false;
    const good = rows.filter(row => 'task' in row);
    const imported = new Map<ImportRow, TaskImportResult>();
    setDone(0);
    try {
      for (let from = 0; from < good.length && !stopped.current; from += PART) {
        const part = good.slice(from, from + PART);
        const how = { ...space, by: userId, manages, known, newId, at: new Date().toISOString() };
        const tasks = part.map(({ task }) => task);
        const results = await store.write('tasks.bring', tx => bringTasks(tx, tasks, how));
        for (const [index, result] of results.entries()) if (part[index]) imported.set(part[index], result);
        setDone(from + part.length);
      }
    } finally {
      // A full device ends it in between: what was brought until then is told, and can be undone.
      setDone(null);
      setOutcome(rows.map(row => ({ row, imported: imported.get(row) ?? null })));
    }
  });
  const stop = () => {
    stopped.current = true;
  };
  return { ...bringing, done, outcome, stop };
}

/** How many tasks that stay are named. */
const NAMED = 3;

/** Takes an import back, part by part. */
export function useUndoImport(onUndone: () => void) {
  const { t } = useTranslation('taskFiles');
  const store = useStore();
  const { userId, may } = useTaskSpace();
  const manages = may('task.manage');
  const fieldsText = useFieldsText();
  const leftText = ({ title, fields }: LeftTask): string =>
    fields.length === 0 ? title : t('undoneFields', { title, fields: fieldsText(fields) });
  return useAction(async (imported: readonly TaskImportResult[]) => {
    const left: LeftTask[] = [];
    for (let from = 0; from < imported.length; from += PART) {
      const part = imported.slice(from, from + PART);
      const how = { by: userId, manages, at: new Date().toISOString() };
      left.push(...(await store.write('tasks.unbring', tx => undoImport(tx, part, how))));
    }
    const named = left.slice(0, NAMED).map(each => leftText(each));
    toast({
      title: left.length === 0 ? t('undone') : t('undoneLeft', { count: left.length }),
      ...(named.length > 0 && { description: named.join('; ') }),
    });
    onUndone();
  });
}
