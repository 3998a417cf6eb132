import { Hono } from 'hono';
import { planOf, type PlannedInspection, type ScheduleHistory } from '@cairn/core/schedules/plan-schedule.ts';
import type { Row } from '@cairn/schema';
import { asServer, type BackendAccess } from '../backend-access.ts';
import { isServer } from '../is-server.ts';
import { planSeries, type SeriesCalls, type SeriesToPlan } from '../tasks/plan-series.ts';
import { planRound, ROUND_MS, type RoundCalls } from './plan-cycle.ts';

/** A schedule as `schedules_to_plan` tells it. */
export type ScheduleToPlan = Row<'schedules'> & {
  done: number;
  settled_day: string | null;
  last: { day: string; open: boolean; ended_at: string | null } | null;
};

/** The calls of the database that planning needs. */
export type PlanCalls = RoundCalls<ScheduleToPlan> & {
  /** @returns how many inspections it made, changed or took back */
  plan(id: string, version: number, rows: PlannedInspection[]): Promise<number>;
};

const historyOf = ({ done, settled_day: settledDay, last }: ScheduleToPlan): ScheduleHistory => ({
  done,
  settledDay,
  last: last && { day: last.day, open: last.open, endedAt: last.ended_at },
});

/**
 * Makes the inspections of the schedules that are due to be planned, as many as there is time for. Idempotent, and several servers
 * may do it at once: an inspection's id comes from its schedule and day.
 *
 * @param budgetMs time of this round
 * @returns how many inspections were made, changed or taken back
 * @throws {AggregateError} at the end, when some could not be planned
 */
export const planSchedules = (calls: PlanCalls, now: Date, budgetMs = ROUND_MS): Promise<number> =>
  planRound(
    calls,
    schedule => {
      const rows = planOf(schedule, historyOf(schedule), now.toISOString());
      return calls.plan(schedule.id, schedule.version, rows);
    },
    { what: 'schedules', budgetMs },
  );

/** Rests what could not be planned. */
function failedCall(access: BackendAccess, kind: 'schedule' | 'series') {
  return async (id: string, version: number): Promise<void> => {
    const args = { p_kind: kind, p_id: id, p_version: version };
    const { error } = await asServer(access).rpc('plan_failed', args);
    if (error) throw error;
  };
}

function rpcCalls(access: BackendAccess): PlanCalls {
  const server = asServer(access);
  return {
    async toPlan() {
      const { data, error } = await server.rpc('schedules_to_plan');
      if (error) throw error;
      return data as ScheduleToPlan[];
    },
    async plan(id, version, rows) {
      const { data, error } = await server.rpc('plan_schedule', {
        p_schedule: id,
        p_version: version,
        p_occurrences: rows,
      });
      if (error) throw error;
      return data as number;
    },
    failed: failedCall(access, 'schedule'),
  };
}

function seriesCalls(access: BackendAccess): SeriesCalls {
  const server = asServer(access);
  return {
    async toPlan() {
      const { data, error } = await server.rpc('task_series_to_plan');
      if (error) throw error;
      return data as SeriesToPlan[];
    },
    async plan(id, version, occurrences) {
      const { data, error } = await server.rpc('plan_task_series', {
        p_series: id,
        p_version: version,
        p_occurrences: occurrences,
      });
      if (error) throw error;
      return data as number;
    },
    failed: failedCall(access, 'series'),
  };
}

/** `POST /schedules/plan`, by whoever holds the server's key: the clock of a hosted project (docs/deploy-supabase.md). */
export function scheduleRoutes(access: BackendAccess): Hono {
  const app = new Hono();
  app.post('/plan', async c => {
    if (!(await isServer(c.req.header('authorization'), access.secretKey))) {
      return c.json({ code: 'not_allowed', message: 'Only the server itself plans' }, 403);
    }
    const now = new Date();
    const touched = await planSchedules(rpcCalls(access), now);
    return c.json({ touched: touched + (await planSeries(seriesCalls(access), now)) });
  });
  return app;
}
