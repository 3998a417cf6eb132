import { Hono } from 'hono';
import { planOf, type PlannedInspection, type ScheduleHistory } from '@cairn/core/field-ops/plan-schedule.ts';
import type { Row } from '@cairn/schema';
import { asServer, type BackendAccess } from '../backend-access.ts';
import { isServer } from '../is-server.ts';
import { othersTurn } from '../others-turn.ts';
import { planSeries, type SeriesCalls, type SeriesToPlan } from '../tasks/plan-series.ts';

/** A schedule as `schedules_to_plan` tells it. */
export type ScheduleToPlan = Row<'schedules'> & {
  done: number;
  settled_day: string | null;
  last: { day: string; open: boolean; ended_at: string | null } | null;
};

/** The two calls of the database that planning needs. */
export type PlanCalls = {
  toPlan(): Promise<ScheduleToPlan[]>;
  /** @returns how many inspections it made, changed or took back */
  plan(id: string, version: number, rows: PlannedInspection[]): Promise<number>;
};

const historyOf = ({ done, settled_day: settledDay, last }: ScheduleToPlan): ScheduleHistory => ({
  done,
  settledDay,
  last: last && { day: last.day, open: last.open, endedAt: last.ended_at },
});

/**
 * Makes the inspections of every schedule that is due to be planned. Idempotent, and several servers may do it at once: an
 * inspection's id comes from its schedule and day.
 *
 * @returns how many inspections were made, changed or taken back
 * @throws {AggregateError} after all others were planned, when some could not be
 */
export async function planSchedules(calls: PlanCalls, now: Date): Promise<number> {
  let touched = 0;
  const failed: unknown[] = [];
  for (const schedule of await calls.toPlan()) {
    await othersTurn();
    try {
      const rows = planOf(schedule, historyOf(schedule), now.toISOString());
      touched += await calls.plan(schedule.id, schedule.version, rows);
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} schedules could not be planned`);
  return touched;
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
