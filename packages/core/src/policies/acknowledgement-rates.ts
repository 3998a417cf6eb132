import { csvFile } from '@cairn/base/csv.ts';
import { addDays } from '@cairn/base/local-day.ts';

export type RateStep = 'day' | 'week' | 'month';

/** How an organisation, or a part of it, stood at the end of a day: acknowledgements, one a person and policy. */
export type RateDay = {
  /** YYYY-MM-DD in the organisation's time zone. */
  day: string;
  asked: number;
  /** Of them: acknowledged or exempt. */
  done: number;
  /** Of them: the day had passed without. */
  overdue: number;
};

/** As `acknowledgement_rates` answers. */
export type RateAnswer = {
  /** Of the organisation: says when a day is over. IANA name. */
  zone: string;
  /** The last day that was counted, YYYY-MM-DD; null before anybody was asked. */
  until: string | null;
  /** The site or team the days are of; null: everybody. */
  place: string | null;
  /** Sites and teams this person may ask for. */
  places: { id: string; name: string }[];
  /** Whether they may ask for nothing but these. */
  is_limited: boolean;
  /** The oldest first; days on which nobody was asked are left out. */
  days: RateDay[];
};

/** How it stood at the last counted day of a day, week or month; null figures where nobody was asked then. */
export type RateSpan = { /** Its first day, YYYY-MM-DD. */ from: string; at: RateDay | null };

/** Share that is done or overdue, in percent, 0 to 100; null where nobody was asked. */
export const shareOf = (at: RateDay | null, what: 'done' | 'overdue'): number | null =>
  at === null || at.asked === 0 ? null : (100 * at[what]) / at.asked;

/** Monday of a day's week. @param day YYYY-MM-DD */
const weekOf = (day: string): string => addDays(day, -((new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7));

const FIRST_DAY: Record<RateStep, (day: string) => string> = {
  day: day => day,
  week: weekOf,
  month: day => `${day.slice(0, 7)}-01`,
};

/**
 * Days, weeks (from Monday) or months, the oldest first, each as it stood at its last day; they begin with the first that has
 * figures, and none is left out after it.
 *
 * @param until the last counted day, YYYY-MM-DD; days after it that have no figures yet are not invented
 * @param count days looked back, this one among them
 */
export function spansOf(days: readonly RateDay[], step: RateStep, until: string, count: number): RateSpan[] {
  const known = new Map(days.map(each => [each.day, each]));
  const spans = new Map<string, RateSpan>();
  for (let back = count - 1; back >= 0; back -= 1) {
    const day = addDays(until, -back);
    const from = FIRST_DAY[step](day);
    spans.set(from, { from, at: known.get(day) ?? null });
  }
  const all = [...spans.values()];
  return all.slice(all.findIndex(({ at }) => at !== null));
}

/**
 * Spans as CSV for a spreadsheet; percent with one decimal, empty where nobody was asked.
 *
 * @param titles of the first day, the last counted day, asked, done, overdue, percent done, percent overdue
 */
export function ratesCsv(spans: readonly RateSpan[], titles: readonly string[]): string {
  const percent = (value: number | null) => value?.toFixed(1) ?? '';
  const row = ({ from, at }: RateSpan) => [
    from,
    at?.day ?? '',
    String(at?.asked ?? ''),
    String(at?.done ?? ''),
    String(at?.overdue ?? ''),
    percent(shareOf(at, 'done')),
    percent(shareOf(at, 'overdue')),
  ];
  return csvFile([[...titles], ...spans.map(row)]);
}
