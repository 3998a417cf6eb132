import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecurrence, type Recurrence } from './recurrence.ts';
import {
  occurrenceAfterCompletion,
  occurrenceOn,
  occurrenceState,
  plannedOccurrences,
  type Schedule,
  type Window,
} from './schedule.ts';

function rule(text: string): Recurrence {
  const read = parseRecurrence(text);
  if (!read.ok) throw new Error(read.problem);
  return read.recurrence;
}

const schedule = (text: string, more: Partial<Schedule> = {}): Schedule => ({
  id: '00000000-0000-4000-8000-000000000001',
  recurrence: rule(text),
  startDay: '2026-11-23',
  dueTime: '09:00',
  zone: 'Europe/Berlin',
  basedOn: 'scheduled',
  ...more,
});

describe('a duty stays at its hour on the clocks there', () => {
  // Worked out by hand from the days on which these places change their clocks.
  test.each([
    ['Europe/Berlin', '09:00', '2027-03-27', '2027-03-27T08:00:00.000Z'],
    ['Europe/Berlin', '09:00', '2027-03-28', '2027-03-28T07:00:00.000Z'],
    ['Europe/Berlin', '02:30', '2027-03-28', '2027-03-28T01:30:00.000Z'], // no 2:30 that night: 3:30
    ['Europe/Berlin', '02:30', '2026-10-25', '2026-10-25T01:30:00.000Z'], // twice 2:30: the later
    ['Europe/Berlin', '09:00', '2026-10-25', '2026-10-25T08:00:00.000Z'],
    ['America/New_York', '09:00', '2027-03-13', '2027-03-13T14:00:00.000Z'],
    ['America/New_York', '09:00', '2027-03-14', '2027-03-14T13:00:00.000Z'],
    ['America/New_York', '02:15', '2027-03-14', '2027-03-14T07:15:00.000Z'],
    ['Australia/Lord_Howe', '09:00', '2026-10-03', '2026-10-02T22:30:00.000Z'],
    ['Australia/Lord_Howe', '09:00', '2026-10-04', '2026-10-03T22:00:00.000Z'], // half an hour
    ['Asia/Kathmandu', '09:00', '2027-01-01', '2027-01-01T03:15:00.000Z'],
    ['Pacific/Kiritimati', '00:00', '2027-01-01', '2026-12-31T10:00:00.000Z'],
    ['UTC', '23:59', '2028-02-29', '2028-02-29T23:59:00.000Z'],
  ])('%s %s on %s', (zone, dueTime, day, dueAt) => {
    expect(occurrenceOn(schedule('FREQ=DAILY', { zone, dueTime }), day).dueAt).toBe(dueAt);
  });
});

describe('what is planned', () => {
  test('13 months ahead, over the new year and both changes of clocks, none missing', () => {
    const planned = plannedOccurrences(schedule('FREQ=DAILY'), '2026-11-23T08:00:00.000Z');
    expect(planned).toHaveLength(396);
    expect([planned[0]?.day, planned.at(-1)?.day]).toEqual(['2026-11-23', '2027-12-23']);
    const hours = planned.map(({ dueAt }) =>
      new Intl.DateTimeFormat('de', { hour: 'numeric', timeZone: 'Europe/Berlin' }).format(new Date(dueAt)),
    );
    expect(new Set(hours)).toEqual(new Set(['09 Uhr']));
  });

  test('a yearly duty is always in sight', () => {
    const yearly = schedule('FREQ=YEARLY', { startDay: '2020-02-10' });
    const days = plannedOccurrences(yearly, '2026-02-11T00:00:00.000Z', '2026-02-10').map(({ day }) => day);
    expect(days).toEqual(['2027-02-10']);
  });

  test('planning bit by bit, whenever and how often, plans the same as planning once', () => {
    const anyRule = fc.constantFrom(
      'FREQ=DAILY;INTERVAL=3',
      'FREQ=WEEKLY;BYDAY=MO,SA',
      'FREQ=MONTHLY;BYMONTHDAY=31,-1',
      'FREQ=MONTHLY;BYDAY=-1FR',
      'FREQ=WEEKLY;COUNT=20',
    );
    fc.assert(
      fc.property(anyRule, fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 6 }), (text, days) => {
        const one = schedule(text);
        const at = (day: number) => new Date(Date.UTC(2026, 10, 23) + day * 86_400_000).toISOString();
        const moments = [...days.toSorted((a, b) => a - b), 500];
        const known = new Map<string, string>();
        let after: string | undefined;
        for (const moment of moments) {
          for (const { id, day } of plannedOccurrences(one, at(moment), after)) {
            expect(known.has(id)).toBe(false);
            known.set(id, day);
            after = day;
          }
        }
        const whole = plannedOccurrences(one, at(500));
        expect([...known]).toEqual(whole.map(({ id, day }) => [id, day]));
      }),
      { numRuns: 60 },
    );
  });
});

describe('counted from completion', () => {
  const next = (text: string, completedAt: string, done = 1) =>
    occurrenceAfterCompletion(schedule(text, { basedOn: 'completed' }), completedAt, done)?.day ?? null;

  test.each([
    ['FREQ=DAILY;INTERVAL=30', '2026-12-05T10:00:00.000Z', '2027-01-04'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', '2026-12-02T10:00:00.000Z', '2026-12-14'],
    ['FREQ=MONTHLY', '2027-01-31T10:00:00.000Z', '2027-03-31'],
    ['FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD', '2027-01-31T10:00:00.000Z', '2027-02-28'],
    ['FREQ=YEARLY', '2028-02-29T10:00:00.000Z', '2032-02-29'],
    // Done at 0:30 in Berlin, when it was still the day before in London.
    ['FREQ=DAILY', '2026-12-05T23:30:00.000Z', '2026-12-07'],
    ['FREQ=DAILY;UNTIL=20261205', '2026-12-05T10:00:00.000Z', null],
  ])('%s, done at %s', (text, completedAt, day) => {
    expect(next(text, completedAt)).toBe(day);
  });

  test('ends after so many', () => {
    expect(next('FREQ=DAILY;COUNT=3', '2026-12-05T10:00:00.000Z', 2)).toBe('2026-12-06');
    expect(next('FREQ=DAILY;COUNT=3', '2026-12-05T10:00:00.000Z', 3)).toBeNull();
  });
});

describe('how an occurrence stands', () => {
  const due = { dueAt: '2026-11-23T09:00:00.000Z' };
  const state = (now: string, window: Window, nextDueAt: string | null = '2026-11-24T09:00:00.000Z') =>
    occurrenceState(due, window, { now: `2026-11-${now}:00.000Z`, nextDueAt, doneAt: null });
  const hour: Window = { opens: 60, closes: 120 };

  test.each<[string, Window, string]>([
    ['23T07:59', hour, 'upcoming'],
    ['23T08:00', hour, 'open'],
    ['23T09:00', hour, 'overdue'],
    ['23T10:59', hour, 'overdue'],
    ['23T11:00', hour, 'missed'],
    ['20T00:00', { opens: null, closes: null }, 'open'],
    ['24T08:59', { opens: null, closes: null }, 'overdue'],
    ['24T09:00', { opens: null, closes: null }, 'missed'],
  ])('at %s with %j it is %s', (now, window, expected) => {
    expect(state(now, window)).toBe(expected);
  });

  test('the last one stays overdue where nothing says when it is missed', () => {
    expect(state('30T09:00', { opens: null, closes: null }, null)).toBe('overdue');
  });

  test('what was done is done, however late', () => {
    const moment = { now: '2026-12-01T00:00:00.000Z', nextDueAt: null, doneAt: '2026-11-30T00:00:00.000Z' };
    expect(occurrenceState(due, hour, moment)).toBe('done');
  });
});
