import { DAY, words, SIGN } from './quick-words.ts';

/** The part of a day that is said beside an hour or instead of one. */
export type Half = 'morning' | 'forenoon' | 'noon' | 'afternoon' | 'evening' | 'night';

/** When a part of the day begins where no hour is said, and the hours that are meant by it: from, and up to with. */
const HALVES: Record<Half, { time: string | null; hours: readonly (readonly [number, number])[] }> = {
  morning: { time: '09:00', hours: [[1, 11]] },
  forenoon: { time: '10:00', hours: [[7, 12]] },
  noon: { time: '12:00', hours: [[11, 14]] },
  afternoon: { time: '15:00', hours: [[12, 18]] },
  evening: { time: '18:00', hours: [[16, 23]] },
  night: {
    time: null,
    hours: [
      [20, 23],
      [0, 5],
    ],
  },
};

/** Words that say a part of the day wherever they stand. */
const ALWAYS: Record<Half, string> = {
  morning: 'in\\s+the\\s+morning|am\\s+morgen|morgens|in\\s+der\\s+früh|this\\s+morning',
  forenoon: 'am\\s+vormittag|vormittags',
  noon: 'at\\s+noon|noon|mittags|am\\s+mittag',
  afternoon: 'in\\s+the\\s+afternoon|am\\s+nachmittag|nachmittags|this\\s+afternoon',
  evening: 'in\\s+the\\s+evening|am\\s+abend|abends|this\\s+evening',
  night: 'at\\s+night|nachts|in\\s+der\\s+nacht',
};

/** Words that do so behind a day only: "Freitag Abend", "tomorrow morning". */
const BEHIND_A_DAY: Partial<Record<Half, string>> = {
  morning: 'morning|früh|morgen',
  forenoon: 'vormittag',
  noon: 'mittag',
  afternoon: 'afternoon|nachmittag',
  evening: 'evening|abend',
};

const halves = Object.keys(HALVES) as Half[];
const DAYS_BEFORE = `today|tomorrow|tmrw|heute|(?<!jeden\\s)morgen|übermorgen|every|each|jeden|diesen|(?:${DAY})s?`;

/** "Freitagabend" is the evening of a Friday, in one word. */
export const IN_ONE_WORD = Object.values(BEHIND_A_DAY).join('|');

const behindADay = (pattern: string): string =>
  `(?:(?<=(?<![${SIGN}])(?:${DAYS_BEFORE})\\s)|(?<=${DAY}))(?:${pattern})`;

const patternOf = (half: Half): string => {
  const behind = BEHIND_A_DAY[half];
  return `(?<${half}>${ALWAYS[half]}${behind === undefined ? '' : `|${behindADay(behind)}`})`;
};

/** Each part of the day in a group of its name, also in the middle of a word behind a day: the evening of "Freitagabend". */
const HALF = `(?:(?<![${SIGN}])|(?<=${DAY}))(?:${halves.map(patternOf).join('|')})(?![${SIGN}])`;

/** A part of the day that stands alone. */
export const HALF_WORDS = new RegExp(HALF, 'g');
const ENDS_WITH = new RegExp(`${HALF},?\\s+$`);
const BEGINS_WITH = new RegExp(`^,?\\s+${HALF}`);
/** "6 Uhr früh": behind an hour only, it is a word for early too. */
const EARLY = new RegExp(`^\\s+früh(?![${SIGN}])`);
const EVERY_NIGHT = /(?<![a-zäöüß0-9])(?:(?:every|each)\s+night|jede\s+nacht)\s+$/;
const TONIGHT = /(?<![a-zäöüß0-9])tonight\s+$/;

/** Which part of the day the groups of a pattern found. */
export const halfOf = (found: RegExpMatchArray | null): Half | null =>
  halves.find(half => found?.groups?.[half] !== undefined) ?? null;

/**
 * The part of the day beside an hour, "abends um 8" or "8 in the evening", and how many signs of it stand before and behind.
 * Of "tonight", which is a day too, no sign is taken.
 */
export function halfBeside(before: string, behind: string): { half: Half | null; before: number; behind: number } {
  const first = ENDS_WITH.exec(before);
  if (first !== null) return { half: halfOf(first), before: first[0].length, behind: 0 };
  const next = BEGINS_WITH.exec(behind);
  if (next !== null) return { half: halfOf(next), before: 0, behind: next[0].length };
  const early = EARLY.exec(behind);
  if (early !== null) return { half: 'morning', before: 0, behind: early[0].length };
  if (EVERY_NIGHT.test(before)) return { half: 'night', before: 0, behind: 0 };
  return { half: TONIGHT.test(before) ? 'evening' : null, before: 0, behind: 0 };
}

/** When a part of the day begins, HH:MM; null where it is none to begin at. */
export const halfBegins = (half: Half): string | null => HALVES[half].time;

/** Of the times a clock may show, those of a part of the day: 8:00 or 20:00 in the evening is 20:00. */
export function inHalf(times: readonly string[], half: Half): string[] {
  const both = times.flatMap(time => {
    const hour = Number(time.slice(0, 2));
    return hour > 12 ? [time] : [time, `${String((hour + 12) % 24).padStart(2, '0')}${time.slice(2)}`];
  });
  const fits = (time: string) =>
    HALVES[half].hours.some(([from, to]) => Number(time.slice(0, 2)) >= from && Number(time.slice(0, 2)) <= to);
  return [...new Set(both.filter(fits))];
}

/** "every morning": the word before it says how often, the rest at what time. */
export const EVERY_HALF = words(
  `(?:every|each|jeden)(?=\\s+(?:${IN_ONE_WORD})(?![${SIGN}]))|(?:every|each)\\s+night|jede\\s+nacht`,
);
