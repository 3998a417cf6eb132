import { useTranslation } from 'react-i18next';
import { isActionStatus } from '@cairn/core/action-items/action-status.ts';
import { reportStatuses } from '@cairn/core/issue-reports/report-status.ts';
import { taskPriorities, taskStatuses } from '@cairn/core/tasks/task-status.ts';
import { PRIORITIES } from '../../features/action-items/priorities.ts';
import { ActivityCard } from '../../features/comments/activity-card.tsx';
import { RecordComments } from '../../features/comments/record-comments.tsx';
import { CATEGORIES, SEVERITIES } from '../../features/issue-reports/report-labels.ts';
import { useSpace } from '../../shared/session/space.ts';

type Props = { id: string };

const one = <A extends string>(list: readonly A[], value: string): A | undefined => list.find(each => each === value);

/** What is said about a task, and what changed on it. */
export function TaskTalk({ id }: Props) {
  const { t } = useTranslation('tasks');
  const { may } = useSpace();
  const subject = { table: 'tasks', id } as const;
  const wordOf = (field: string, value: string): string | null => {
    const status = field === 'status' && one(taskStatuses, value);
    if (status) return t(`status.${status}`);
    const priority = field === 'priority' && one(taskPriorities, value);
    return priority ? t(`priority.${priority}`) : null;
  };
  return (
    <div className="parts columns record-talk">
      <RecordComments subject={subject} mayWrite={may('task.work') || may('task.manage')} />
      <ActivityCard subject={subject} wordOf={wordOf} />
    </div>
  );
}

/** What is said about an action item, and what changed on it. */
export function ActionTalk({ id }: Props) {
  const { t } = useTranslation('actions');
  const { may } = useSpace();
  const subject = { table: 'action_items', id } as const;
  const wordOf = (field: string, value: string): string | null => {
    if (field === 'status' && isActionStatus(value)) return t(`status.${value}`);
    const kind = field === 'kind' && one(['corrective', 'preventive'] as const, value);
    if (kind) return t(`kind.${kind}`);
    const outcome = field === 'outcome' && one(['effective', 'not_effective'] as const, value);
    if (outcome) return t(`outcome.${outcome}`);
    const priority = field === 'priority' && one(PRIORITIES, value);
    return priority ? t(`priority.${priority}`) : null;
  };
  return (
    <div className="parts columns record-talk">
      <RecordComments subject={subject} mayWrite={may('action.work') || may('action.manage')} />
      <ActivityCard subject={subject} wordOf={wordOf} />
    </div>
  );
}

/** What is said about an issue report, and what changed on it. */
export function ReportTalk({ id }: Props) {
  const { t } = useTranslation('issueReports');
  const { t: tComments } = useTranslation('comments');
  const { may } = useSpace();
  const subject = { table: 'issue_reports', id } as const;
  const wordOf = (field: string, value: string): string | null => {
    const status = field === 'status' && one(reportStatuses, value);
    if (status) return t(`status.${status}`);
    const severity = field === 'severity' && one(SEVERITIES, value);
    if (severity) return t(`severity.${severity}`);
    const category = field === 'category' && one(CATEGORIES, value);
    return category ? t(`category.${category}`) : null;
  };
  return (
    <div className="parts columns record-talk">
      <RecordComments
        subject={subject}
        mayWrite={may('issue.report') || may('issue.triage')}
        note={tComments('named')}
      />
      <ActivityCard subject={subject} wordOf={wordOf} />
    </div>
  );
}

/** What is said while a version of a policy is written and reviewed. */
export function VersionTalk({ id }: Props) {
  const { may } = useSpace();
  if (!may('policy.approve') && !may('policy.author')) return null;
  return <RecordComments subject={{ table: 'policy_versions', id }} mayWrite takesFiles={false} />;
}
