import type { Row } from './index.ts';
import { entry } from './synced-table.ts';

/** Sorts after every date, so that what has no date comes last. */
const NO_DATE = '9999';

const TASK_ENDED: ReadonlySet<string> = new Set([
  'done',
  'not_applicable',
  'cancelled',
] satisfies Row<'tasks'>['status'][]);

/** Open tasks by who has to do them, or made them where nobody has; and by their organisation. */
function taskKeys(row: Row<'tasks'>): Record<string, string | null> {
  const whose = row.assignee_id ?? row.created_by;
  const due = row.due_at ?? NO_DATE;
  const place = TASK_ENDED.has(row.status)
    ? { ended: `${row.organization_id}/${row.ended_at ?? ''}` }
    : { open: `${row.organization_id}/${due}`, whose: whose && `${whose}/${due}` };
  return {
    ...place,
    day: row.due_day && `${row.organization_id}/${row.due_day}`,
    parent: row.parent_id,
    external: row.external_id,
    series: row.series_id && `${row.series_id}/${row.occurs_on}`,
  };
}

/**
 * Tasks and what belongs to them, and the rules that make some. Keys: tasks `open` = `<organization_id>/<due_at ?? 9999>` and `whose` =
 * `<assignee, else who made it>/<due_at ?? 9999>` of open ones, `ended` = `<organization_id>/<ended_at>` of ended ones, `day` =
 * `<organization_id>/<due_day>`, `parent`, `external`, `series` = `<series_id>/<occurs_on>`; task_items `task` = `<task_id>/<position>`.
 */
export const taskTables = {
  task_series: entry('task_series', { store: 'tasks', title: row => row.title }),
  tasks: entry('tasks', {
    store: 'tasks',
    keys: taskKeys,
    title: row => row.title,
    derived: row => [row.series_id, `occurrence/${row.occurs_on}`],
  }),
  task_items: entry('task_items', {
    store: 'tasks',
    keys: row => ({ task: `${row.task_id}/${String(row.position).padStart(6, '0')}` }),
    title: row => row.title,
    aggregateRoot: { table: 'tasks', id: row => row.task_id },
  }),
  task_views: entry('task_views', { store: 'settings', title: row => row.name }),
  workflow_rules: entry('workflow_rules', { store: 'settings', title: row => row.title }),
};
