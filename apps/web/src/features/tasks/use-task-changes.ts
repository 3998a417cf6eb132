import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import type { TaskChanges } from '@cairn/core/tasks/save-task.ts';
import { changeTaskForNow, takeBack, type TaskChange } from '@cairn/core/tasks/take-back.ts';
import { missingForDone, type DoneRequirement } from '@cairn/core/tasks/task-status.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { reportError } from '../../shared/errors/report-error.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useFieldsText } from './fields-text.ts';

export type Task = Row<'tasks'>;

const stepsOf = (taskId: string): Query<Row<'task_items'>[]> => ({
  key: `tasks/stepsOf/${taskId}`,
  tables: ['task_items'],
  read: tx => tx.range('task_items', 'task', `${taskId}/`, `${taskId}/\uffff`),
});

/** Takes a change back, and says what of it stays since somebody changed it meanwhile. */
function useUndo(): (change: TaskChange) => Promise<void> {
  const { t } = useTranslation('tasks');
  const fieldsText = useFieldsText();
  const store = useStore();
  const { user } = useSignedIn();
  const { may } = useSpace();
  return async change => {
    const how = { by: user.id, manages: may('task.manage'), at: new Date().toISOString() };
    try {
      const left = await store.write('tasks.undo', tx => takeBack(tx, change, how));
      if (left.length > 0) toast({ title: t('undoLeft'), description: fieldsText(left), tone: 'bad' });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      reportError(t('undo'), error);
    }
  };
}

/** Changes one task, with the way back in a toast where one is given. What keeps it from being done is said, not thrown. */
export function useTaskChanges() {
  const { t } = useTranslation('tasks');
  const undo = useUndo();
  const store = useStore();
  const { user } = useSignedIn();
  const { may } = useSpace();
  const manages = may('task.manage');
  const write = (id: string, changes: TaskChanges) =>
    store.write('tasks.change', tx =>
      changeTaskForNow(tx, { id, changes, by: user.id, manages, at: new Date().toISOString() }),
    );
  const missing = async (task: Task): Promise<DoneRequirement[]> =>
    missingForDone(task, await store.read(stepsOf(task.id)), { by: user.id, manages });
  const change = useAction(async (task: Task, changes: TaskChanges, message: string, mayUndo: boolean) => {
    if (changes.status === 'done') {
      const lacks = await missing(task);
      if (lacks.length > 0) {
        toast({
          title: t('missing.title'),
          description: lacks.map(each => t(`missing.${each}`)).join(' '),
          tone: 'bad',
        });
        return;
      }
    }
    const done = await write(task.id, changes);
    toast({
      title: message,
      ...(mayUndo && { action: { label: t('undo'), onPress: () => void undo(done) } }),
    });
  });
  return { ...change, write, missing };
}
