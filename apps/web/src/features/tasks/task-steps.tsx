import { useState, type FormEvent } from 'react';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { addStep, tickStep } from '@cairn/core/tasks/steps.ts';
import { mayChangeSteps, mayTick } from '@cairn/core/tasks/task-status.ts';
import type { Row } from '@cairn/schema';
import { useStore } from '@cairn/sync/store-context.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { emptied } from '../../shared/input/emptied.ts';
import { useAction } from '../../shared/errors/use-action.ts';
import { useTaskSpace } from './task-space.ts';
import type { Task } from './use-task-changes.ts';

type Props = { task: Task; steps: readonly Row<'task_items'>[]; readOnly: boolean };

/** The steps of a task, each ticked by itself. */
export function TaskSteps({ task, steps, readOnly }: Props) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { userId, may } = useTaskSpace();
  const tick = useAction((id: string, done: boolean) =>
    store.write('tasks.tick', tx => tickStep(tx, { id, done, by: userId, at: new Date().toISOString() })),
  );
  const remove = useAction((id: string) => store.write('tasks.removeStep', tx => tx.remove('task_items', id)));
  const done = steps.filter(step => step.done_at !== null).length;
  const manages = may('task.manage');
  const mayChange = !readOnly && mayChangeSteps(task, userId, manages);
  const mayRemove = (step: Row<'task_items'>) =>
    mayChange && (!step.required || manages || task.created_by === userId || step.created_by === userId);
  if (!mayChange && steps.length === 0) return null;
  return (
    <Card className="stack" label={t('detail.steps')}>
      <div className="row">
        <h2 className="h2">{t('detail.steps')}</h2>
        {steps.length > 0 && <span className="count">{t('detail.stepsDone', { done, total: steps.length })}</span>}
      </div>
      {steps.length > 0 && (
        <ul className="task-steps">
          {steps.map(step => (
            <li key={step.id}>
              <Checkbox
                look="done"
                label={step.required ? `${step.title} (${t('detail.stepRequired')})` : step.title}
                checked={step.done_at !== null}
                disabled={readOnly || !mayTick(task, step, { by: userId, manages })}
                onChange={on => tick.run(step.id, on)}
              />
              {mayRemove(step) && (
                <IconButton
                  icon={X}
                  label={t('detail.removeStep', { title: step.title })}
                  onClick={() => remove.run(step.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <FailureLine failure={tick.failure ?? remove.failure} />
      {mayChange && <NewStep taskId={task.id} />}
    </Card>
  );
}

function NewStep({ taskId }: { taskId: string }) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { userId } = useTaskSpace();
  const [title, setTitle] = useState('');
  const [required, setRequired] = useState(false);
  const adding = useAction(async () => {
    await store.write('tasks.addStep', tx => addStep(tx, { id: newId(), taskId, title, required, by: userId }));
    setTitle(emptied(title));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() !== '') adding.run();
  };
  return (
    <form className="task-add" onSubmit={submit}>
      <Input
        label={t('detail.newStep')}
        value={title}
        maxLength={300}
        onChange={event => setTitle(event.target.value)}
      />
      <div className="row between wrap">
        <Checkbox label={t('detail.required')} checked={required} onChange={setRequired} />
        <Button type="submit" busy={adding.busy}>
          {t('detail.addStep')}
        </Button>
      </div>
      <FailureLine failure={adding.failure} />
    </form>
  );
}
