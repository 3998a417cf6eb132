import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyDay, anyRule, monthsLater, oracle } from './oracle-for-tests.ts';
import { parseRecurrence, printRecurrence } from './recurrence.ts';
import { recurringDays } from './recurring-days.ts';

test('13 months and 5 years of any rule are the days another library finds', () => {
  // A soak: `RUNS=10000`.
  fc.assert(
    fc.property(anyRule, anyDay, fc.constantFrom(13, 60), (rule, start, months) => {
      const to = monthsLater(start, months);
      expect([...recurringDays(rule, start, to)]).toEqual(oracle(rule, start, to));
    }),
    { numRuns: Number(process.env['RUNS'] ?? 500) },
  );
}, 900_000);

describe('days that not every month or year has', () => {
  const days = (text: string, start: string, to: string) => {
    const read = parseRecurrence(text);
    if (!read.ok) throw new Error(read.problem);
    return [...recurringDays(read.recurrence, start, to)].join(' ');
  };

  test.each([
    ['FREQ=MONTHLY', '2027-10-31', '2028-04-30', '2027-10-31 2027-12-31 2028-01-31 2028-03-31'],
    [
      'FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD',
      '2027-10-31',
      '2028-04-30',
      '2027-10-31 2027-11-30 2027-12-31 2028-01-31 2028-02-29 2028-03-31 2028-04-30',
    ],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', '2026-12-15', '2027-03-31', '2026-12-31 2027-01-31 2027-02-28 2027-03-31'],
    ['FREQ=YEARLY', '2024-02-29', '2033-01-01', '2024-02-29 2028-02-29 2032-02-29'],
    [
      'FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=BACKWARD',
      '2024-02-29',
      '2028-12-31',
      '2024-02-29 2025-02-28 2026-02-28 2027-02-28 2028-02-29',
    ],
    // Across the year's end, where others have stopped.
    [
      'FREQ=WEEKLY;BYDAY=MO,TH',
      '2026-12-21',
      '2027-01-08',
      '2026-12-21 2026-12-24 2026-12-28 2026-12-31 2027-01-04 2027-01-07',
    ],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU', '2026-12-20', '2027-01-31', '2026-12-20 2027-01-03 2027-01-17 2027-01-31'],
    ['FREQ=MONTHLY;BYDAY=5FR', '2026-01-01', '2026-12-31', '2026-01-30 2026-05-29 2026-07-31 2026-10-30'],
    ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', '2026-12-31', '2027-01-05', '2026-12-31 2027-01-01 2027-01-04 2027-01-05'],
  ])('%s from %s', (text, start, to, expected) => {
    expect(days(text, start, to)).toBe(expected);
  });

  test('a rule that never comes ends the search', () => {
    expect(days('FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2', '2026-01-01', '2090-01-01')).toBe('');
  });
});

describe('a rule as text', () => {
  test('is read and written without loss', () => {
    fc.assert(
      fc.property(anyRule, rule => {
        expect(parseRecurrence(printRecurrence(rule))).toEqual({ ok: true, recurrence: rule });
      }),
    );
  });

  test.each([
    ['', 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY.'],
    ['FREQ=HOURLY', 'FREQ must be DAILY, WEEKLY, MONTHLY or YEARLY.'],
    ['FREQ=DAILY;INTERVAL=0', 'INTERVAL must be a whole number from 1 to 1000.'],
    ['FREQ=DAILY;INTERVAL=1.5', 'INTERVAL must be a whole number from 1 to 1000.'],
    ['FREQ=DAILY;BYSETPOS=1', '"BYSETPOS" is not supported in a rule.'],
    ['FREQ=DAILY;FREQ=DAILY', '"FREQ" stands twice in the rule.'],
    ['FREQ=WEEKLY;BYDAY=XX', '"XX" is no day of the week.'],
    ['FREQ=WEEKLY;BYDAY=2MO', 'Only months and years have a first or last Monday.'],
    ['FREQ=MONTHLY;BYDAY=6MO', 'A month has no "6MO".'],
    ['FREQ=MONTHLY;BYMONTHDAY=32', '"32" is no day of a month.'],
    ['FREQ=MONTHLY;BYMONTHDAY=1;BYDAY=MO', 'BYDAY and BYMONTHDAY cannot stand together.'],
    ['FREQ=YEARLY;BYDAY=MO', 'BYDAY in a year needs BYMONTH.'],
    ['FREQ=DAILY;COUNT=1;UNTIL=20261231', 'COUNT and UNTIL cannot stand together.'],
    ['FREQ=DAILY;UNTIL=20260231', 'There is no day "20260231".'],
    ['FREQ=DAILY;UNTIL=20261231T080000Z', 'UNTIL must be a day such as 20261231.'],
  ])('%s is refused', (text, problem) => {
    expect(parseRecurrence(text)).toEqual({ ok: false, problem });
  });

  test('no text makes it fail in another way', () => {
    const part = fc.constantFrom(
      'FREQ=',
      'DAILY',
      'MONTHLY',
      ';',
      'BYDAY=',
      '-1MO',
      ',',
      'COUNT=',
      '5',
      'UNTIL=',
      '2026',
      '=',
    );
    fc.assert(
      fc.property(
        fc.array(part).map(parts => parts.join('')),
        text => {
          expect(typeof parseRecurrence(text).ok).toBe('boolean');
        },
      ),
    );
  });
});
