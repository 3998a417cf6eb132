import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { changeTask, type TaskChanges } from '@cairn/core/tasks/save-task.ts';
import { missingForDone, type Missing } from '@cairn/core/tasks/task-status.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/toast.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useSpace } from '../../shared/space.ts';
import { useAction } from '../../shared/use-action.ts';

export type Task = Row<'tasks'>;

const stepsOf = (taskId: string): Query<Row<'task_items'>[]> => ({
  key: `tasks/stepsOf/${taskId}`,
  tables: ['task_items'],
  read: tx => tx.range('task_items', 'task', `${taskId}/`, `${taskId}/\uffff`),
});

/** Changes one task, with the way back in a toast where one is given. What keeps it from being done is said, not thrown. */
export function useTaskChanges() {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { user } = useSignedIn();
  const { may } = useSpace();
  const manages = may('task.manage');
  const write = (id: string, changes: TaskChanges) =>
    store.write('tasks.change', tx =>
      changeTask(tx, { id, changes, by: user.id, manages, at: new Date().toISOString() }),
    );
  const missing = async (task: Task): Promise<Missing[]> =>
    missingForDone(task, await store.read(stepsOf(task.id)), { by: user.id, manages });
  const undo = (work: Promise<unknown>) => {
    work.catch((error: unknown) => {
      if (!(error instanceof Failure)) throw error;
      toast({ title: t('undoFailed'), tone: 'bad' });
    });
  };
  const change = useAction(async (task: Task, changes: TaskChanges, said: string, back: TaskChanges | null) => {
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
    await write(task.id, changes);
    toast({
      title: said,
      ...(back && { action: { label: t('undo'), onPress: () => undo(write(task.id, back)) } }),
    });
  });
  return { ...change, write, missing };
}
