import { isZone, wallClock } from '@cairn/base/wall-clock.ts';

/** Which of two numbers before the year is the day, where slashes stand between them. */
export type DayOrder = 'day-month' | 'month-day';

/** A day as a cell says it, perhaps with a time; YYYY-MM-DD and HH:MM. */
export type DayCell = { day: string; time: string | null };

const PARTS = /^(\d{1,4})([-./])(\d{1,2})\2(\d{1,4})(?:(?:t|,?\s+)(\S.*))?$/i;
const CLOCK = /^(\d{1,2}):(\d{2})(?::\d{2}(?:[.,]\d+)?)?\s*(am|pm)?\s*(z|utc|[+-]\d{2}:?\d{2})?$/i;
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/\d{4}\b/;

const two = (number: number): string => String(number).padStart(2, '0');

/** The day if there is such a one and we keep such: from 1970 to 2199. */
function realDay(year: number, month: number, day: number): string | null {
  const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
  const time = Date.parse(`${text}T00:00:00Z`);
  const isThere = !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
  return isThere && text > '1970-01-02' && text < '2199-12-31' ? text : null;
}

function dayIn(parts: RegExpExecArray, order: DayOrder): string | null {
  const [, first = '', sign, middle = '', last = ''] = parts;
  const [a, b, c] = [Number(first), Number(middle), Number(last)];
  if (first.length === 4) return last.length <= 2 ? realDay(a, b, c) : null;
  if (last.length !== 4 || first.length > 2 || sign === '-') return null;
  return sign === '/' && order === 'month-day' ? realDay(c, a, b) : realDay(c, b, a);
}

type Clock = { hour: number; minute: number; offset: string | null };

function clockIn(text: string): Clock | null {
  const [, hours, minutes, half, offset] = CLOCK.exec(text.trim()) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const [hourNumber, minute] = [Number(hours), Number(minutes)];
  if (half !== undefined && (hourNumber < 1 || hourNumber > 12)) return null;
  const hour = half === undefined ? hourNumber : (hourNumber % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  return hour > 23 || minute > 59 ? null : { hour, minute, offset: offset?.toUpperCase() ?? null };
}

/**
 * The day in a cell: 2026-11-30, 30.11.2026, or with slashes in the given order; a time may follow (09:30, 9:30 PM), and where
 * that names its offset (Z, +01:00) it is told as the clocks of `zone` show it.
 *
 * @param zone IANA name
 * @returns null where there is no such day
 */
export function csvDay(cell: string, order: DayOrder, zone: string): DayCell | null {
  const parts = PARTS.exec(cell.trim());
  const day = parts && dayIn(parts, order);
  if (!parts || !day) return null;
  const rest = parts[5];
  if (rest === undefined) return { day, time: null };
  const clock = clockIn(rest);
  if (!clock) return null;
  const time = `${two(clock.hour)}:${two(clock.minute)}`;
  if (clock.offset === null) return { day, time };
  const offset = clock.offset === 'UTC' ? 'Z' : clock.offset.replace(/^(...)(\d\d)$/, '$1:$2');
  const instant = Date.parse(`${day}T${time}:00${offset}`);
  if (Number.isNaN(instant) || !isZone(zone)) return null;
  const wall = new Date(wallClock(instant, zone)).toISOString();
  return { day: wall.slice(0, 10), time: wall.slice(11, 16) };
}

/** A time on its own, HH:MM; null where it is none. */
export function csvTime(cell: string): string | null {
  const clock = clockIn(cell);
  return clock?.offset === null ? `${two(clock.hour)}:${two(clock.minute)}` : null;
}

/** What days with slashes say about their order: nothing where there are none, or each could be read either way. */
export type SlashDays = { found: boolean; order: DayOrder | null };

/** Looks at cells with slashes for one that can be read in one order only. */
export function slashDays(cells: readonly string[]): SlashDays {
  const matches = cells.map(cell => SLASHES.exec(cell.trim())).filter(match => match !== null);
  const order = matches.some(([, first]) => Number(first) > 12)
    ? 'day-month'
    : matches.some(([, , second]) => Number(second) > 12)
      ? 'month-day'
      : null;
  return { found: matches.length > 0, order };
}
