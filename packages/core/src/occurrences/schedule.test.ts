import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecurrence, type Recurrence, weekdays } from './recurrence.ts';
import { recurringDays } from './recurring-days.ts';
import { occurrenceAfterDone, occurrenceOn, occurrencesSince, plannedOccurrences, type Schedule } from './schedule.ts';

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

  const [MINUTE, HOUR] = [60_000, 3_600_000];
  const clocks = new Map<string, Intl.DateTimeFormat>();
  /** What the clocks of a place show, as the platform knows them: "2027-03-28 03:30". */
  function shown(zone: string, at: number): string {
    const known = clocks.get(zone);
    const clock = known ?? new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
    clocks.set(zone, clock);
    return clock.format(at);
  }
  /** The last moment at which they show it; in an hour that is left out, as if the clocks had not been put forward. */
  function momentOf(zone: string, day: string, time: string): number {
    const bare = Date.parse(`${day}T${time}:00Z`);
    const offsets = Array.from({ length: 28 * 4 + 1 }, (_, at) => 14 * HOUR - at * 15 * MINUTE);
    const found = offsets.map(offset => bare - offset).findLast(at => shown(zone, at) === `${day} ${time}`);
    if (found !== undefined) return found;
    const dayBefore = bare - 26 * HOUR;
    return bare - (Date.parse(`${shown(zone, dayBefore).replace(' ', 'T')}:00Z`) - dayBefore);
  }

  test('in every zone there is, on any day, at any hour, as the platform tells the time there', () => {
    const two = (value: number) => String(value).padStart(2, '0');
    const anyTime = fc.tuple(fc.nat(23), fc.nat(59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`);
    // Nights in which clocks are changed somewhere, and any other.
    const someDay = fc.oneof(
      fc
        .tuple(fc.integer({ min: 2024, max: 2029 }), fc.constantFrom(2, 3, 8, 9, 10), fc.nat(31))
        .map(([year, month, date]) => new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10)),
      fc.constantFrom('2026-10-25', '2027-03-28', '2027-03-14', '2026-11-01', '2027-04-04', '2026-10-04', '2028-02-29'),
    );
    const someTime = fc.oneof(anyTime, fc.constantFrom('00:00', '00:30', '01:30', '02:00', '02:30', '03:00', '23:59'));
    // A soak: `RUNS=10000`.
    fc.assert(
      fc.property(fc.constantFrom(...Intl.supportedValuesOf('timeZone')), someDay, someTime, (zone, day, dueTime) => {
        const { dueAt } = occurrenceOn(schedule('FREQ=DAILY', { zone, dueTime }), day);
        expect(dueAt).toBe(new Date(momentOf(zone, day, dueTime)).toISOString());
      }),
      { numRuns: Number(process.env['RUNS'] ?? 500) },
    );
  }, 900_000);
});

describe('what is planned', () => {
  test('13 months ahead, over the new year and both changes of clocks, none missing', () => {
    const planned = [...plannedOccurrences(schedule('FREQ=DAILY'), '2026-11-23T08:00:00.000Z')];
    expect(planned).toHaveLength(396);
    expect([planned[0]?.day, planned.at(-1)?.day]).toEqual(['2026-11-23', '2027-12-23']);
    const hours = planned.map(({ dueAt }) =>
      new Intl.DateTimeFormat('de', { hour: 'numeric', timeZone: 'Europe/Berlin' }).format(new Date(dueAt)),
    );
    expect(new Set(hours)).toEqual(new Set(['09 Uhr']));
  });

  test('a yearly duty is always in sight', () => {
    const yearly = schedule('FREQ=YEARLY', { startDay: '2020-02-10' });
    const planned = [...plannedOccurrences(yearly, '2026-02-11T00:00:00.000Z', '2026-02-10')];
    expect(planned.map(({ day }) => day)).toEqual(['2027-02-10']);
  });

  test('passing over what is past leaves the same days as looking at each, for any rule', () => {
    const named = <T extends string>(name: string, values: readonly T[], max = 3) =>
      fc.subarray([...values], { minLength: 1, maxLength: max }).map(some => `;${name}=${some.join(',')}`);
    const days = named('BYDAY', weekdays, 7);
    const months = named('BYMONTH', ['1', '2', '3', '6', '12']);
    const maybe = (part: fc.Arbitrary<string>) => fc.oneof(fc.constant(''), part);
    const placed = fc.oneof(
      named('BYMONTHDAY', ['1', '15', '31', '-1', '-31']),
      named('BYDAY', ['1MO', '-1FR', '5TU', 'SU']),
    );
    const kind = fc.oneof(
      fc.tuple(fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY;WKST=SU', 'FREQ=WEEKLY'), maybe(days), maybe(months)),
      fc.tuple(fc.constant('FREQ=MONTHLY'), maybe(placed), maybe(months)),
      fc.tuple(fc.constantFrom('FREQ=YEARLY;BYMONTH=2,11', 'FREQ=YEARLY;BYMONTH=4'), maybe(placed)),
      fc.constant(['FREQ=YEARLY'] as const),
    );
    const end = fc.constantFrom('', ';COUNT=7', ';COUNT=300', ';UNTIL=20240229', ';UNTIL=20310115');
    const day = fc.integer({ min: 8000, max: 23_000 }).map(n => new Date(n * 86_400_000).toISOString().slice(0, 10));
    fc.assert(
      fc.property(kind, fc.integer({ min: 1, max: 60 }), end, day, day, (parts, interval, ends, start, after) => {
        const recurrence = rule(`${parts.join('')};INTERVAL=${interval}${ends}`);
        const whole = [...recurringDays(recurrence, start, '2033-12-31')];
        expect([...recurringDays(recurrence, start, '2033-12-31', after)]).toEqual(whole.filter(each => each > after));
      }),
      { numRuns: 600 },
    );
  });

  test('what is due since an instant is the same as all that is planned without what was due before, in any zone', () => {
    const zones = ['Europe/Berlin', 'Pacific/Apia', 'Pacific/Kiritimati', 'America/St_Johns', 'Antarctica/Troll'];
    const at = fc.date({ min: new Date('2011-06-01'), max: new Date('2013-02-28'), noInvalidDate: true });
    fc.assert(
      fc.property(fc.constantFrom(...zones), at, fc.constantFrom('00:00', '02:30', '23:59'), (zone, since, dueTime) => {
        const daily = schedule('FREQ=DAILY;INTERVAL=2', { zone, dueTime, startDay: '2011-09-01' });
        const whole = [...plannedOccurrences(daily, '2012-01-05T00:00:00.000Z')];
        const some = [...occurrencesSince(daily, since.toISOString(), '2012-01-05T00:00:00.000Z')];
        expect(some).toEqual(whole.filter(({ dueAt }) => Date.parse(dueAt) > since.getTime()));
      }),
      { numRuns: 30 },
    );
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
        const whole = [...plannedOccurrences(one, at(500))];
        expect([...known]).toEqual(whole.map(({ id, day }) => [id, day]));
      }),
      { numRuns: 60 },
    );
  });
});

describe('counted from completion', () => {
  const next = (text: string, endedAt: string, count = 1) =>
    occurrenceAfterDone(schedule(text, { basedOn: 'completed' }), { day: '2026-11-23', endedAt, count })?.day ?? null;

  test.each([
    ['FREQ=DAILY;INTERVAL=30', '2026-12-05T10:00:00.000Z', '2027-01-04'],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO', '2026-12-02T10:00:00.000Z', '2026-12-14'],
    ['FREQ=MONTHLY', '2027-01-31T10:00:00.000Z', '2027-02-28'],
    ['FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=OMIT', '2027-01-31T10:00:00.000Z', '2027-03-31'],
    ['FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD', '2027-01-31T10:00:00.000Z', '2027-02-28'],
    ['FREQ=YEARLY', '2028-02-29T10:00:00.000Z', '2029-02-28'],
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

  // Each was done on Sunday the 6th, by the clocks there, and was due on the 7th.
  test.each([
    ['Pacific/Kiritimati', '2026-12-05T20:00:00.000Z'],
    ['Pacific/Auckland', '2026-12-05T20:00:00.000Z'],
    ['UTC', '2026-12-06T12:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-12-07T05:00:00.000Z'],
  ])('done a day early in %s, the next is the day after its own', (zone, endedAt) => {
    const daily = schedule('FREQ=DAILY', { basedOn: 'completed', zone });
    expect(occurrenceAfterDone(daily, { day: '2026-12-07', endedAt, count: 1 })?.day).toBe('2026-12-08');
  });
});
