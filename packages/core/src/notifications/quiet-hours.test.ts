import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { goesOutAt } from '@cairn/testing/send-time-oracle.ts';
import { isQuiet, type Hours } from './quiet-hours.ts';
import { instantOf, wallClock } from '@cairn/base/wall-clock.ts';

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'Australia/Lord_Howe', // half an hour of summer time
  'Asia/Kathmandu',
  'Pacific/Kiritimati',
  'Africa/Casablanca', // summer time interrupted in Ramadan
  'Pacific/Chatham',
];
const anyClock = fc
  .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.integer({ min: 0, max: 59 }) })
  .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const anyHours: fc.Arbitrary<Hours> = fc.record({
  zone: fc.constantFrom(...ZONES),
  daily: anyClock,
  quiet: fc.record({ enabled: fc.boolean(), start: anyClock, end: anyClock }),
});
const [from, to] = [Date.UTC(2024, 0, 1), Date.UTC(2027, 0, 1)];
const anyInstant = fc.integer({ min: from / 1000, max: to / 1000 }).map(seconds => seconds * 1000);
const anyCadence = fc.constantFrom('immediate' as const, 'daily' as const);
const HOUR = 3_600_000;

const berlin = (quiet = { enabled: true, start: '22:00', end: '08:00' }): Hours => ({
  zone: 'Europe/Berlin',
  daily: '09:00',
  quiet,
});
const utc = (text: string) => Date.parse(text);
const iso = (at: number) => new Date(at).toISOString();

describe('when something may go out', () => {
  test.each([
    // Berlin is one hour ahead of UTC in winter, two in summer.
    { at: '2026-01-10T10:00:00Z', cadence: 'immediate', out: '2026-01-10T10:00:00Z' },
    { at: '2026-01-10T22:30:00Z', cadence: 'immediate', out: '2026-01-11T07:00:00Z' },
    { at: '2026-01-10T21:00:00Z', cadence: 'immediate', out: '2026-01-11T07:00:00Z' },
    { at: '2026-01-11T07:00:00Z', cadence: 'immediate', out: '2026-01-11T07:00:00Z' },
    { at: '2026-01-10T10:00:00Z', cadence: 'daily', out: '2026-01-11T08:00:00Z' },
    { at: '2026-07-10T06:59:00Z', cadence: 'daily', out: '2026-07-10T07:00:00Z' },
    // The night of the clock change: 08:00 comes an hour earlier, or later.
    { at: '2026-03-28T22:30:00Z', cadence: 'immediate', out: '2026-03-29T06:00:00Z' },
    { at: '2026-10-24T22:30:00Z', cadence: 'immediate', out: '2026-10-25T07:00:00Z' },
  ] as const)('$cadence at $at goes out at $out', ({ at, cadence, out }) => {
    expect(iso(goesOutAt(utc(at), cadence, berlin()))).toBe(iso(utc(out)));
  });

  test('a digest whose time falls into quiet hours waits for their end', () => {
    const hours = { ...berlin(), daily: '23:00' };
    expect(iso(goesOutAt(utc('2026-01-10T10:00:00Z'), 'daily', hours))).toBe('2026-01-11T07:00:00.000Z');
  });

  test('a digest at a time that the clock change leaves out goes out an hour later by the new clock', () => {
    const hours = { ...berlin({ enabled: false, start: '22:00', end: '08:00' }), daily: '02:30' };
    expect(iso(goesOutAt(utc('2026-03-28T12:00:00Z'), 'daily', hours))).toBe('2026-03-29T01:30:00.000Z');
  });

  test('quiet hours that end when they start are none; a zone nobody knows is UTC', () => {
    const always = { enabled: true, start: '08:00', end: '08:00' };
    expect(isQuiet(utc('2026-01-10T08:00:00Z'), berlin(always))).toBe(false);
    expect(isQuiet(utc('2026-01-10T22:00:00Z'), { ...berlin(), zone: 'Mars/Olympus' })).toBe(true);
    expect(isQuiet(utc('2026-01-10T21:59:00Z'), { ...berlin(), zone: 'Mars/Olympus' })).toBe(false);
  });

  test('in every zone and through every clock change: never before it was told, never in quiet hours', () => {
    fc.assert(
      fc.property(anyInstant, anyCadence, anyHours, (at, cadence, hours) => {
        const out = goesOutAt(at, cadence, hours);
        expect(out).toBeGreaterThanOrEqual(at);
        expect(isQuiet(out, hours)).toBe(false);
      }),
      { numRuns: 2000 },
    );
  });

  test('it never waits longer than to the next digest and the end of the quiet hours after it', () => {
    fc.assert(
      fc.property(anyInstant, anyCadence, anyHours, (at, cadence, hours) => {
        const most = (cadence === 'daily' ? 26 * HOUR : 0) + (hours.quiet.enabled ? 50 * HOUR : 0);
        expect(goesOutAt(at, cadence, hours) - at).toBeLessThanOrEqual(most);
      }),
      { numRuns: 2000 },
    );
  });

  test('what concerns safety and security goes out at once, whatever the hours', () => {
    fc.assert(
      fc.property(anyInstant, anyCadence, anyHours, (at, cadence, hours) => {
        expect(goesOutAt(at, cadence, hours, true)).toBe(at);
      }),
    );
  });

  test('an instant and what clocks show of it belong together, but for what comes twice', () => {
    fc.assert(
      fc.property(anyInstant, fc.constantFrom(...ZONES), (at, zone) => {
        const wall = wallClock(at, zone);
        const again = instantOf(wall, zone);
        expect(wallClock(again, zone)).toBe(wall);
        expect(again).toBeGreaterThanOrEqual(at);
      }),
      { numRuns: 2000 },
    );
  });
});
