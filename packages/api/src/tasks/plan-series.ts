import { seriesPlan } from '@cairn/core/tasks/series-rule.ts';
import type { Row } from '@cairn/schema';
import { planRound, ROUND_MS, type RoundCalls } from '../schedules/plan-cycle.ts';

/** A series of tasks as `task_series_to_plan` tells it. */
export type SeriesToPlan = Row<'task_series'> & {
  done: number;
  last: { day: string; open: boolean; ended_at: string | null } | null;
};

/** The calls of the database that planning needs. */
export type SeriesCalls = RoundCalls<SeriesToPlan> & {
  /** @returns how many tasks it made, changed or took back */
  plan(id: string, version: number, occurrences: { id: string; day: string }[]): Promise<number>;
};

/**
 * Makes the tasks of the series that are due to be planned, as many as there is time for. Idempotent, and several servers may do it
 * at once: a task's id comes from its series and day.
 *
 * @param budgetMs time of this round
 * @returns how many tasks were made, changed or taken back
 * @throws {AggregateError} at the end, when some could not be planned
 */
export const planSeries = (calls: SeriesCalls, now: Date, budgetMs = ROUND_MS): Promise<number> =>
  planRound(
    calls,
    series => {
      const { done, last } = series;
      const history = { done, last: last && { day: last.day, open: last.open, endedAt: last.ended_at } };
      const wanted = seriesPlan(series, history, now.toISOString()).map(({ id, day }) => ({ id, day }));
      return calls.plan(series.id, series.version, wanted);
    },
    { what: 'series', budgetMs },
  );
