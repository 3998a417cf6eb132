import { Check, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { deviceZone } from '@cairn/base/wall-clock.ts';
import { changeTask, removeTask, type TaskChanges } from '@cairn/core/tasks/save-task.ts';
import { mayMove, taskPriorities } from '@cairn/core/tasks/task-status.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { useTaskSpace } from './task-space.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

type Props = { tasks: readonly Task[]; onAll: () => void; onNone: () => void };

/** What can be done with several tasks at once. */
export function BulkBar({ tasks, onAll, onNone }: Props) {
  const { t } = useTranslation('tasks');
  const { people, may, userId } = useTaskSpace();
  const { changeAll, finish, removeAll } = useBulk(tasks, onNone);
  const mayRemove = may('task.manage') || tasks.every(task => task.created_by === userId);
  return (
    <section className="task-bulk" aria-label={t('bulk.bar')}>
      <div className="row wrap">
        <strong aria-live="polite">{t('bulk.chosen', { count: tasks.length })}</strong>
        <Button onClick={onAll}>{t('bulk.all')}</Button>
        <Button onClick={onNone}>{t('bulk.none')}</Button>
        <Button variant="primary" icon={Check} busy={finish.busy} onClick={() => finish.run()}>
          {t('bulk.done')}
        </Button>
        {mayRemove && (
          <Button icon={Trash2} busy={removeAll.busy} onClick={() => removeAll.run()}>
            {t('bulk.remove')}
          </Button>
        )}
      </div>
      <div className="task-filter-grid">
        <Select
          label={t('bulk.assign')}
          placeholder="–"
          value=""
          choices={people.map(({ id, name }) => ({ value: id, label: name }))}
          onChange={event => changeAll.run({ assigneeId: event.target.value })}
        />
        <Select
          label={t('bulk.priority')}
          placeholder="–"
          value=""
          choices={taskPriorities.map(value => ({ value, label: t(`priority.${value}`) }))}
          onChange={event =>
            changeAll.run({ priority: taskPriorities.find(each => each === event.target.value) ?? 'none' })
          }
        />
        <Input
          type="date"
          label={t('bulk.due')}
          defaultValue=""
          onChange={event =>
            event.target.value !== '' &&
            changeAll.run({ due: { day: event.target.value, time: null, zone: deviceZone() } })
          }
        />
      </div>
      <FailureLine failure={changeAll.failure ?? finish.failure ?? removeAll.failure} />
    </section>
  );
}

/** All of them in one write each; what cannot be done yet stays, and is counted. */
function useBulk(tasks: readonly Task[], onDone: () => void) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { userId, may } = useTaskSpace();
  const { missing } = useTaskChanges();
  const write = (some: readonly Task[], changes: TaskChanges) => {
    const at = new Date().toISOString();
    return store.write('tasks.changeSeveral', async tx => {
      for (const { id } of some) await changeTask(tx, { id, changes, by: userId, manages: may('task.manage'), at });
    });
  };
  const changeAll = useAction(async (changes: TaskChanges) => {
    await write(tasks, changes);
    toast({ title: t('bulk.changed', { count: tasks.length }) });
  });
  const finish = useAction(async () => {
    const lacks = await Promise.all(tasks.map(task => missing(task)));
    const ready = tasks.filter((task, index) => lacks[index]?.length === 0 && mayMove(task.status, 'done'));
    await write(ready, { status: 'done' });
    const left = tasks.length - ready.length;
    toast({
      title: t('bulk.changed', { count: ready.length }),
      ...(left > 0 && { description: t('bulk.refused', { count: left }) }),
    });
    onDone();
  });
  const removeAll = useAction(async () => {
    await store.write('tasks.removeSeveral', async tx => {
      for (const { id } of tasks) await removeTask(tx, id);
    });
    toast({ title: t('bulk.removed', { count: tasks.length }) });
    onDone();
  });
  return { changeAll, finish, removeAll };
}
