import { localInstant } from '@cairn/base/local-day.ts';

const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?(?:\.(\d{1,3}))?)?/;
const MONTHS = 'Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec'.split(',');
const DAYS = 'Sun,Mon,Tue,Wed,Thu,Fri,Sat'.split(',');

/**
 * ODK's format-date() and format-date-time(): %Y %y %m %n %b %d %e %a %W %H %h %M %S %3, and %% for the sign itself. Other letters stay as they are.
 *
 * @param moment a day or a day and time, as the clocks there showed it; anything else gives the empty text
 */
export function formatMoment(moment: string, format: string): string {
  const [, year, month, day, hours = '00', minutes = '00', seconds = '00', ms = '0'] = MOMENT.exec(moment) ?? [];
  if (year === undefined || month === undefined || day === undefined) return '';
  const parts: Record<string, string> = {
    Y: year,
    y: year.slice(-2),
    m: month,
    n: String(Number(month)),
    b: MONTHS[Number(month) - 1] ?? '',
    d: day,
    e: String(Number(day)),
    a: DAYS[new Date(`${year}-${month}-${day}T00:00:00Z`).getUTCDay()] ?? '',
    W: weekOf(`${year}-${month}-${day}`),
    H: hours,
    h: String(Number(hours)),
    M: minutes,
    S: seconds,
    3: ms.padEnd(3, '0'),
    '%': '%',
  };
  return format.replaceAll(/%([A-Za-z3%])/g, (whole, char: string) => parts[char] ?? whole);
}

const MS_PER_DAY = 86_400_000;

/** The week of a day by ISO 8601: the one that holds the year's first Thursday is 1. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const yearBegins = Date.UTC(date.getUTCFullYear(), 0, 1);
  return String(Math.ceil(((date.getTime() - yearBegins) / MS_PER_DAY + 1) / 7)).padStart(2, '0');
}

/** Of a clock: 24:00 and 06:60 are no times, and no offset is beyond 14 hours. */
const TIME =
  /^(?:(\d{4}-\d{2}-\d{2})T)?(([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?)(Z|[+-](?:0\d|1[0-3]):?[0-5]\d|[+-]14:?00)?$/;

/**
 * ODK's decimal-time(): the share of the day that has passed on the device's clock, 12:00 is 0.5. NaN for what is no time.
 *
 * @param time with or without a day; without an offset it is the device's own
 * @param today the day of a time without one, YYYY-MM-DD: an offset can be another in summer
 */
export function timeOfDay(time: string, today: string): number {
  const [, day = today, clock, hours, minutes, seconds = '0', offset] = TIME.exec(time.trim()) ?? [];
  if (clock === undefined) return Number.NaN;
  if (offset === undefined) return (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) / 86_400;
  const instant = new Date(`${day}T${clock}${offset}`);
  return Number.isNaN(instant.getTime()) ? Number.NaN : timeOfDay(localInstant(instant).slice(11, 23), today);
}
