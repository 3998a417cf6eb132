import { wallClock } from '@cairn/base/wall-clock.ts';

/** A person's hours. Times are HH:MM on the clocks of their zone. */
export type Hours = {
  /** IANA name; one that nobody knows counts as UTC. */
  zone: string;
  /** When the daily digest goes out. */
  daily: string;
  quiet: { enabled: boolean; start: string; end: string };
};

export type Cadence = 'off' | 'immediate' | 'daily';

const MINUTE_MS = 60_000;

const minutesOf = (clock: string): number => {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
};

/**
 * Whether nothing may make itself heard at this instant. The first minute of quiet hours is quiet, the last is not;
 * quiet hours that end when they start are none.
 *
 * @param at ms since 1970
 */
export function isQuiet(at: number, { zone, quiet }: Hours): boolean {
  if (!quiet.enabled) return false;
  const now = Math.floor((wallClock(at, zone) % 86_400_000) / MINUTE_MS);
  const [start, end] = [minutesOf(quiet.start), minutesOf(quiet.end)];
  if (start === end) return false;
  return start < end ? now >= start && now < end : now >= start || now < end;
}
