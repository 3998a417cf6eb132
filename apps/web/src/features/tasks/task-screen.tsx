import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openedTask, type OpenedTask } from '@cairn/core/tasks/queries.ts';
import { removeTask } from '@cairn/core/tasks/save-task.ts';
import { isEnded } from '@cairn/core/tasks/task-status.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import { useFormat } from '../../shared/format/format.ts';
import { RecordPage } from '../../shared/records/record-page.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { useAction } from '../../shared/errors/use-action.ts';
import { useNow } from '../../shared/format/use-now.ts';
import { TaskEvidence } from './task-evidence.tsx';
import { TaskFacts, TaskStatusChip } from './task-face.tsx';
import { TaskFields } from './task-fields.tsx';
import { TaskKin } from './task-kin.tsx';
import { TaskMoves } from './task-moves.tsx';
import { TaskSeries } from './task-series.tsx';
import { TaskSteps } from './task-steps.tsx';
import { useTaskSpace } from './task-space.ts';
import './tasks.css';

type Props = {
  taskId: string;
  /** What the rest of the app has to say of it first. */
  notice: ReactNode;
  backLink: ReactNode;
  renderTask: (id: string, face: ReactNode, label?: string) => ReactNode;
  onGone: () => void;
};

/** One task: what is to be done, by whom and until when, its steps, and how it gets on. */
export function TaskScreen({ taskId, notice, backLink, renderTask, onGone }: Props) {
  const { t } = useTranslation('tasks');
  const found = useLive(openedTask(taskId));
  const words = { loading: t('loading'), missing: t('detail.missing'), missingText: t('detail.missingText') };
  return (
    <RecordPage found={found} words={words} backLink={backLink} recordOf={({ task }) => task}>
      {opened => <Loaded key={taskId} opened={opened} notice={notice} renderTask={renderTask} onGone={onGone} />}
    </RecordPage>
  );
}

type LoadedProps = Pick<Props, 'notice' | 'renderTask' | 'onGone'> & { opened: OpenedTask };

function Loaded({ opened, notice, renderTask, onGone }: LoadedProps) {
  const { task, steps } = opened;
  const { t } = useTranslation('tasks');
  const { may, userId } = useTaskSpace();
  const now = useNow();
  const mayEdit = may('task.work') || may('task.manage');
  const readOnly = !mayEdit || isEnded(task.status);
  const waits = opened.needs.some(({ status }) => !isEnded(status)) && !isEnded(task.status);
  return (
    <>
      <header className="stack">
        <h1 className="h1">{task.title}</h1>
        <div className="row wrap">
          <TaskStatusChip status={task.status} />
          <TaskFacts task={task} now={now} />
        </div>
        {task.status_reason !== null && <p>{task.status_reason}</p>}
      </header>
      {notice}
      {waits && <Banner tone="info" title={t('detail.waits')} />}
      {mayEdit && <TaskMoves task={task} steps={steps} />}
      <div className="parts columns first-wide">
        <div className="parts task-side">
          <TaskSteps task={task} steps={steps} readOnly={readOnly} />
          <TaskFields task={task} readOnly={readOnly} />
        </div>
        <div className="parts task-side">
          {task.series_id !== null && <TaskSeries task={task} readOnly={readOnly} onGone={onGone} />}
          <TaskEvidence task={task} readOnly={readOnly} />
          <TaskKin opened={opened} readOnly={readOnly} renderTask={renderTask} />
          <History task={task} />
          {(task.created_by === userId || may('task.manage')) && <Remove task={task} onGone={onGone} />}
        </div>
      </div>
    </>
  );
}

function History({ task }: Pick<OpenedTask, 'task'>) {
  const { t } = useTranslation('tasks');
  const { names } = useTaskSpace();
  const { formatInstant } = useFormat();
  const nameOf = (id: string | null) => names.get(id ?? '') ?? t('somebody');
  return (
    <div className="stack sm muted">
      <p>{t('detail.madeBy', { name: nameOf(task.created_by), when: formatInstant(new Date(task.created_at)) })}</p>
      {task.ended_at !== null && (
        <p>{t('detail.endedBy', { name: nameOf(task.ended_by), when: formatInstant(new Date(task.ended_at)) })}</p>
      )}
    </div>
  );
}

function Remove({ task, onGone }: Pick<OpenedTask, 'task'> & { onGone: () => void }) {
  const { t } = useTranslation('tasks');
  const store = useStore();
  const removing = useAction(async () => {
    await store.write('tasks.remove', tx => removeTask(tx, task.id));
    toast({ title: t('detail.removed', { title: task.title }) });
    onGone();
  });
  return (
    <div>
      <Button variant="danger" busy={removing.busy} onClick={() => removing.run()}>
        {t('detail.remove')}
      </Button>
      <FailureLine failure={removing.failure} />
    </div>
  );
}
