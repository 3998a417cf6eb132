import { csvFile } from '@cairn/base/csv.ts';
import { textsIn } from '@cairn/base/texts-in.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { ownColumns } from './csv-columns.ts';
import { labelsCell, stepsCell } from './csv-lists.ts';

type Task = Row<'tasks'>;

/** What belongs to tasks that are taken along, as far as this device has it. */
export type BesideTasks = {
  /** By task, in their order. */
  steps: ReadonlyMap<string, readonly Row<'task_items'>[]>;
  /** Names, by id. */
  sites: ReadonlyMap<string, string>;
  /** Rules (RRULE), by id. */
  series: ReadonlyMap<string, string>;
};

/** What belongs to some tasks. @param ids theirs */
export const besideTasks = (ids: ReadonlySet<string>): Query<BesideTasks> => ({
  key: 'tasks/besideTasks',
  tables: ['task_items', 'sites', 'task_series'],
  async read(tx) {
    const [items, sites, series] = await Promise.all([tx.all('task_items'), tx.all('sites'), tx.all('task_series')]);
    const wanted = items.filter(item => ids.has(item.task_id) && item.deleted_at === null);
    return {
      steps: Map.groupBy(
        wanted.toSorted((a, b) => a.position - b.position),
        item => item.task_id,
      ),
      sites: new Map(sites.map(site => [site.id, site.name])),
      series: new Map(series.map(row => [row.id, row.recurrence])),
    };
  },
});

/** ISO 8601 in UTC, however the server wrote it. */
const instant = (at: string | null): string | null => (at === null ? null : new Date(at).toISOString());

/**
 * Tasks as CSV (RFC 4180, UTF-8 with a mark so that spreadsheets know), a row each, people, sites by name. A due date stands in
 * three columns, as it was said: day, time, zone; instants are ISO 8601 in UTC. The file can be brought back.
 */
export function tasksCsv(tasks: readonly Task[], names: ReadonlyMap<string, string>, beside: BesideTasks): string {
  const lines = tasks.map(task => {
    const steps = beside.steps.get(task.id) ?? [];
    const cells: Record<(typeof ownColumns)[number], string | number | null> = {
      id: task.id,
      external_id: task.external_id,
      title: task.title,
      notes: task.notes,
      status: task.status,
      status_reason: task.status_reason,
      priority: task.priority,
      due_day: task.due_day,
      due_time: task.due_time,
      due_zone: task.due_zone,
      start_day: task.start_day,
      assignee: task.assignee_id === null ? null : (names.get(task.assignee_id) ?? null),
      labels: labelsCell(textsIn(task.labels)),
      estimate_minutes: task.estimate_minutes,
      checklist: stepsCell(
        steps.map(({ title, required, done_at: done }) => ({ title, required, done: done !== null })),
      ),
      site: task.site_id === null ? null : (beside.sites.get(task.site_id) ?? null),
      series: task.series_id === null ? null : (beside.series.get(task.series_id) ?? null),
      created_at: instant(task.created_at),
      ended_at: instant(task.ended_at),
    };
    return ownColumns.map(column => cells[column]);
  });
  return csvFile([[...ownColumns], ...lines]);
}
