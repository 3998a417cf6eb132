import { addDays, localDay } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query, Tx } from '@cairn/sync/store.ts';
import { habitDays, reachDays } from '../habits/habit-days.ts';
import type { Habit } from '../habits/habit.ts';
import { hasEnded, type Goal, type GoalCheckIn, type GoalLink, type GoalPause, type Milestone } from './goal.ts';
import { momentum, MOMENTUM_DAYS, REACH_DAYS, type Momentum } from './momentum.ts';
import { progressOf, tellsProgress, type Progress } from './progress.ts';

/** A goal with how far it is. */
export type GoalSummary = {
  goal: Goal;
  progress: Progress | null;
  momentum: Momentum;
  /** In order; those taken away left out. */
  milestones: Milestone[];
  /** The milestone to reach next; null when all are reached, or there is none. */
  next: Milestone | null;
  /** The last day something was said about it; null before that. */
  lastCheckIn: string | null;
};

/** Days after which a running goal asks how it goes. */
const ASK_AFTER_DAYS = 7;

const TABLES = [
  'goals',
  'goal_milestones',
  'goal_links',
  'goal_check_ins',
  'goal_pauses',
  'habits',
  'habit_entries',
  'habit_pauses',
  'action_items',
] as const;

type Rows = { milestones: Milestone[]; links: GoalLink[]; checkIns: GoalCheckIn[]; pauses: GoalPause[] };

const kept = <T extends { deleted_at: string | null }>(rows: readonly T[]): T[] =>
  rows.filter(row => row.deleted_at === null);

/** @param since only what was said from that day on (YYYY-MM-DD) */
async function rowsOf(tx: Tx, id: string, since = ''): Promise<Rows> {
  const [milestones, links, checkIns, pauses] = await Promise.all([
    tx.range('goal_milestones', 'goal', id, id),
    tx.range('goal_links', 'goal', id, id),
    checkInsOf(tx, id, since),
    tx.range('goal_pauses', 'goal', id, id),
  ]);
  return {
    milestones: kept(milestones).toSorted((a, b) => a.position - b.position || a.title.localeCompare(b.title)),
    links: kept(links),
    checkIns,
    pauses: kept(pauses),
  };
}

async function checkInsOf(tx: Tx, id: string, since = ''): Promise<GoalCheckIn[]> {
  return kept(await tx.range('goal_check_ins', 'goal', `${id}/${since}`, `${id}/\uffff`));
}

const lastDay = (goal: Goal, today: string): string => goal.ended_on ?? today;

/** What a glance at a goal needs: of years of words the last weeks', and all only where those do not tell how far it is. */
async function recentRowsOf(tx: Tx, goal: Goal, today: string): Promise<Rows> {
  const rows = await rowsOf(tx, goal.id, addDays(lastDay(goal, today), -MOMENTUM_DAYS));
  const { milestones, checkIns, pauses } = rows;
  const isEnough = pauses.length === 0 && checkIns.length > 0 && tellsProgress(goal, milestones, checkIns);
  return isEnough ? rows : { ...rows, checkIns: await checkInsOf(tx, goal.id) };
}

/** The days on which a habit was done, its target met. */
async function daysDone(tx: Tx, id: string, from: string, until: string): Promise<string[]> {
  const habit = await tx.get('habits', id);
  const isNumber = habit?.kind === 'number';
  const since = isNumber ? addDays(from, -reachDays(habit)) : from;
  const entries = kept(await tx.range('habit_entries', 'habit', `${id}/${since}`, `${id}/\uffff`));
  if (!isNumber) return entries.flatMap(({ value, day }) => (value === 'done' ? day : []));
  const pauses = kept(await tx.all('habit_pauses')).filter(pause => pause.habit_id === null || pause.habit_id === id);
  const days = habitDays({ rule: habit, entries, pauses, from, to: until });
  return days.flatMap(({ day, status }) => (status === 'done' ? day : []));
}

/** The days on which something was done for a goal: said, reached, a linked habit kept, a linked action item closed. */
async function actsOf(tx: Tx, { milestones, links, checkIns, pauses }: Rows, until: string): Promise<string[]> {
  const from = addDays(until, pauses.length === 0 ? -MOMENTUM_DAYS : -REACH_DAYS);
  const acts = [...checkIns.map(({ day }) => day), ...milestones.flatMap(({ done_on: day }) => day ?? [])];
  for (const { kind, item_id: id } of links) {
    if (kind === 'habit') {
      acts.push(...(await daysDone(tx, id, from, until)));
    } else {
      const closed = (await tx.get('action_items', id))?.closed_at;
      if (closed) acts.push(localDay(new Date(closed)));
    }
  }
  return acts;
}

async function summaryOf(tx: Tx, goal: Goal, rows: Rows, today: string): Promise<GoalSummary> {
  const { milestones, checkIns, pauses } = rows;
  const startedOn = goal.started_on ?? today;
  const until = lastDay(goal, today);
  return {
    goal,
    progress: progressOf(goal, milestones, checkIns),
    momentum: momentum({ acts: await actsOf(tx, rows, until), pauses, startedOn, today: until }),
    milestones,
    next: milestones.find(({ done_on: day }) => day === null) ?? null,
    lastCheckIn: checkIns.at(-1)?.day ?? null,
  };
}

const ORDER: readonly Goal['state'][] = ['active', 'paused', 'draft', 'achieved', 'revised', 'dropped'];
const byState = (a: Goal, b: Goal): number =>
  ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
  (a.due_on ?? '9999').localeCompare(b.due_on ?? '9999') ||
  a.title.localeCompare(b.title);

/** Every goal: running ones first, then by date; what has ended last. @param today YYYY-MM-DD */
export function goals(today: string): Query<GoalSummary[]> {
  return {
    key: `goals/goals/${today}`,
    tables: [...TABLES],
    async read(tx) {
      const all = kept(await tx.all('goals')).toSorted(byState);
      return Promise.all(all.map(async goal => summaryOf(tx, goal, await recentRowsOf(tx, goal, today), today)));
    },
  };
}

export type ExportedGoal = {
  goal: Goal;
  /** In order; those taken away left out. */
  milestones: Milestone[];
  /** The oldest first. */
  checkIns: GoalCheckIn[];
};

/** Everything about goals, for an export; in the order of `goals`. */
export const goalsToExport: Query<ExportedGoal[]> = {
  key: 'goals/goalsToExport',
  tables: ['goals', 'goal_milestones', 'goal_links', 'goal_check_ins', 'goal_pauses'],
  async read(tx) {
    const all = kept(await tx.all('goals')).toSorted(byState);
    return Promise.all(
      all.map(async goal => {
        const { milestones, checkIns } = await rowsOf(tx, goal.id);
        return { goal, milestones, checkIns };
      }),
    );
  },
};

/** Goals that have not ended, each with its name: what a person may show somebody. */
export const goalsToShow: Query<Goal[]> = {
  key: 'goals/goalsToShow',
  tables: ['goals'],
  async read(tx) {
    const all = kept(await tx.all('goals')).filter(goal => goal.state === 'active' || goal.state === 'paused');
    return all.toSorted(byState);
  },
};

export type LinkedItems = {
  habits: Habit[];
  actions: Row<'action_items'>[];
};

export type GoalPage = GoalSummary &
  LinkedItems & {
    /** The oldest first. */
    checkIns: GoalCheckIn[];
    /** The goal this one took the place of, and the one that took its place; null without. */
    before: Goal | null;
    after: Goal | null;
  };

async function linked(tx: Tx, links: readonly GoalLink[]): Promise<LinkedItems> {
  const found: LinkedItems = { habits: [], actions: [] };
  for (const { kind, item_id: id } of links) {
    const habit = kind === 'habit' ? await tx.get('habits', id) : undefined;
    const action = kind === 'action' ? await tx.get('action_items', id) : undefined;
    if (habit && habit.deleted_at === null) found.habits.push(habit);
    if (action && action.deleted_at === null) found.actions.push(action);
  }
  return found;
}

/** One goal with everything about it; null when it is not on this device. @param today YYYY-MM-DD */
export function goalPage(id: string, today: string): Query<GoalPage | null> {
  return {
    key: `goals/goalPage/${id}/${today}`,
    tables: [...TABLES],
    async read(tx) {
      const goal = await tx.get('goals', id);
      if (!goal || goal.deleted_at !== null) return null;
      const rows = await rowsOf(tx, id);
      const all = kept(await tx.all('goals'));
      return {
        ...(await summaryOf(tx, goal, rows, today)),
        ...(await linked(tx, rows.links)),
        checkIns: rows.checkIns,
        before: all.find(each => each.id === goal.follows_id) ?? null,
        after: all.find(each => each.follows_id === id) ?? null,
      };
    },
  };
}

export type GoalFigures = {
  active: number;
  /** The mean of how far running goals are, 0 to 1, and of how many; null where nothing is known of any. */
  rate: { mean: number; n: number } | null;
};

/** The sections of the page of goals; `active` are those the dashboard counts. */
export const goalSections = (summaries: readonly GoalSummary[]) => ({
  active: summaries.filter(({ goal }) => goal.state === 'active'),
  paused: summaries.filter(({ goal }) => goal.state === 'paused'),
  drafts: summaries.filter(({ goal }) => goal.state === 'draft'),
  ended: summaries.filter(({ goal }) => hasEnded(goal)),
});

/** The two figures of the personal dashboard. */
export function goalFigures(summaries: readonly GoalSummary[]): GoalFigures {
  const { active } = goalSections(summaries);
  const parts = active.flatMap(({ progress }) => (progress ? [progress.part] : []));
  const mean = parts.reduce((sum, part) => sum + part, 0) / parts.length;
  return { active: active.length, rate: parts.length === 0 ? null : { mean, n: parts.length } };
}

/** Whether a running goal asks today how it goes: nothing was said for a week. @param today YYYY-MM-DD */
export function asksToday({ goal, lastCheckIn }: GoalSummary, today: string): boolean {
  if (goal.state !== 'active') return false;
  const since = lastCheckIn ?? goal.started_on ?? today;
  return (Date.parse(today) - Date.parse(since)) / 86_400_000 >= ASK_AFTER_DAYS;
}
