import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  isEnded,
  mayEnd,
  mayMove,
  missingForDone,
  needsReason,
  transitions,
  type TaskStatus,
} from '@cairn/core/tasks/task-status.ts';
import type { Row } from '@cairn/schema';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Onward } from '@cairn/ui/overlays/onward.tsx';
import { FailureLine } from '../../shared/errors/failure-line.tsx';
import { ReasonSheet } from './reason-sheet.tsx';
import { useTaskSpace } from './task-space.ts';
import { useTaskChanges, type Task } from './use-task-changes.ts';

/** What stands as a button; the rest is in the menu. */
const ONWARD: Record<TaskStatus, readonly TaskStatus[]> = {
  todo: ['done', 'in_progress'],
  in_progress: ['done', 'in_review'],
  blocked: ['in_progress'],
  in_review: ['done', 'reopened'],
  done: ['reopened'],
  reopened: ['done', 'in_progress'],
  not_applicable: ['reopened'],
  cancelled: ['reopened'],
};

/** What can be done with a task in its present state, and what it still asks for before it is done. */
export function TaskMoves({ task, steps }: { task: Task; steps: readonly Row<'task_items'>[] }) {
  const { t } = useTranslation('tasks');
  const { userId, may } = useTaskSpace();
  const change = useTaskChanges();
  const [asking, setAsking] = useState<TaskStatus | null>(null);
  const missing = missingForDone(task, steps, { by: userId, manages: may('task.manage') });
  const move = (status: TaskStatus) => {
    if (needsReason(status)) {
      setAsking(status);
      return;
    }
    change.run(task, { status }, t('moved', { status: t(`status.${status}`) }), mayMove(status, task.status));
  };
  const onward = ONWARD[task.status];
  const ends = mayEnd(task, userId, may('task.manage'));
  const others = transitions[task.status].filter(status => !onward.includes(status) && (ends || !isEnded(status)));
  const wayTo = (status: TaskStatus) => ({
    id: status,
    label: t(`move.${status}`),
    onSelect: () => move(status),
    disabled: status === 'done' && missing.length > 0,
  });
  return (
    <>
      <Onward moves={onward.map(wayTo)} others={others.map(wayTo)} more={t('more')} busy={change.busy} />
      {onward.includes('done') && missing.length > 0 && (
        <Banner tone="info" title={t('missing.title')}>
          {missing.map(each => t(`missing.${each}`)).join(' ')}
        </Banner>
      )}
      <FailureLine failure={change.failure} />
      {asking && <ReasonSheet task={task} status={asking} onClose={() => setAsking(null)} />}
    </>
  );
}
