import { HALF_WORDS, halfBegins, halfBeside, halfOf, inHalf } from './quick-half.ts';
import { GERMAN_DATE } from './quick-day-words.ts';
import type { MatchMeaning, Rule } from './quick-part.ts';
import { DAY, HOUR_WORD, MINUTE_WORD, minutesOf, NUMBER, numberOf, SIGN, words } from './quick-words.ts';

type Groups = Record<string, string | undefined>;

/** How a time of day is said, and what it may be. `needs`: only behind "at" or "um", as it may be anything else. */
type Clock = { pattern: string; needs?: boolean; read: (groups: Groups) => MatchMeaning };

const clock = (hour: number, minute = 0): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
const isTime = (hour: number, minute: number): boolean => hour >= 0 && hour < 24 && minute >= 0 && minute < 60;

/** An hour as it is said: from one to six it may be the night's or the afternoon's. */
function spoken(hour: number | null, minute = 0): MatchMeaning {
  if (hour === null || !isTime(hour, minute)) return null;
  return hour >= 1 && hour <= 6 ? [clock(hour + 12, minute), clock(hour, minute)] : [clock(hour, minute)];
}

const exact = ({ h, m = '0' }: Groups): MatchMeaning =>
  isTime(Number(h), Number(m)) ? [clock(Number(h), Number(m))] : null;

function withHalf({ h, m = '0', half = '' }: Groups): MatchMeaning {
  const hour = Number(h);
  if (hour < 1 || hour > 12 || Number(m) > 59) return null;
  return [clock((hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0), Number(m))];
}

/** So many minutes before an hour that is said: a quarter to nine is 8:45. */
function before(hour: number | null, minutes: number): MatchMeaning {
  if (hour === null || hour < 1 || hour > 12) return null;
  return spoken(hour === 1 ? 12 : hour - 1, 60 - minutes);
}

const hourOf = ({ h = '' }: Groups): number | null => numberOf(h);
const H = `(?<h>${NUMBER})`;
/** "ten past", "fünf Minuten vor". */
const MINUTES = `(?<m>\\d{1,2}|${MINUTE_WORD})(?:\\s+minut(?:es|en))?`;
const minutes = ({ m = '' }: Groups): number => minutesOf(m) ?? 0;
const FIGURES = '(?<h>\\d{1,2})';

const CLOCKS: readonly Clock[] = [
  {
    pattern: `${FIGURES}(?:[:.](?<m>\\d{2}))?(?!\\s+am\\s+${GERMAN_DATE})\\s*(?<half>a\\.?m|p\\.?m)\\.?`,
    read: withHalf,
  },
  // "1:12:30" is how long it took, or a time to the second.
  { pattern: `(?<!\\d:)${FIGURES}:(?<m>\\d{2})(?!:\\d)(?:\\s*(?:uhr|o'clock|h))?`, read: exact },
  { pattern: `${FIGURES}\\.(?<m>\\d{2})\\s*uhr`, read: exact },
  { pattern: `${FIGURES}\\s*uhr\\s+(?<m>\\d{2})`, read: exact },
  { pattern: `${H}\\s*(?:uhr|o'clock)`, read: groups => spoken(hourOf(groups)) },
  {
    // "um zehn nach neun" is none of ten, "um ein Angebot" none at all.
    pattern: `(?<h>${HOUR_WORD})(?![:./,]\\d|-[a-zäöüß]|\\s*%|\\s+(?:minutes?\\s+|minuten\\s+)?(?:past|to|nach|vor)\\s+(?:halb\\s+)?(?:${NUMBER})(?![${SIGN}]))`,
    needs: true,
    read: groups => spoken(hourOf(groups)),
  },
  {
    // "um 17.30 anrufen"; "um 2.50 senken" is an amount.
    pattern: `${FIGURES}(?<sign>[.h])(?<m>\\d{2})(?![.\\d])`,
    needs: true,
    read: groups => (groups['sign'] === '.' && Number(groups['h']) < 7 ? null : exact(groups)),
  },
  { pattern: `${FIGURES}\\s*h`, needs: true, read: groups => spoken(hourOf(groups)) },
  {
    pattern: `${MINUTES}\\s+(?:past|nach)\\s+${H}`,
    needs: true,
    read: groups => spoken(hourOf(groups), minutes(groups)),
  },
  { pattern: `${MINUTES}\\s+(?:to|vor)\\s+${H}`, needs: true, read: groups => before(hourOf(groups), minutes(groups)) },
  { pattern: `half\\s+past\\s+${H}`, read: groups => spoken(hourOf(groups), 30) },
  { pattern: `quarter\\s+past\\s+${H}`, read: groups => spoken(hourOf(groups), 15) },
  { pattern: `quarter\\s+to\\s+${H}`, read: groups => before(hourOf(groups), 15) },
  {
    // Half past nine in London; who thinks in German means half past eight.
    pattern: `half\\s+${H}`,
    needs: true,
    read: groups =>
      [spoken(hourOf(groups), 30)?.[0], before(hourOf(groups), 30)?.[0]].filter(time => time !== undefined),
  },
  // "halb neun" is half past eight.
  { pattern: `halb\\s+${H}(?:\\s*uhr)?`, read: groups => before(hourOf(groups), 30) },
  {
    pattern: `${MINUTES}\\s+(?<side>vor|nach)\\s+halb\\s+${H}(?:\\s*uhr)?`,
    read: groups => before(hourOf(groups), groups['side'] === 'vor' ? 30 + minutes(groups) : 30 - minutes(groups)),
  },
  { pattern: `viertel\\s+nach\\s+${H}`, read: groups => spoken(hourOf(groups), 15) },
  { pattern: `(?:dreiviertel|viertel\\s+vor)\\s+${H}`, read: groups => before(hourOf(groups), 15) },
];

/** A time that is one end of two, "9–10" or "7:00 und 19:00": a task has one time, so all of it stays in the title. */
function isOneOfTwo({ 0: text, index = 0, input = '' }: RegExpMatchArray): boolean {
  const next = input.slice(index + text.length);
  const untilThis = input.slice(0, index) + (/^(?:bis|from|by)\s/i.exec(text)?.[0] ?? '');
  const TIME = '\\d{1,2}(?:[:.]\\d{2})?(?:\\s*(?:uhr|h|[ap]\\.?m\\.?))?';
  const MARKED = '\\d{1,2}(?::\\d{2}|(?:[:.]\\d{2})?\\s*(?:uhr|[ap]\\.?m))';
  const isFirst = new RegExp(
    `^\\s*(?:(?:-|–|bis|to|till|until)\\s*\\d{1,2}(?!\\d|[./]\\d{1,2}[./])|(?:and|und|or|oder|&|/)\\s*(?:(?:at|um)\\s+)?(?:${MARKED}|\\d{1,2}\\s*$))`,
    'i',
  );
  const isSecond = new RegExp(
    `(?<![\\d./])${TIME}\\s*(?:-|–|bis|to|till|until)\\s*$|(?:${MARKED})\\s*(?:and|und|or|oder|&|/)\\s*(?:(?:at|um)\\s+)?$`,
    'i',
  );
  return isFirst.test(next) || isSecond.test(untilThis);
}

const AT = '(?:(?:at|um|gegen)\\s+(?:ca\\.?\\s+|about\\s+)?|(?:by|from|ab|bis)\\s+)';

const beside = ({ 0: text, index = 0, input = '' }: RegExpMatchArray) =>
  halfBeside(input.slice(0, index), input.slice(index + text.length));

/** Whether nothing but a day or how often stands before it. */
const isBehindADay = ({ index = 0, input = '' }: RegExpMatchArray): boolean => BEHIND.test(input.slice(0, index));
const BEHIND = new RegExp(
  `^[\\s,]*$|(?<![${SIGN}])(?:today|tomorrow|tmrw|heute|morgen|übermorgen|daily|täglich|(?:every|jeden)\\s+(?:day|tag)|(?:${DAY})s?)[\\s,]+$`,
);

function clockRule({ pattern, needs = false, read }: Clock): Rule {
  return {
    pattern: words(needs ? `(?<at>(?:at|um|gegen)\\s+)?(?:${pattern})` : `${AT}?(?:${pattern})`),
    read(found) {
      const groups = found.groups ?? {};
      const { half, before: signs, behind } = beside(found);
      // "heute Abend 8" says enough; "8 in the evening" may be eight of something, but where the line or a day is before it.
      const isHour = groups['at'] !== undefined || signs > 0 || (behind > 0 && isBehindADay(found));
      if (needs && !isHour) return null;
      const times = isOneOfTwo(found) ? null : read(groups);
      return times === null || half === null ? times : inHalf(times, half);
    },
    extent(found) {
      const { before: signs, behind } = beside(found);
      return [(found.index ?? 0) - signs, (found.index ?? 0) + found[0].length + behind];
    },
  };
}

const A_NUMBER = new RegExp(`(?<![${SIGN}])(?:${NUMBER})\\s+$`);

export const timeRules: readonly Rule[] = [
  ...CLOCKS.map(clockRule),
  {
    pattern: HALF_WORDS,
    read(found) {
      // Of "6 in the morning" one is not taken without the other.
      if (A_NUMBER.test((found.input ?? '').slice(0, found.index))) return null;
      const half = halfOf(found);
      const time = half === null ? null : halfBegins(half);
      return time === null ? null : [time];
    },
  },
];
