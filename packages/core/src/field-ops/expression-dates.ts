const MOMENT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2}))?(?:\.(\d{1,3}))?)?/;
const MONTHS = 'Jan,Feb,Mar,Apr,May,Jun,Jul,Aug,Sep,Oct,Nov,Dec'.split(',');
const DAYS = 'Sun,Mon,Tue,Wed,Thu,Fri,Sat'.split(',');

/**
 * ODK's format-date() and format-date-time(): %Y %y %m %n %b %d %e %a %W %H %h %M %S %3. Other letters stay as they are.
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
  };
  return format.replaceAll(/%([A-Za-z3])/g, (whole, letter: string) => parts[letter] ?? whole);
}

const MS_PER_DAY = 86_400_000;

/** The week of a day by ISO 8601: the one that holds the year's first Thursday is 1. */
function weekOf(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + 4 - (date.getUTCDay() || 7));
  const yearBegins = Date.UTC(date.getUTCFullYear(), 0, 1);
  return String(Math.ceil(((date.getTime() - yearBegins) / MS_PER_DAY + 1) / 7)).padStart(2, '0');
}
