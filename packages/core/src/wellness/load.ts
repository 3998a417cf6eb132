import { addDays } from '@cairn/base/local-day.ts';
import { ENOUGH_DAYS, type Average, type DayMean } from './trends.ts';

/** Something to do, as far as load is concerned: instants ISO 8601, null where there is none. */
export type LoadItem = { dueAt: string | null; doneAt: string | null };

/** The work of one local day beside how it felt. */
export type LoadDay = {
  day: string;
  /** Items that were past their due date at some time of the day and still open then. */
  overdue: number;
  /** Items finished between ten in the evening and six in the morning; the night counts for the day it began. */
  late: number;
  /** Mean stress of the day, 1 to 5; null where nothing was said. */
  stress: number | null;
};

export type WorkloadSummary = {
  /** The oldest first; today the last. */
  days: LoadDay[];
  overdueNow: number;
  lateNights: number;
  /** Stress on days with overdue or late work, and on the others; null while either has too few days. */
  stress: { on: Average; off: Average } | null;
};

const NIGHT_BEGINS = 22;
const NIGHT_ENDS = 6;
const HOUR_MS = 3_600_000;

/** The day (YYYY-MM-DD) whose night an instant lies in; null by day. @param wall ms of the wall clock since 1970 */
export function nightOf(wall: number): string | null {
  const hour = new Date(wall).getUTCHours();
  if (hour >= NIGHT_BEGINS) return new Date(wall).toISOString().slice(0, 10);
  return hour < NIGHT_ENDS ? new Date(wall - NIGHT_ENDS * HOUR_MS).toISOString().slice(0, 10) : null;
}

export type LoadRequest = {
  items: readonly LoadItem[];
  means: readonly DayMean[];
  /** The local day, YYYY-MM-DD. */
  today: string;
  /** How many days are looked at. */
  length: number;
  /** The person's wall clock at an instant, ms since 1970 as if it were UTC (packages/base/src/wall-clock.ts). */
  wallOf: (at: number) => number;
};

const meanOf = (values: readonly number[]): Average => ({
  mean: values.reduce((sum, value) => sum + value, 0) / values.length,
  n: values.length,
});

/** Overdue and late-night work of a person beside their stress, day by day. */
export function loadOf({ items, means, today, length, wallOf }: LoadRequest): WorkloadSummary {
  const walls = items.map(({ dueAt, doneAt }) => ({
    due: dueAt === null ? null : dayOf(wallOf(Date.parse(dueAt))),
    done: doneAt === null ? null : dayOf(wallOf(Date.parse(doneAt))),
    night: doneAt === null ? null : nightOf(wallOf(Date.parse(doneAt))),
  }));
  const stressOf = new Map(means.map(({ day, stress }) => [day, stress]));
  const days = Array.from({ length }, (_, index) => addDays(today, index - length + 1)).map((day): LoadDay => ({
    day,
    overdue: walls.filter(({ due, done }) => due !== null && due < day && (done === null || done >= day)).length,
    late: walls.filter(({ night }) => night === day).length,
    stress: stressOf.get(day) ?? null,
  }));
  const of = (loaded: boolean): number[] =>
    days.flatMap(({ overdue, late, stress }) => (stress !== null && overdue + late > 0 === loaded ? stress : []));
  const [on, off] = [of(true), of(false)];
  return {
    days,
    overdueNow: days.at(-1)?.overdue ?? 0,
    lateNights: days.filter(({ late }) => late > 0).length,
    stress: on.length < ENOUGH_DAYS || off.length < ENOUGH_DAYS ? null : { on: meanOf(on), off: meanOf(off) },
  };
}

const dayOf = (wall: number): string => new Date(wall).toISOString().slice(0, 10);
