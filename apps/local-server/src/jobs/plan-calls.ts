import type { PlanCalls, ScheduleToPlan } from '@cairn/api/schedules/plan.ts';
import type { SeriesCalls, SeriesToPlan } from '@cairn/api/tasks/plan-series.ts';
import type { Ways } from './deliver.ts';

const failedCall = (sql: Ways['sql'], kind: 'schedule' | 'series') => async (id: string, version: number) => {
  await sql`select schedule.plan_failed(${kind}, ${id}, ${version})`;
};

/** Planning over this server's own connection to the database. */
export const planCalls = (sql: Ways['sql']): PlanCalls => ({
  async toPlan() {
    const rows = await sql<{ schedule: ScheduleToPlan }[]>`select s as schedule from schedule.schedules_to_plan() s`;
    return rows.map(({ schedule }) => schedule);
  },
  async plan(id, version, planned) {
    const [row] = await sql<{ touched: number }[]>`
      select schedule.plan_schedule(${id}, ${version}, ${sql.json(planned)}) as touched`;
    return row?.touched ?? 0;
  },
  failed: failedCall(sql, 'schedule'),
});

/** The same for series of tasks. */
export const seriesCalls = (sql: Ways['sql']): SeriesCalls => ({
  async toPlan() {
    const rows = await sql<{ series: SeriesToPlan }[]>`select s as series from task.series_to_plan() s`;
    return rows.map(({ series }) => series);
  },
  async plan(id, version, occurrences) {
    const [row] = await sql<{ touched: number }[]>`
      select task.plan_series(${id}, ${version}, ${sql.json(occurrences)}) as touched`;
    return row?.touched ?? 0;
  },
  failed: failedCall(sql, 'series'),
});
