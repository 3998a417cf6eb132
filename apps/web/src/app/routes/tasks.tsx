import type { ReactNode } from 'react';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { buttonClass } from '@cairn/ui/controls/button.tsx';
import { ActionScreen } from '../../features/action-items/action-screen.tsx';
import { ActionsScreen } from '../../features/action-items/actions-screen.tsx';
import { PoamBackgroundCard } from '../../features/controls/poam-background.tsx';
import { DayPanel } from '../../features/dashboard/day-panel.tsx';
import { GoalOfWork } from '../../features/goals/goal-of-work.tsx';
import { ApprovalPanel } from '../../features/policies/authoring/approval-panel.tsx';
import { TwoVersions } from '../../features/sync/conflicts/two-versions.tsx';
import { TaskScreen } from '../../features/tasks/task-screen.tsx';
import { TasksScreen, viewOf } from '../../features/tasks/tasks-screen.tsx';
import { loadTexts } from '../../shared/i18n/load-texts.ts';
import { useSpace } from '../../shared/session/space.ts';
import { useModuleLabel } from '../shell/navigation/use-labels.ts';
import { EvidenceOf } from './evidence.tsx';
import { ActionTalk, TaskTalk } from './record-talk.tsx';
import { RowLink } from './row-link.tsx';

// Photos are drawn and named as in an inspection. One file, because each file of routes costs the sign-in page its name.
export const texts = loadTexts(
  'tasks',
  'taskFiles',
  'dashboard',
  'actions',
  'field',
  'capture',
  'goals',
  'controls',
  'evidence',
  'comments',
  'policies',
  'failure',
);

const renderTask = (taskId: string, face: ReactNode, className?: string) => (
  <RowLink target={{ to: '/tasks/$taskId', params: { taskId } }} {...(className !== undefined && { className })}>
    {face}
  </RowLink>
);

const renderAction = (actionId: string, face: ReactNode) => (
  <RowLink target={{ to: '/action-items/$actionId', params: { actionId } }}>{face}</RowLink>
);

const twoVersions = (recordId: string) => (
  <TwoVersions
    recordId={recordId}
    renderWay={words => (
      <Link to="/sync" className={buttonClass({ size: 'sm' })}>
        {words}
      </Link>
    )}
  />
);

export function TasksRoute() {
  const { t } = useTranslation('dashboard');
  const { view, new: isNew = false } = useSearch({ from: '/signed-in/tasks' });
  const navigate = useNavigate();
  return (
    <TasksScreen
      title={useModuleLabel('tasks')}
      view={viewOf(view)}
      isNew={isNew}
      onView={next => void navigate({ to: '/tasks', search: next === 'day' ? {} : { view: next }, replace: true })}
      day={<DayPanel />}
      aside={
        <Link className={buttonClass()} to="/action-items">
          {t('today.allActions')}
        </Link>
      }
      renderTask={renderTask}
      onOpen={taskId => void navigate({ to: '/tasks/$taskId', params: { taskId } })}
    />
  );
}

export function TaskRoute() {
  const { t } = useTranslation('tasks');
  const { taskId } = useParams({ from: '/signed-in/tasks/$taskId' });
  const navigate = useNavigate();
  return (
    <>
      <TaskScreen
        key={taskId}
        taskId={taskId}
        notice={twoVersions(taskId)}
        renderTask={renderTask}
        onGone={() => void navigate({ to: '/tasks', replace: true })}
        backLink={
          <Link to="/tasks" className="link tap back-link">
            {t('detail.back')}
          </Link>
        }
      />
      <TaskTalk key={`talk ${taskId}`} id={taskId} />
    </>
  );
}

export function ActionItemsRoute() {
  const { new: isNew = false } = useSearch({ from: '/signed-in/action-items' });
  const title = useModuleLabel('action-items');
  const navigate = useNavigate();
  return (
    <ActionsScreen
      title={title}
      makeAtOnce={isNew}
      onMaking={() => void navigate({ to: '/action-items', replace: true })}
      renderAction={renderAction}
      onMade={actionId => void navigate({ to: '/action-items/$actionId', params: { actionId } })}
    />
  );
}

export function ActionItemRoute() {
  const { t } = useTranslation('actions');
  const { world } = useSpace();
  const { actionId } = useParams({ from: '/signed-in/action-items/$actionId' });
  return (
    <>
      <ActionScreen
        approval={<ApprovalPanel subjectId={actionId} />}
        notice={twoVersions(actionId)}
        ownGoal={world === 'company' && <GoalOfWork actionId={actionId} />}
        actionId={actionId}
        renderAction={renderAction}
        renderSource={(inspectionId, title) => (
          <Link to="/field/$inspectionId" params={{ inspectionId }} className="link tap">
            {title}
          </Link>
        )}
        renderFinding={(findingId, title) => (
          <Link to="/policies/findings/$findingId" params={{ findingId }} className="link tap">
            {title}
          </Link>
        )}
        renderReport={(reportId, title) => (
          <Link to="/field/reports/$reportId" params={{ reportId }} className="link tap">
            {title}
          </Link>
        )}
        backLink={
          <Link to="/action-items" className="link tap back-link">
            {t('back')}
          </Link>
        }
      />
      <PoamBackgroundCard actionId={actionId} />
      <EvidenceOf target={{ table: 'action_items', id: actionId }} />
      <ActionTalk key={`talk ${actionId}`} id={actionId} />
    </>
  );
}
