import { addDays } from '@cairn/base/local-day.ts';
import { tagsOf, type CheckIn } from './check-in.ts';

/** What is drawn over time. Sleep in hours, everything else 1 to 5. */
export const MEASURES = ['mood', 'energy', 'stress', 'sleep_hours'] as const;
export type Measure = (typeof MEASURES)[number];

/** The means of one day's check-ins; null where nothing was said. */
export type DayMean = { day: string } & Record<Measure, number | null>;

const meanOf = (values: readonly number[]): number | null =>
  values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;

const known = (rows: readonly CheckIn[], measure: Measure): number[] =>
  rows.map(row => row[measure]).filter(value => value !== null);

/** One mean for each day on which something was said, the oldest first. */
export function dayMeans(rows: readonly CheckIn[]): DayMean[] {
  const byDay = Map.groupBy(rows, row => row.day);
  return [...byDay]
    .map(([day, held]): DayMean => ({
      day,
      mood: meanOf(known(held, 'mood')),
      energy: meanOf(known(held, 'energy')),
      stress: meanOf(known(held, 'stress')),
      sleep_hours: meanOf(known(held, 'sleep_hours')),
    }))
    .toSorted((a, b) => a.day.localeCompare(b.day));
}

/** A mean and how many days it is made of. */
export type Average = { mean: number; n: number };

export type Trend = {
  /** Every day of the time, also those nothing was said on. */
  days: DayMean[];
  averages: Record<Measure, Average | null>;
  /** The same of as many days before; null where fewer than three days were answered. */
  before: Record<Measure, Average | null>;
};

const MIN_COMPARED_DAYS = 3;

function averageOf(means: readonly DayMean[], measure: Measure, fewest = 1): Average | null {
  const values = means.map(day => day[measure]).filter(value => value !== null);
  const mean = meanOf(values);
  return mean === null || values.length < fewest ? null : { mean, n: values.length };
}

const averagesOf = (means: readonly DayMean[], fewest?: number): Record<Measure, Average | null> => ({
  mood: averageOf(means, 'mood', fewest),
  energy: averageOf(means, 'energy', fewest),
  stress: averageOf(means, 'stress', fewest),
  sleep_hours: averageOf(means, 'sleep_hours', fewest),
});

/** The last `length` days up to `today` (YYYY-MM-DD), beside as many before. */
export function trend(rows: readonly CheckIn[], today: string, length: number): Trend {
  const byDay = new Map(dayMeans(rows).map(mean => [mean.day, mean]));
  const blank = (day: string): DayMean => ({ day, mood: null, energy: null, stress: null, sleep_hours: null });
  const span = (end: string) =>
    Array.from({ length }, (_, index) => addDays(end, index - length + 1)).map(day => byDay.get(day) ?? blank(day));
  const days = span(today);
  return {
    days,
    averages: averagesOf(days),
    before: averagesOf(span(addDays(today, -length)), MIN_COMPARED_DAYS),
  };
}

/** Days of each kind that a comparison needs before anything is said. */
export const ENOUGH_DAYS = 5;

/** How mood differs on some days from all others: two means, each with its number of days. */
export type Effect = { on: Average; off: Average; difference: number };

function effectOf(on: readonly number[], off: readonly number[]): Effect | null {
  const [yes, no] = [meanOf(on), meanOf(off)];
  if (yes === null || no === null || on.length < ENOUGH_DAYS || off.length < ENOUGH_DAYS) return null;
  return { on: { mean: yes, n: on.length }, off: { mean: no, n: off.length }, difference: yes - no };
}

export type WeekdayEffect = { weekday: number; effect: Effect };

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Mood by day of the week (0 Sunday … 6 Saturday), those with enough days only, the best first. */
export function weekdayEffects(rows: readonly CheckIn[]): WeekdayEffect[] {
  const means = dayMeans(rows).flatMap(({ day, mood }) => (mood === null ? [] : [{ weekday: weekdayOf(day), mood }]));
  return [0, 1, 2, 3, 4, 5, 6]
    .flatMap(weekday => {
      const of = (is: boolean) => means.filter(each => (each.weekday === weekday) === is).map(({ mood }) => mood);
      const effect = effectOf(of(true), of(false));
      return effect ? [{ weekday, effect }] : [];
    })
    .toSorted((a, b) => b.effect.difference - a.effect.difference);
}

export type TagEffect = { tag: string; effect: Effect };

/** Mood on days with a word beside days without it, those with enough days of both only, the strongest first. */
export function tagEffects(rows: readonly CheckIn[]): TagEffect[] {
  const byDay = Map.groupBy(rows, row => row.day);
  const days = dayMeans(rows).flatMap(({ day, mood }) =>
    mood === null ? [] : [{ mood, tags: new Set((byDay.get(day) ?? []).flatMap(tagsOf)) }],
  );
  const tags = new Set(days.flatMap(day => [...day.tags]));
  return [...tags]
    .flatMap(tag => {
      const of = (is: boolean) => days.filter(day => day.tags.has(tag) === is).map(({ mood }) => mood);
      const effect = effectOf(of(true), of(false));
      return effect ? [{ tag, effect }] : [];
    })
    .toSorted((a, b) => Math.abs(b.effect.difference) - Math.abs(a.effect.difference));
}

/**
 * Days in a row up to `today` with an answer or a reason to skip; today itself may still be open. A skipped day keeps the
 * row and does not lengthen it.
 */
export function checkInStreak(rows: readonly CheckIn[], today: string): number {
  const byDay = Map.groupBy(rows, row => row.day);
  let length = 0;
  for (let day = byDay.has(today) ? today : addDays(today, -1); byDay.has(day); day = addDays(day, -1)) {
    if (byDay.get(day)?.some(row => row.skipped === null)) length += 1;
  }
  return length;
}
