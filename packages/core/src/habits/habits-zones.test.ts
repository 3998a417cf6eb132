import { afterEach, expect, test } from 'vitest';
import { addDays, localDay } from '@cairn/base/local-day.ts';
import { habitDays } from './habit-days.ts';
import type { HabitRule, DayEntry } from './habit.ts';
import { strengths, streaks } from './strength.ts';

const ZONE = process.env['TZ'];
afterEach(() => {
  if (ZONE === undefined) delete process.env['TZ'];
  else process.env['TZ'] = ZONE;
});

const FIRST = '2026-01-01';
const DAYS = 365;
const DAILY: HabitRule = { kind: 'yes_no', target: null, target_kind: 'at_least', times: 1, per_days: 1 };
const THRICE: HabitRule = { ...DAILY, times: 3, per_days: 7 };
/** Three weeks in a row: done, skipped, missed and said late, again and again over a year. */
const PATTERN = 'xxxsx.xxxxnxx.sxxxxx.';
const PAUSES = [
  { from_day: '2026-03-27', until_day: '2026-03-31' },
  { from_day: '2026-10-24', until_day: '2026-10-26' },
];
const VALUES = { x: 'done', n: 'no', s: 'skip' } as const;

/** What is said when the clocks of this device show a time on each day of the year, as ticks name their day. */
function entriesAt(hour: number, minute: number): DayEntry[] {
  return Array.from({ length: DAYS }, (_, index) => {
    const day = localDay(new Date(2026, 0, 1 + index, hour, minute));
    const value = VALUES[PATTERN[index % PATTERN.length] as keyof typeof VALUES] ?? ('unknown' as const);
    return { day, value, amount: null };
  }).filter(({ value }) => (value as string) !== 'unknown');
}

const table = (entries: readonly DayEntry[], rule: HabitRule) => {
  const to = addDays(FIRST, DAYS - 1);
  const days = habitDays({ rule, entries, pauses: PAUSES, from: FIRST, to });
  return { days, strengths: strengths(rule, days), streaks: streaks(rule, days) };
};

test('a year of ticks gives the same table in every time zone, around midnight and across every change of clocks', () => {
  process.env['TZ'] = 'UTC';
  const expected = [DAILY, THRICE].map(rule => table(entriesAt(12, 0), rule));
  const [daily] = expected;
  // Worked by hand: a quiet start of three days, what is missing is m, m², m³ of m = 0.5^(1/13).
  expect(daily?.strengths.slice(0, 4).map(value => value.toFixed(6))).toEqual([
    '0.051922',
    '0.101149',
    '0.147820',
    '0.147820',
  ]);
  const zones = Intl.supportedValuesOf('timeZone');
  expect(zones.length).toBeGreaterThan(300);
  /** Zones whose clocks go alike all year reckon alike. */
  const seen = new Set<string>();
  let changing = 0;
  for (const zone of zones) {
    process.env['TZ'] = zone;
    const clocks = Array.from({ length: DAYS }, (_, index) => new Date(2026, 0, 1 + index, 12).getTimezoneOffset());
    if (seen.has(clocks.join())) continue;
    seen.add(clocks.join());
    changing += new Set(clocks).size > 1 ? 1 : 0;
    // At 23:59 clocks of Greenland show no time on the day they change.
    for (const [hour, minute] of [
      [0, 1],
      [22, 59],
    ] as const) {
      const entries = entriesAt(hour, minute);
      expect([zone, [DAILY, THRICE].map(rule => table(entries, rule))]).toEqual([zone, expected]);
    }
  }
  // The clocks of this process really were elsewhere, and really changed.
  expect([seen.size > 40, changing > 10]).toEqual([true, true]);
});
