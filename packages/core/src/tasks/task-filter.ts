import { addDays } from '@cairn/base/local-day.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import { taskPriorities, type TaskPriority, taskStatuses, type TaskStatus } from './task-status.ts';

const WHENS = ['any', 'overdue', 'today', 'week', 'none'] as const;
const SORTS = ['due', 'priority', 'title', 'newest'] as const;

/** What of the tasks is looked at, and in which order. */
export type TaskFilter = {
  text: string;
  /** `mine`, `nobody`, `anyone`, or the id of a person. */
  who: string;
  when: (typeof WHENS)[number];
  /** Empty: whatever state. */
  statuses: TaskStatus[];
  /** Empty: whatever priority. */
  priorities: TaskPriority[];
  /** A task has to have each of them. */
  labels: string[];
  sort: (typeof SORTS)[number];
};

export const everyTask: TaskFilter = {
  text: '',
  who: 'anyone',
  when: 'any',
  statuses: [],
  priorities: [],
  labels: [],
  sort: 'due',
};

/** A filter out of what was saved: what is not understood filters nothing. */
export function readFilter(saved: unknown): TaskFilter {
  const stored: Record<string, unknown> = typeof saved === 'object' && saved !== null ? { ...saved } : {};
  const words = (name: string) => textsIn(stored[name]);
  return {
    text: typeof stored['text'] === 'string' ? stored['text'] : '',
    who: typeof stored['who'] === 'string' ? stored['who'] : 'anyone',
    when: WHENS.find(each => each === stored['when']) ?? 'any',
    statuses: taskStatuses.filter(each => words('statuses').includes(each)),
    priorities: taskPriorities.filter(each => words('priorities').includes(each)),
    labels: words('labels'),
    sort: SORTS.find(each => each === stored['sort']) ?? 'due',
  };
}

/** `today`: the local day, YYYY-MM-DD; `now`: ISO 8601. */
export type FilterContext = { userId: string; today: string; now: string };

/** The tasks that a filter takes, in its order; those that come in by due date stay so among equals. */
export function filtered(rows: readonly Row<'tasks'>[], filter: TaskFilter, looking: FilterContext): Row<'tasks'>[] {
  const needle = filter.text.trim().toLowerCase();
  const taken = rows.filter(
    row =>
      isWhose(row, filter.who, looking.userId) &&
      isWhen(row, filter.when, looking) &&
      (filter.statuses.length === 0 || filter.statuses.includes(row.status)) &&
      (filter.priorities.length === 0 || filter.priorities.includes(row.priority)) &&
      hasLabels(row, filter.labels) &&
      (needle === '' || `${row.title}\n${row.notes ?? ''}`.toLowerCase().includes(needle)),
  );
  return inOrder(taken, filter.sort);
}

function isWhose(row: Row<'tasks'>, who: string, userId: string): boolean {
  if (who === 'anyone') return true;
  if (who === 'nobody') return row.assignee_id === null;
  if (who === 'mine') return row.assignee_id === userId || (row.assignee_id === null && row.created_by === userId);
  return row.assignee_id === who;
}

function isWhen(row: Row<'tasks'>, when: TaskFilter['when'], { today, now }: FilterContext): boolean {
  if (when === 'any') return true;
  if (when === 'none') return row.due_day === null;
  if (row.due_day === null || row.due_at === null) return false;
  if (when === 'overdue') return Date.parse(row.due_at) < Date.parse(now);
  return when === 'today' ? row.due_day === today : row.due_day >= today && row.due_day < addDays(today, 7);
}

function hasLabels(row: Row<'tasks'>, labels: readonly string[]): boolean {
  if (labels.length === 0) return true;
  const own = textsIn(row.labels);
  return labels.every(label => own.includes(label));
}

const rank = (row: Row<'tasks'>): number => taskPriorities.indexOf(row.priority);

function inOrder(rows: Row<'tasks'>[], sort: TaskFilter['sort']): Row<'tasks'>[] {
  switch (sort) {
    case 'priority':
      return rows.toSorted((a, b) => rank(b) - rank(a));
    case 'title':
      return rows.toSorted((a, b) => a.title.localeCompare(b.title));
    case 'newest':
      return rows.toSorted((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
    default:
      return rows;
  }
}

/**
 * Of each series what is due by `today` (YYYY-MM-DD) and the next one: a year of a daily duty is one line, not hundreds.
 *
 * @param rows by due date, earliest first
 */
export function nextOfSeries<T extends Pick<Row<'tasks'>, 'series_id' | 'due_day' | 'status'>>(
  rows: readonly T[],
  today: string,
): T[] {
  const shown = new Set<string>();
  return rows.filter(({ series_id: series, due_day: day, status }) => {
    if (series === null || day === null || day <= today || status !== 'todo') return true;
    if (shown.has(series)) return false;
    shown.add(series);
    return true;
  });
}
