import { yieldToOthers } from '../yield-to-others.ts';

type Row = { id: string; version: number };

/** What a round needs of the database. */
export type RoundCalls<R extends Row> = {
  /** What waits, one of each organisation first, and of these the one whose last turn was longest ago. */
  toPlan(): Promise<R[]>;
  /** Rests one that could not be planned, so that it does not come first in every round. */
  failed(id: string, version: number): Promise<void>;
};

/** ms of one round: what is left waits for the next, where others may come first. */
export const ROUND_MS = 4000;

/**
 * Plans what waits, one after the other, until the time of the round is over; one is always planned.
 *
 * @param plan plans one, and says how many of its occurrences were made, changed or taken back
 * @param what the plural, for the error
 * @returns how many were made, changed or taken back
 * @throws {AggregateError} at the end, when some could not be planned
 */
export async function planRound<R extends Row>(
  calls: RoundCalls<R>,
  plan: (row: R) => Promise<number>,
  { what, budgetMs }: { what: string; budgetMs: number },
): Promise<number> {
  const end = performance.now() + budgetMs;
  const failures: unknown[] = [];
  let touched = 0;
  for (const row of await calls.toPlan()) {
    await yieldToOthers();
    try {
      touched += await plan(row);
    } catch (error) {
      failures.push(error);
      await calls.failed(row.id, row.version).catch((again: unknown) => failures.push(again));
    }
    if (performance.now() >= end) break;
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} ${what} could not be planned`);
  return touched;
}
