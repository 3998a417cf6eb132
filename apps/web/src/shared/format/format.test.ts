import { describe, expect, test } from 'vitest';
import {
  daysBetween,
  formatArea,
  formatBytes,
  formatDistance,
  formatDay,
  formatDue,
  formatInstant,
  formatRelativeDay,
  formatTime,
  setFormat,
} from './format.ts';

const now = new Date(2026, 10, 21, 7, 42);

describe('formatDue', () => {
  test.each([
    { due: new Date(2026, 10, 21, 16, 0), text: '04:00 PM', state: 'soon' },
    { due: new Date(2026, 10, 21, 7, 0), text: '07:00 AM', state: 'late' },
    { due: new Date(2026, 10, 20, 23, 59), text: 'yesterday', state: 'late' },
    { due: new Date(2026, 10, 15, 9, 0), text: '6 days ago', state: 'late' },
    { due: new Date(2026, 10, 22, 0, 1), text: 'tomorrow', state: 'later' },
    { due: new Date(2026, 10, 28, 9, 0), text: 'Nov 28', state: 'later' },
    { due: new Date(2027, 0, 3, 9, 0), text: 'Jan 3, 2027', state: 'later' },
  ])('$text', ({ due, text, state }) => {
    const relative = formatDue(due, now);
    // Newer ICU data put a narrow no-break space before AM and PM.
    expect({ ...relative, text: relative.text.replace(/\s/gu, ' ') }).toEqual({ text, state });
  });
});

test('a day that is 23 hours long still counts as one day', () => {
  expect(daysBetween(new Date(2026, 2, 30, 0, 30), new Date(2026, 2, 29, 0, 30))).toBe(1);
});

test.each([
  [0, '0 kB'],
  [3, '0.1 kB'],
  [643, '0.6 kB'],
  [999, '1 kB'],
  [3400, '3 kB'],
  [5_840_000, '5.8 MB'],
  [10_753_200_000, '10.8 GB'],
])('%i bytes read as %s', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});

test.each(['', 'soon', 'infinity', '12026-11-21T09:00:00Z', '0044-03-15 BC'])(
  '%j is no date and throws nothing',
  iso => {
    const none = new Date(iso);
    expect([formatTime(none), formatDay(none), formatInstant(none)]).toEqual(['–', '–', '–']);
    expect(formatRelativeDay(daysBetween(none, now))).toBe('–');
    expect(formatDue(none, now)).toEqual({ text: '–', state: 'later' });
  },
);

test('the ends of time can be read', () => {
  for (const instant of [new Date(8.64e15), new Date(-8.64e15)]) expect(formatDue(instant, now).text).not.toBe('–');
});

describe('distances and areas', () => {
  const inRegion = (dateFormat: string) => setFormat({ timeZone: null, dateFormat, hour12: false, weekStart: null });
  test('are metres and hectares, and feet and acres where dates are written the American way', () => {
    inRegion('dd/MM/yyyy');
    expect([formatDistance(120.4), formatDistance(3449)]).toEqual(['120 m', '3.4 km']);
    expect([formatArea(340.2), formatArea(12_300)]).toEqual(['340 m²', '1.2 ha']);
    inRegion('MM/dd/yyyy');
    expect([formatDistance(120.4), formatDistance(3449)]).toEqual(['395 ft', '2.1 mi']);
    expect([formatArea(340.2), formatArea(12_300)]).toEqual(['3,662 sq ft', '3 ac']);
  });
});
