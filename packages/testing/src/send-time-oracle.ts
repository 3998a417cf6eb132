import { instantOf, wallClock } from '@cairn/base/wall-clock.ts';
import { type Hours, isQuiet } from '@cairn/core/notifications/quiet-hours.ts';

const MINUTE_MS = 60_000;

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/**
 * From `from` on, the next instant at which clocks in the zone show `clock`.
 *
 * @param from ms since 1970
 * @param clock HH:MM
 */
function nextLocal(from: number, zone: string, clock: string): number {
  const day = Math.floor(wallClock(from, zone) / 86_400_000) * 86_400_000;
  const candidates = [-1, 0, 1, 2].map(days => instantOf(day + days * 86_400_000 + minutesOf(clock) * MINUTE_MS, zone));
  return Math.min(...candidates.filter(at => at >= from));
}

/**
 * When something told at `from` may go out: never before, never in quiet hours; a daily one at its time of day, or when
 * quiet hours end, should that time fall into them. What `inbox.send_time` of the database should say.
 *
 * @param from ms since 1970
 * @param bypass what concerns safety or security goes out at once
 * @returns ms since 1970
 */
export function goesOutAt(from: number, cadence: 'immediate' | 'daily', hours: Hours, bypass = false): number {
  if (bypass) return from;
  let at = cadence === 'daily' ? nextLocal(from, hours.zone, hours.daily) : from;
  // The end of quiet hours may be moved by a clock change into quiet hours that nearly fill the day.
  for (let attempt = 0; attempt < 3 && isQuiet(at, hours); attempt++)
    at = nextLocal(at + 1, hours.zone, hours.quiet.end);
  return at;
}
