import { useTranslation } from 'react-i18next';
import { Repeat } from 'lucide-react';
import { textsIn } from '@cairn/base/texts-in.ts';
import { isEnded, type TaskStatus } from '@cairn/core/tasks/task-status.ts';
import { Avatar } from '@cairn/ui/images/avatar.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { StatusChip, type StatusState } from '@cairn/ui/feedback/pill.tsx';
import { RowFace } from '@cairn/ui/layout/surface.tsx';
import { SubmittedByLine } from '../../shared/records/submitted-by.tsx';
import { useFormat } from '../../shared/format/format.ts';
import type { Task } from './use-task-changes.ts';

const FACES: Record<TaskStatus, StatusState> = {
  todo: 'open',
  in_progress: 'in_progress',
  blocked: 'failed',
  in_review: 'review',
  done: 'done',
  reopened: 'due',
  not_applicable: 'done',
  cancelled: 'done',
};

export function TaskStatusChip({ status }: { status: TaskStatus }) {
  const { t } = useTranslation('tasks');
  return <StatusChip state={FACES[status]}>{t(`status.${status}`)}</StatusChip>;
}

type Props = { task: Task; names: ReadonlyMap<string, string>; now: Date };

/** What a row says of a task: name, when, how urgent, where it stands, whose it is. */
export function TaskFace({ task, names, now }: Props) {
  const { t } = useTranslation('tasks');
  const who = task.assignee_id ? names.get(task.assignee_id) : undefined;
  return (
    <RowFace
      title={task.title}
      detail={<TaskFacts task={task} now={now} isRow />}
      end={
        <>
          <TaskStatusChip status={task.status} />
          {who && (
            <span className="task-who">
              <Avatar name={who} />
              <span className="sr">{t('row.who', { name: who })}</span>
            </span>
          )}
        </>
      }
    />
  );
}

/** When it is due, how urgent it is, that it comes again, its labels; nothing where there is nothing to say. */
export function TaskFacts({ task, now, isRow = false }: { task: Task; now: Date; isRow?: boolean }) {
  const { t } = useTranslation('tasks');
  const format = useFormat();
  const ended = isEnded(task.status);
  const due = task.due_at && !ended ? dueText(task, now, format) : null;
  const labels = textsIn(task.labels);
  return (
    <span className="task-facts">
      {due && <span className={`due ${due.state}`}>{t('row.due', { when: due.text })}</span>}
      {ended && task.ended_at && <span>{format.formatDay(new Date(task.ended_at), now)}</span>}
      {task.priority !== 'none' && (
        <span className={task.priority === 'urgent' ? 'task-urgent' : ''}>
          {t('row.priority', { priority: t(`priority.${task.priority}`) })}
        </span>
      )}
      {task.series_id !== null && (
        <span className="row">
          <Icon of={Repeat} size="s" />
          <span className="sr">{t('row.repeats')}</span>
        </span>
      )}
      {labels.map(label => (
        <span key={label}>#{label}</span>
      ))}
      {isRow && <SubmittedByLine row={task} />}
    </span>
  );
}

type Format = ReturnType<typeof useFormat>;

/** Due by the end of a day says the day; the last second before midnight is no time anybody said. */
function dueText(task: Task, now: Date, { formatDue, formatRelativeDay }: Format) {
  if (task.due_at === null) return null;
  const words = formatDue(new Date(task.due_at), now);
  return task.due_time !== null || words.state !== 'soon' ? words : { ...words, text: formatRelativeDay(0) };
}
