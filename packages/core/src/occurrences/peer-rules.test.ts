import { describe, expect, test } from 'vitest';
import { parseRecurrence } from './recurrence.ts';
import { recurringDays } from './recurring-days.ts';
import { occurrenceOn } from './schedule.ts';

const days = (rule: string, start: string, count: number): string => {
  const read = parseRecurrence(rule);
  if (!read.ok) throw new Error(read.problem);
  return [...recurringDays(read.recurrence, start, '2040-01-01')].slice(0, count).join(' ');
};

// As python-dateutil 2.9.0 gives them.
describe('rules as other libraries have them', () => {
  test.each([
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO;WKST=SU', '2026-11-29', '2026-11-29 2026-11-30 2026-12-13 2026-12-14'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,MO', '2026-11-29', '2026-11-29 2026-12-07 2026-12-13 2026-12-21'],
    ['FREQ=MONTHLY;BYDAY=5MO', '2026-11-30', '2026-11-30 2027-03-29 2027-05-31 2027-08-30'],
    ['FREQ=MONTHLY;BYMONTHDAY=-31', '2026-12-01', '2026-12-01 2027-01-01 2027-03-01 2027-05-01'],
    ['FREQ=YEARLY;BYMONTHDAY=13', '2026-11-13', '2026-11-13 2026-12-13 2027-01-13 2027-02-13'],
    ['FREQ=DAILY;INTERVAL=3;BYMONTH=12', '2026-11-29', '2026-12-02 2026-12-05 2026-12-08 2026-12-11'],
  ])('%s from %s', (rule, start, expected) => {
    expect(days(rule, start, 4)).toBe(expected);
  });
});

// Where they disagree, or RFC 5545 leaves it open: what Cairn does, so that nobody changes it unawares.
describe('rules about which libraries disagree', () => {
  test.each([
    [
      'RSCALE=GREGORIAN;FREQ=MONTHLY;BYMONTHDAY=-31;COUNT=3;SKIP=BACKWARD',
      '2015-01-01',
      '2015-01-01 2015-02-01 2015-03-01',
    ],
    ['FREQ=YEARLY;BYMONTHDAY=29;COUNT=3', '2024-02-29', '2024-02-29 2024-03-29 2024-04-29'],
    ['FREQ=DAILY;UNTIL=19970905', '1997-09-02', '1997-09-02 1997-09-03 1997-09-04 1997-09-05'],
  ])('%s from %s', (rule, start, expected) => {
    expect(days(rule, start, 5)).toBe(expected);
  });

  test('a time that comes twice in autumn is the second, as PostgreSQL has it', () => {
    const schedule = {
      id: '00000000-0000-4000-8000-000000000001',
      recurrence: { every: 'day' as const, interval: 1 },
      startDay: '2026-10-25',
      dueTime: '02:30',
      zone: 'Europe/Berlin',
      basedOn: 'scheduled' as const,
    };
    expect(occurrenceOn(schedule, '2026-10-25').dueAt).toBe('2026-10-25T01:30:00.000Z');
  });
});
