import { addDays } from '@cairn/base/local-day.ts';
import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import type { GoalSummary } from '../goals/queries.ts';
import { habitDays, reachDays } from '../habits/habit-days.ts';
import type { Habit, HabitDay, HabitPause } from '../habits/habit.ts';
import { dayMeans, type DayMean } from '../wellness/trends.ts';
import type { CheckIn } from '../wellness/check-in.ts';
import { correlation, MIN_DAYS_EACH, type Correlation, type Pair } from './correlation.ts';

/** Days that are looked at for what goes together, and for how steady something is. */
export const LOOK_DAYS = 180;
export const STEADY_DAYS = 28;
const REVIEW_DAYS = 90;

type Entry = Row<'habit_entries'>;

/** What is set beside mood. Sleep, energy and stress by figure, a habit by whether it was done. */
export type CorrelationFactor = { kind: 'sleep_hours' | 'energy' | 'stress' } | { kind: 'habit'; habit: Habit };
export type FactorCorrelation = { beside: CorrelationFactor; found: Correlation };

function ofMeasure(means: readonly DayMean[], kind: 'sleep_hours' | 'energy' | 'stress'): Pair[] {
  return means.flatMap(({ day, mood, [kind]: x }) => (mood === null || x === null ? [] : [{ day, x, y: mood }]));
}

/** Days on which it was done beside those on which it was not; days that needed nothing, or of which nothing was said, tell neither. */
function ofHabit(means: readonly DayMean[], days: readonly HabitDay[]): Pair[] {
  const statuses = new Map(days.map(({ day, status }) => [day, status]));
  const pairs = means.flatMap(({ day, mood }) => {
    const status = statuses.get(day);
    const isNot = status === 'no' || status === 'missed';
    return mood === null || (status !== 'done' && !isNot) ? [] : [{ day, x: isNot ? 0 : 1, y: mood }];
  });
  const done = pairs.filter(({ x }) => x === 1).length;
  return done < MIN_DAYS_EACH || pairs.length - done < MIN_DAYS_EACH ? [] : pairs;
}

export type InsightRows = {
  checkIns: readonly CheckIn[];
  habits: readonly Habit[];
  entries: readonly Entry[];
  /** None where left out. */
  pauses?: readonly HabitPause[];
};

/** How the days of each habit stand, by its id, as every other screen has them. */
function daysByHabit({ habits, entries, pauses = [] }: InsightRows): Map<string, HabitDay[]> {
  const byHabit = Map.groupBy(entries, entry => entry.habit_id);
  return new Map(
    habits.map(habit => {
      const dayEntries = byHabit.get(habit.id) ?? [];
      const [from, to] = [
        dayEntries
          .map(({ day }) => day)
          .toSorted()
          .at(0),
        dayEntries
          .map(({ day }) => day)
          .toSorted()
          .at(-1),
      ];
      const own = pauses.filter(({ habit_id: id }) => id === null || id === habit.id);
      const days = from && to ? habitDays({ rule: habit, entries: dayEntries, pauses: own, from, to }) : [];
      return [habit.id, days];
    }),
  );
}
export type CorrelationReport = {
  found: FactorCorrelation[];
  /** How many things had enough days to be looked at. */ looked: number;
};

/** What goes together with mood, strongest first; what has too few days is left out. */
export function goesTogether(rows: InsightRows): CorrelationReport {
  const { checkIns, habits } = rows;
  const means = dayMeans(checkIns.filter(({ skipped }) => skipped === null));
  const byHabit = daysByHabit(rows);
  const measures = (['sleep_hours', 'energy', 'stress'] as const).map(kind => ({
    beside: { kind },
    pairs: ofMeasure(means, kind),
  }));
  const done = habits.map(habit => ({
    beside: { kind: 'habit' as const, habit },
    pairs: ofHabit(means, byHabit.get(habit.id) ?? []),
  }));
  const found = [...measures, ...done].flatMap(({ beside, pairs }): FactorCorrelation[] => {
    const answer = correlation(pairs);
    return answer ? [{ beside, found: answer }] : [];
  });
  return { found: found.toSorted((a, b) => Math.abs(b.found.r) - Math.abs(a.found.r)), looked: found.length };
}

export type HabitSteadiness = { name: string | null; days: number; of: number; before: number | null };

/** On how many of the last days something was said or done, beside as many days before. @param today YYYY-MM-DD */
export function steadiness(rows: InsightRows, today: string): HabitSteadiness[] {
  const { checkIns, habits } = rows;
  const byHabit = daysByHabit(rows);
  const since = addDays(today, 1 - STEADY_DAYS);
  const earlier = addDays(since, -STEADY_DAYS);
  const count = (days: ReadonlySet<string>, from: string, to: string): number =>
    [...days].filter(day => day >= from && day <= to).length;
  const steady = (name: string | null, days: ReadonlySet<string>, startedOn: string): HabitSteadiness => ({
    name,
    days: count(days, since, today),
    of: STEADY_DAYS,
    before: startedOn <= earlier ? count(days, earlier, addDays(since, -1)) : null,
  });
  const answeredDays = new Set(checkIns.filter(({ skipped }) => skipped === null).map(({ day }) => day));
  const first = [...answeredDays].toSorted()[0];
  const own = habits
    .filter(habit => habit.started_on <= since)
    .map(habit => {
      const done = (byHabit.get(habit.id) ?? []).filter(({ status }) => status === 'done');
      return steady(habit.name, new Set(done.map(({ day }) => day)), habit.started_on);
    });
  return first === undefined || first > since ? own : [steady(null, answeredDays, first), ...own];
}

export type MilestoneReview = {
  /** Reached in the last 90 days, the newest first. */
  reached: {
    goal: string;
    title: string;
    day: string;
    /** Null without a date to be kept. */ inTime: boolean | null;
  }[];
  /** Of running goals, past their date, the oldest first. */
  late: { goal: string; title: string; due: string }[];
};

/** What was reached, and what waits past its date. @param today YYYY-MM-DD */
export function milestoneReview(summaries: readonly GoalSummary[], today: string): MilestoneReview {
  const all = summaries.flatMap(({ goal, milestones }) => milestones.map(milestone => ({ goal, milestone })));
  const since = addDays(today, -REVIEW_DAYS);
  const reached = all.flatMap(({ goal, milestone: { title, done_on: day, due_on: due } }) =>
    day !== null && day > since ? [{ goal: goal.title, title, day, inTime: due === null ? null : day <= due }] : [],
  );
  const late = all.flatMap(({ goal, milestone: { title, done_on: day, due_on: due } }) =>
    goal.state === 'active' && day === null && due !== null && due < today ? [{ goal: goal.title, title, due }] : [],
  );
  return {
    reached: reached.toSorted((a, b) => b.day.localeCompare(a.day)),
    late: late.toSorted((a, b) => a.due.localeCompare(b.due)),
  };
}

/** What insights are worked out from, as far as they look back. @param today YYYY-MM-DD */
export function insightRows(today: string): Query<InsightRows> {
  const from = addDays(today, 1 - LOOK_DAYS);
  return {
    key: `insights/rows/${today}`,
    tables: ['wellness_check_ins', 'habits', 'habit_entries', 'habit_pauses'],
    async read(tx) {
      const kept = <T extends { deleted_at: string | null }>(rows: readonly T[]): T[] =>
        rows.filter(row => row.deleted_at === null);
      const checkIns = kept(await tx.range('wellness_check_ins', 'day', from, `${today}/\uffff`));
      const habits = kept(await tx.all('habits')).filter(habit => habit.archived_at === null);
      // As far back as a rule reaches, so that the first days stand as they do elsewhere.
      const since = addDays(from, -Math.max(0, ...habits.map(reachDays)));
      const entries = kept(await tx.range('habit_entries', 'habitDay', since, `${today}\uffff`));
      return { checkIns, habits, entries, pauses: kept(await tx.all('habit_pauses')) };
    },
  };
}
