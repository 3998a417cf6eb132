import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import type { QuickTask } from '@cairn/core/tasks/quick-add.ts';
import { createSeries } from '@cairn/core/tasks/save-series.ts';
import { createTask } from '@cairn/core/tasks/save-task.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useTaskSpace } from './task-space.ts';

/** Keeps a task, or a series, of the quick line. It is its maker's to do unless somebody else is named. */
export function useQuickTask(onKept: () => void, onOpen: (id: string) => void) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { space, userId } = useTaskSpace();
  return useAction(async (quick: QuickTask) => {
    const id = newId();
    const shared = {
      id,
      ...space,
      title: quick.title,
      priority: quick.priority,
      labels: quick.labels,
      assigneeId: quick.assigneeId ?? userId,
      by: userId,
      at: new Date().toISOString(),
    };
    const zone = deviceZone();
    const { recurrence, day, time } = quick;
    if (recurrence !== null && day !== null) {
      await store.write('tasks.repeat', tx => createSeries(tx, { ...shared, recurrence, startDay: day, time, zone }));
      toast({ title: t('quick.made', { title: quick.title }) });
    } else {
      await store.write('tasks.create', tx =>
        createTask(tx, { ...shared, due: day === null ? null : { day, time, zone } }),
      );
      toast({
        title: t('quick.made', { title: quick.title }),
        action: { label: t('quick.open'), onPress: () => onOpen(id) },
      });
    }
    onKept();
  });
}
