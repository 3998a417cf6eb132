import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { changeTask } from '@cairn/core/tasks/save-task.ts';
import type { TaskStatus } from '@cairn/core/tasks/task-status.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { reportError } from '../../shared/errors/report-error.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useAction } from '../../shared/errors/use-action.ts';

/** Calls a task of a list done. One that asks for more first stays, and that is said. */
export function useTickTask() {
  const { t } = useTranslation('dashboard');
  const store = useStore();
  const { userId, may } = useSpace();
  const write = (id: string, status: TaskStatus) =>
    store.write('tasks.tick', tx =>
      changeTask(tx, {
        id,
        changes: { status },
        by: userId,
        manages: may('task.manage'),
        at: new Date().toISOString(),
      }),
    );
  return useAction(async ({ id, title }: { id: string; title: string }) => {
    try {
      await write(id, 'done');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      toast({ title: t('today.tickOpens', { title }), tone: 'bad' });
      return;
    }
    const back = () => {
      write(id, 'reopened').catch((error: unknown) => reportError(t('today.undo'), error));
    };
    toast({ title: t('today.ticked', { title }), action: { label: t('today.undo'), onPress: back } });
  });
}
