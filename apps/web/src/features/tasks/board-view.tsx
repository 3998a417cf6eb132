import { useCallback, useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { endedTasks, openTasks } from '@cairn/core/tasks/queries.ts';
import { nextOfSeries } from '@cairn/core/tasks/task-filter.ts';
import { mayMove, needsReason, type TaskStatus } from '@cairn/core/tasks/task-status.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Board } from '@cairn/ui/data/board.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { SkeletonRows } from '@cairn/ui/feedback/skeleton.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useNow } from '../../shared/format/use-now.ts';
import { useToday } from '../../shared/format/use-today.ts';
import { ReasonSheet } from './reason-sheet.tsx';
import { TaskFacts } from './task-face.tsx';
import { useTaskSpace } from './task-space.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

/** Cards a column draws; the rest is in the list. */
const SHOWN = 40;
const DONE_SHOWN = 20;
const NONE: readonly Task[] = [];

const COLUMNS = ['todo', 'in_progress', 'blocked', 'in_review', 'done'] as const satisfies readonly TaskStatus[];

type Props = { renderTask: (id: string, face: ReactNode, label?: string) => ReactNode; onList: () => void };

/** Tasks by their state; a card is moved by hand, finger or keyboard. */
export function BoardView({ renderTask, onList }: Props) {
  const { t } = useTranslation('tasks');
  const { may } = useTaskSpace();
  const now = useNow();
  const columns = useColumns();
  const { run, failure } = useTaskChanges();
  const [asking, setAsking] = useState<{ task: Task; status: TaskStatus } | null>(null);
  const renderItem = useCallback(
    (task: Task) =>
      renderTask(
        task.id,
        <>
          <span className="t">{task.title}</span>
          <TaskFacts task={task} now={now} />
        </>,
        'task-card-link',
      ),
    [renderTask, now],
  );
  if (columns === null) return <SkeletonRows label={t('loading')} />;
  const move = (task: Task, column: string) => {
    const status = targetOf(task, column);
    if (status === null) toast({ title: t('board.refused', { name: task.title }), tone: 'bad' });
    else if (needsReason(status)) setAsking({ task, status });
    else run(task, { status }, t('moved', { status: t(`status.${status}`) }), mayMove(status, task.status));
  };
  return (
    <>
      <FailureLine failure={failure} />
      <Board
        label={t('views.board')}
        readOnly={!may('task.work')}
        columns={columns.map(({ id, items }) => ({
          id,
          title: t(`status.${id}`),
          items: items.slice(0, SHOWN),
          foot:
            items.length > SHOWN ? (
              <Button onClick={onList}>{t('board.rest', { count: items.length - SHOWN })}</Button>
            ) : (
              items.length === 0 && <p className="muted sm">{t('board.empty')}</p>
            ),
        }))}
        nameOf={task => task.title}
        renderItem={renderItem}
        onMove={move}
        words={{
          help: t('board.help'),
          handle: name => t('board.handle', { name }),
          lifted: name => t('board.lifted', { name }),
          over: (name, column) => t('board.over', { name, column }),
          dropped: (name, column) => t('board.dropped', { name, column }),
          cancelled: name => t('board.cancelled', { name }),
        }}
      />
      {asking && <ReasonSheet {...asking} onClose={() => setAsking(null)} />}
    </>
  );
}

/** The state a card gets in a column: what comes back from done is reopened. */
function targetOf(task: Task, column: string): TaskStatus | null {
  const status = COLUMNS.find(each => each === column);
  if (status === undefined) return null;
  if (status === 'todo' && mayMove(task.status, 'reopened')) return 'reopened';
  return mayMove(task.status, status) ? status : null;
}

function useColumns(): { id: (typeof COLUMNS)[number]; items: readonly Task[] }[] | null {
  const { space } = useTaskSpace();
  const today = useToday();
  const open = useLive(openTasks(space));
  const ended = useLive(endedTasks(space, DONE_SHOWN));
  const rows = open.status === 'ready' ? open.answer : null;
  const late = ended.status === 'ready' ? ended.answer : NONE;
  return useMemo(() => {
    if (rows === null) return null;
    const shown = nextOfSeries(rows, today);
    return COLUMNS.map(id => {
      if (id === 'done') return { id, items: late.filter(({ status }) => status === 'done') };
      const isHere = ({ status }: Task) => status === id || (id === 'todo' && status === 'reopened');
      return { id, items: shown.filter(isHere) };
    });
  }, [rows, late, today]);
}
