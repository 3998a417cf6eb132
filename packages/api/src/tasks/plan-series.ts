import { othersTurn } from '../others-turn.ts';
import { seriesPlan } from '@cairn/core/tasks/series-rule.ts';
import type { Row } from '@cairn/schema';

/** A series of tasks as `task_series_to_plan` tells it. */
export type SeriesToPlan = Row<'task_series'> & {
  done: number;
  last: { day: string; open: boolean; ended_at: string | null } | null;
};

/** The two calls of the database that planning needs. */
export type SeriesCalls = {
  toPlan(): Promise<SeriesToPlan[]>;
  /** @returns how many tasks it made, changed or took back */
  plan(id: string, version: number, occurrences: { id: string; day: string }[]): Promise<number>;
};

/**
 * Makes the tasks of every series that is due to be planned. Idempotent, and several servers may do it at once: a task's id
 * comes from its series and day.
 *
 * @returns how many tasks were made, changed or taken back
 * @throws {AggregateError} after all others were planned, when some could not be
 */
export async function planSeries(calls: SeriesCalls, now: Date): Promise<number> {
  let touched = 0;
  const failed: unknown[] = [];
  for (const series of await calls.toPlan()) {
    await othersTurn();
    try {
      const { done, last } = series;
      const history = { done, last: last && { day: last.day, open: last.open, endedAt: last.ended_at } };
      const wanted = seriesPlan(series, history, now.toISOString()).map(({ id, day }) => ({ id, day }));
      touched += await calls.plan(series.id, series.version, wanted);
    } catch (error) {
      failed.push(error);
    }
  }
  if (failed.length > 0) throw new AggregateError(failed, `${failed.length} series could not be planned`);
  return touched;
}
