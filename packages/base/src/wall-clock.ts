/** Making one costs far more than using it, and keeping one 30 kB: so many are kept, the oldest goes. */
const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 100;

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const [oldest] = formats.keys();
  if (oldest !== undefined && formats.size >= MAX_FORMATS) formats.delete(oldest);
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: isZone(zone) ? zone : 'UTC',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  formats.set(zone, made);
  return made;
}

/** Whether clocks here know the zone: an unknown one must not take a screen with it. @param name IANA name */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The zone this device is in, IANA name. */
export const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/**
 * What clocks in a zone show, as if it were UTC.
 *
 * @param at ms since 1970
 * @param zone IANA name; an unknown one counts as UTC
 * @returns ms since 1970-01-01T00:00 on those clocks
 */
export function wallClock(at: number, zone: string): number {
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000);
}

const DAY_MS = 86_400_000;

/**
 * The instant at which clocks in the zone show `wall`. A time that a clock change leaves out is read on the clock from
 * before it, of one that comes twice the second is meant: as PostgreSQL does.
 *
 * @param wall ms since 1970-01-01T00:00 on those clocks
 * @returns ms since 1970
 */
export function instantOf(wall: number, zone: string): number {
  const offsetAt = (at: number) => wallClock(at, zone) - at;
  const before = offsetAt(wall - DAY_MS);
  const after = offsetAt(wall + DAY_MS);
  const late = wall - after;
  return offsetAt(late) === after ? late : wall - before;
}
