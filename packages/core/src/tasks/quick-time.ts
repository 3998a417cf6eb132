import type { Reading, Rule } from './quick-part.ts';
import { NUMBER, numberOf, words } from './quick-words.ts';

const AT = '(?:at|by|from|um|ab|bis|gegen)\\s+';
const clock = (hour: number, minute = 0): string =>
  `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
const isTime = (hour: number, minute: number): boolean => hour >= 0 && hour < 24 && minute >= 0 && minute < 60;

/** An hour as it is said: from one to six it may be the night's or the afternoon's. */
function spoken(hour: number | null, minute = 0): Reading {
  if (hour === null || !isTime(hour, minute)) return null;
  return hour >= 1 && hour <= 6 ? [clock(hour + 12, minute), clock(hour, minute)] : [clock(hour, minute)];
}

const exact = (hour: number, minute: number): Reading => (isTime(hour, minute) ? [clock(hour, minute)] : null);

function withHalf(hour: number, minute: number, half: string): Reading {
  if (hour < 1 || hour > 12) return null;
  const isAfternoon = half.toLowerCase().startsWith('p');
  return exact((hour % 12) + (isAfternoon ? 12 : 0), minute);
}

/** So many minutes before or after an hour that is said: a quarter to nine is 8:45. */
function around(hour: number | null, minutes: number): Reading {
  if (hour === null || hour < 1 || hour > 12) return null;
  const said = spoken(minutes < 0 ? (hour === 1 ? 12 : hour - 1) : hour, (minutes + 60) % 60);
  return said;
}

export const timeRules: readonly Rule[] = [
  {
    pattern: words(`(?:${AT})?(\\d{1,2})(?:[:.](\\d{2}))?\\s*(a\\.?m|p\\.?m)\\.?`),
    read: ([, hour, minute = '0', half = '']) => withHalf(Number(hour), Number(minute), half),
  },
  {
    pattern: words(`(?:${AT})?(\\d{1,2}):(\\d{2})(?:\\s*(?:uhr|o'clock|h))?`),
    read: ([, h, m]) => exact(Number(h), Number(m)),
  },
  { pattern: words(`(?:${AT})?(\\d{1,2})\\.(\\d{2})\\s*uhr`), read: ([, h, m]) => exact(Number(h), Number(m)) },
  {
    pattern: words(`(?:${AT})?(\\d{1,2})\\s*uhr(?:\\s+(\\d{2}))?`),
    read: ([, h, m]) => (m === undefined ? spoken(Number(h)) : exact(Number(h), Number(m))),
  },
  { pattern: words(`(?:${AT})?(${NUMBER})\\s*o'clock`), read: ([, h = '']) => spoken(numberOf(h)) },
  { pattern: words(`(?:at|um|gegen)\\s+(${NUMBER})(?![:./]\\d|\\s*%)`), read: ([, h = '']) => spoken(numberOf(h)) },
  { pattern: words(`(?:${AT})?half\\s+past\\s+(${NUMBER})`), read: ([, h = '']) => spoken(numberOf(h), 30) },
  { pattern: words(`(?:${AT})?quarter\\s+past\\s+(${NUMBER})`), read: ([, h = '']) => spoken(numberOf(h), 15) },
  { pattern: words(`(?:${AT})?quarter\\s+to\\s+(${NUMBER})`), read: ([, h = '']) => around(numberOf(h), -15) },
  // "halb neun" is half past eight.
  { pattern: words(`(?:${AT})?halb\\s+(${NUMBER})`), read: ([, h = '']) => around(numberOf(h), -30) },
  { pattern: words(`(?:${AT})?viertel\\s+nach\\s+(${NUMBER})`), read: ([, h = '']) => spoken(numberOf(h), 15) },
  { pattern: words(`(?:${AT})?viertel\\s+vor\\s+(${NUMBER})`), read: ([, h = '']) => around(numberOf(h), -15) },
  { pattern: words('(?:at\\s+)?noon|mittags|am\\s+mittag'), read: () => ['12:00'] },
  { pattern: words('in\\s+the\\s+morning|am\\s+morgen|(?<=heute )morgen|morgens'), read: () => ['09:00'] },
  {
    pattern: words('in\\s+the\\s+evening|am\\s+abend|(?<=heute )abend|(?<=morgen )abend|abends'),
    read: () => ['18:00'],
  },
  { pattern: words('(?<=morgen )früh|(?<=tomorrow )morning'), read: () => ['09:00'] },
];
