import type { Json } from '@cairn/schema';

/**
 * A stopwatch that runs. Where it stands is reckoned from the wall clock, so that neither a closed app nor a flat battery
 * stops it; stopped, its answer is the number of seconds alone.
 */
export type RunningTimer = {
  /** Seconds measured until it was last started. */
  seconds: number;
  /** When it was last started: device time, ISO 8601. */
  since: string;
};

/** Most seconds that can be measured or typed: a hundred days less a second, 2399:59:59. */
export const MAX_TIMER_SECONDS = 8_639_999;

const inBounds = (seconds: unknown): seconds is number =>
  typeof seconds === 'number' && seconds >= 0 && seconds <= MAX_TIMER_SECONDS;

/** Whether an answer is a stopwatch that runs. */
export function isRunning(value: Json): value is RunningTimer {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { seconds, since } = value;
  return inBounds(seconds) && typeof since === 'string' && !Number.isNaN(Date.parse(since));
}

/** Whether an answer is one of a stopwatch: a number of seconds, or running. */
export const isTimerValue = (value: Json): boolean => inBounds(value) || isRunning(value);

/**
 * Seconds a stopwatch shows, in tenths; null where it was never started.
 *
 * A clock that was set back counts as standing still: never less than was measured before the last start.
 *
 * @param now device time, ms since 1970
 */
export function secondsShown(value: Json, now: number): number | null {
  if (isRunning(value)) {
    const since = Math.max(0, now - Date.parse(value.since));
    return Math.min(MAX_TIMER_SECONDS, inTenths(value.seconds + since / 1000));
  }
  return inBounds(value) ? value : null;
}

const inTenths = (seconds: number): number => Math.round(seconds * 10) / 10;

/** Starts it, or lets it go on from where it was paused. What runs already runs on. */
export function startTimer(value: Json, now: number): RunningTimer {
  if (isRunning(value)) return value;
  return { seconds: secondsShown(value, now) ?? 0, since: new Date(now).toISOString() };
}

/** Stops it: the seconds it showed at that moment. */
export const pauseTimer = (value: Json, now: number): number => secondsShown(value, now) ?? 0;

const SPAN = /^(?:(?:(\d{1,4}):)?(\d{1,5}):)?(\d{1,7})(?:[.,](\d))?$/;

/**
 * Seconds typed by hand: `mm:ss`, `h:mm:ss` or seconds alone, tenths after a point or comma.
 *
 * @returns null where it is no such text, or the minutes or seconds behind a colon are 60 or more
 */
export function secondsFrom(typed: string): number | null {
  const found = SPAN.exec(typed.trim());
  if (!found) return null;
  const [, hours, minutes, whole, tenth = '0'] = found;
  if (minutes !== undefined && Number(whole) > 59) return null;
  if (hours !== undefined && Number(minutes) > 59) return null;
  const seconds = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(whole) + Number(tenth) / 10;
  return inBounds(seconds) ? inTenths(seconds) : null;
}

/** Seconds as `secondsFrom` reads them: `1:30`, `1:02:05.5`; tenths only where there are any. */
export function spanText(seconds: number): string {
  const tenths = Math.round(seconds * 10);
  const all = Math.floor(tenths / 10);
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = `${two(all % 60)}${tenths % 10 > 0 ? `.${tenths % 10}` : ''}`;
  const minutes = Math.floor(all / 60) % 60;
  return all >= 3600 ? `${Math.floor(all / 3600)}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}
