import { Cron } from 'croner';
import type { Sql } from 'postgres';
import { errorCode } from '@cairn/database/error-code.ts';
import { UNREACHABLE } from '@cairn/supabase-local/database/database.ts';
import type { Log } from '@cairn/supabase-local/log/log.ts';
import { planSchedules } from '@cairn/api/schedules/plan.ts';
import { planSeries } from '@cairn/api/tasks/plan-series.ts';
import { planCalls, seriesCalls } from './plan-calls.ts';
import { deliverMail, deliverPush, deliverTexts, type Ways } from './deliver.ts';

/** When each kind of work is done, as cron patterns with seconds. */
export type Pace = {
  /** What is told by the clock (due soon, overdue). */
  told: string;
  /** What waits to go out. */
  out: string;
  /** What nobody waits for. */
  rest: string;
};

/** Once a minute is soon enough to be told. */
const PACE: Pace = { told: '7 * * * * *', out: '*/5 * * * * *', rest: '23 17 * * * *' };

/** ms a stop waits for a mail in hand; what is cut off is never sent twice. */
const GRACE_MS = 1_500;

/** A run that failed is told in the log, once until it works again; the next one tries anew. */
function watched(name: string, log: Log, work: () => Promise<unknown>): () => Promise<void> {
  let isFailing = false;
  return async () => {
    try {
      await work();
      isFailing = false;
    } catch (error) {
      const isAway = UNREACHABLE.has(errorCode(error));
      if (!isFailing) log[isAway ? 'warn' : 'error']({ err: error, job: name }, 'a scheduled run failed');
      isFailing = true;
    }
  };
}

/** Work by its name in the log. */
type NamedJob = [name: string, work: () => Promise<unknown>];

/** What is told by the clock. */
const sweepsOf = (sql: Sql): NamedJob[] => [
  ['sweep', () => sql`select inbox.sweep()`],
  ['rights', () => sql`select access.nudge_ended_memberships()`],
  ['occurrences', () => sql`select schedule.sweep_occurrences()`],
  ['tasks', () => sql`select inbox.sweep_tasks()`],
  ['action items', () => sql`select inbox.sweep_actions()`],
  ['acknowledgements', () => sql`select policy.sweep_acknowledgements()`],
  ['evidence', () => sql`select compliance.sweep_evidence()`],
  ['growth', () => sql`select growth.sweep_growth()`],
  ['questionnaires', () => sql`select growth.sweep_questionnaires()`],
  ['circle sessions', () => sql`select circle.sweep_sessions()`],
  ['rates', () => sql`select rates.sweep()`],
  ['approvals', () => sql`select inbox.sweep_approvals()`],
  ['late work', () => sql`select workflow.note_overdue()`],
  ['ready pages', () => sql`call sync.make_snapshot_pages()`],
];

const plansOf = (sql: Sql): NamedJob[] => [
  ['schedules', () => planSchedules(planCalls(sql), new Date())],
  ['series', () => planSeries(seriesCalls(sql), new Date())],
];

const tidyingOf = (sql: Sql): NamedJob[] => [
  ['run log', () => sql`select workflow.tidy()`],
  ['cohorts', () => sql`select cohort.sweep_cohorts()`],
  ['briefs', () => sql`select brief.sweep_briefs()`],
];

/** What goes out of this machine; each waits for others' servers. */
const postOf = (ways: Ways): NamedJob[] => [
  ['mail', () => deliverMail(ways)],
  ['push', () => deliverPush(ways)],
  ['texts', () => deliverTexts(ways)],
];

/**
 * Runs what happens by the clock, in this process; several servers on one database share the work without doing any of
 * it twice. A database without notifications (another schema) has nothing to run.
 *
 * @returns what stops it, after the run in hand or a short while
 */
export async function startScheduler(
  ways: Ways,
  tidyReports: () => Promise<void>,
  pace: Pace = PACE,
): Promise<() => Promise<void>> {
  const { sql, log } = ways;
  const [row] = await sql<{ is: boolean }[]>`select to_regprocedure('inbox.sweep(timestamptz)') is not null as is`;
  if (!row?.is) return async () => {};
  await sql`select inbox.set_text(${ways.sms !== null})`;
  const running = new Set<Promise<void>>();
  let isStopping = false;
  // One after the other: at the same time each would take a connection of its own, and each of those reads the database's catalogue anew.
  const inTurn = (pattern: string, works: readonly NamedJob[]) => {
    const runs = works.map(([name, work]) => watched(name, log, work));
    const all = async () => {
      for (const run of runs) if (!isStopping) await run();
    };
    const tracked = () => {
      const current = all().finally(() => running.delete(current));
      running.add(current);
      return current;
    };
    return new Cron(pattern, { protect: true, unref: true }, tracked);
  };
  const sweeps = inTurn(pace.told, sweepsOf(sql));
  // What fell due while no server ran is told now, not at the next minute.
  void sweeps.trigger();
  const jobs = [
    sweeps,
    // Planning a long series takes seconds, which workflows do not wait for.
    inTurn(pace.out, plansOf(sql)),
    inTurn(pace.out, [['workflows', () => sql`select workflow.sweep()`]]),
    inTurn(pace.rest, [...tidyingOf(sql), ['reports', tidyReports]]),
    ...postOf(ways).map(work => inTurn(pace.out, [work])),
  ];
  return async () => {
    isStopping = true;
    for (const each of jobs) each.stop();
    const grace = new Promise<void>(resolve => setTimeout(resolve, GRACE_MS).unref());
    await Promise.race([Promise.all(running), grace]);
  };
}
