import { useState, type FormEvent, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import { openTasks, type OpenedTask } from '@cairn/core/tasks/queries.ts';
import { createTask } from '@cairn/core/tasks/save-task.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { emptied } from '../../shared/input/emptied.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { TaskStatusChip } from './task-face.tsx';
import { useTaskSpace } from './task-space.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

type Props = {
  opened: OpenedTask;
  readOnly: boolean;
  renderTask: (id: string, face: ReactNode, label?: string) => ReactNode;
};

/** What it is part of, what is part of it, and what has to be done before it. */
export function TaskKin({ opened, readOnly, renderTask }: Props) {
  const { t } = useTranslation('tasks');
  const { task, parent, children } = opened;
  const { may } = useTaskSpace();
  const line = (row: Task) =>
    renderTask(
      row.id,
      <span className="row between wrap">
        <span className="t">{row.title}</span>
        <TaskStatusChip status={row.status} />
      </span>,
      'task-card-link',
    );
  const mayAdd = !readOnly && may('task.create');
  return (
    <>
      {parent && (
        <Card label={t('detail.partOf')}>
          <h2 className="h2">{t('detail.partOf')}</h2>
          {line(parent)}
        </Card>
      )}
      {(mayAdd || children.length > 0) && (
        <Card className="stack" label={t('detail.subtasks')}>
          <h2 className="h2">{t('detail.subtasks')}</h2>
          <ul>
            {children.map(child => (
              <li key={child.id}>{line(child)}</li>
            ))}
          </ul>
          {mayAdd && <NewSubtask parent={task} />}
        </Card>
      )}
      <Needs opened={opened} readOnly={readOnly} line={line} />
    </>
  );
}

function NewSubtask({ parent }: { parent: Task }) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const { userId } = useTaskSpace();
  const [title, setTitle] = useState('');
  const adding = useAction(async () => {
    await store.write('tasks.createPart', tx =>
      createTask(tx, {
        id: newId(),
        organizationId: parent.organization_id,
        playbookId: parent.playbook_id,
        siteId: parent.site_id,
        parentId: parent.id,
        title,
        assigneeId: parent.assignee_id === userId ? userId : null,
        by: userId,
        at: new Date().toISOString(),
      }),
    );
    setTitle(emptied(title));
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (title.trim() !== '') adding.run();
  };
  return (
    <form className="task-add" onSubmit={submit}>
      <Input
        label={t('detail.newSubtask')}
        value={title}
        maxLength={300}
        onChange={event => setTitle(event.target.value)}
      />
      <div>
        <Button type="submit" busy={adding.busy}>
          {t('detail.addSubtask')}
        </Button>
      </div>
      <FailureLine failure={adding.failure} />
    </form>
  );
}

/** Open tasks offered to be done before this one. */
const OFFERED = 100;

function Needs({ opened, readOnly, line }: Omit<Props, 'renderTask'> & { line: (row: Task) => ReactNode }) {
  const { t } = useTranslation('tasks');
  const { space } = useTaskSpace();
  const { task, needs } = opened;
  const open = useLive(readOnly ? null : openTasks(space));
  const { run, failure } = useTaskChanges();
  const ids = textsIn(task.needs_ids);
  const save = (next: string[]) => run(task, { needsIds: next }, t('saved'), true);
  const offered = open.status === 'ready' && open.answer ? open.answer : [];
  // What waits for this one cannot be what this one waits for.
  const fits = (row: Task) => row.id !== task.id && !ids.includes(row.id) && !textsIn(row.needs_ids).includes(task.id);
  if (readOnly && needs.length === 0) return null;
  return (
    <Card className="stack" label={t('detail.needs')}>
      <h2 className="h2">{t('detail.needs')}</h2>
      <ul className="task-steps">
        {needs.map(need => (
          <li key={need.id}>
            {line(need)}
            {!readOnly && (
              <IconButton
                icon={X}
                label={t('detail.removeNeed', { title: need.title })}
                onClick={() => save(ids.filter(id => id !== need.id))}
              />
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <Select
          label={t('detail.needs')}
          labelHidden
          placeholder={t('detail.addNeed')}
          value=""
          choices={offered
            .filter(fits)
            .slice(0, OFFERED)
            .map(row => ({ value: row.id, label: row.title }))}
          onChange={event => event.target.value !== '' && save([...ids, event.target.value])}
        />
      )}
      <FailureLine failure={failure} />
    </Card>
  );
}
