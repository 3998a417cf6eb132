// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import * as fc from 'fast-check';
import {
  daysBetween,
  formatDate,
  formatDay,
  formatInstant,
  formatTime,
  setFormat,
  useFormat,
  weekOf,
  type FormatSettings,
} from './format.ts';
import { changeLanguage } from '../i18n/load-texts.ts';
import { startI18n } from '../i18n/start-i18n.ts';

const usual: FormatSettings = { timeZone: null, dateFormat: 'MM/dd/yyyy', hour12: true, weekStart: null };
const plain = (text: string) => text.replaceAll(/\s/gu, ' ');
const instant = new Date('2026-11-21T20:05:09Z');

afterEach(() => setFormat(usual));

describe('dates and times follow the preferences', () => {
  test.each([
    ['MM/dd/yyyy', '11/22/2026', 'Nov 22'],
    ['dd/MM/yyyy', '22/11/2026', '22 Nov'],
    ['dd.MM.yyyy', '22.11.2026', '22 Nov'],
    ['yyyy-MM-dd', '2026-11-22', 'Nov 22'],
  ])('R3.17 %s in the zone that was chosen', (dateFormat, date, day) => {
    setFormat({ ...usual, timeZone: 'Pacific/Auckland', dateFormat });
    expect([formatDate(instant), formatDay(instant, instant)]).toEqual([date, day]);
  });

  test('R3.17 the clock has twelve hours or twenty-four', () => {
    setFormat({ ...usual, timeZone: 'UTC', hour12: true });
    expect(plain(formatTime(instant))).toBe('08:05 PM');
    setFormat({ ...usual, timeZone: 'UTC', hour12: false });
    expect([formatTime(instant), formatInstant(instant)]).toEqual(['20:05', '11/21/2026, 20:05:09']);
  });

  test('midnight is 12 on one clock and 00 on the other', () => {
    const midnight = new Date('2026-11-21T00:00:00Z');
    setFormat({ ...usual, timeZone: 'UTC', hour12: true });
    expect(plain(formatTime(midnight))).toBe('12:00 AM');
    setFormat({ ...usual, timeZone: 'UTC', hour12: false });
    expect(formatTime(midnight)).toBe('00:00');
  });

  test('a zone that this browser does not know leaves times as the device has them', () => {
    setFormat({ ...usual, timeZone: 'Mars/Olympus' });
    const here = formatTime(instant);
    setFormat(usual);
    expect(here).toBe(formatTime(instant));
  });

  test('a day of 23 hours in the chosen zone is one day', () => {
    setFormat({ ...usual, timeZone: 'Europe/Berlin' });
    expect(daysBetween(new Date('2026-03-29T22:30:00Z'), new Date('2026-03-28T23:30:00Z'))).toBe(1);
  });
});

test('a week has seven days in a row, holds the day, and begins as chosen', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1970-01-02'), max: new Date('2199-12-30'), noInvalidDate: true }),
      fc.constantFrom(0, 1, 6),
      fc.constantFrom('UTC', 'Pacific/Kiritimati', 'America/St_Johns', 'Africa/Casablanca'),
      (day, weekStart, timeZone) => {
        setFormat({ ...usual, timeZone, weekStart, dateFormat: 'yyyy-MM-dd' });
        const week = weekOf(day);
        expect(week).toHaveLength(7);
        expect(week).toContain(formatDate(day));
        expect(new Date(`${week[0]}T00:00:00Z`).getUTCDay()).toBe(weekStart);
        const numbers = week.map(each => Date.parse(`${each}T00:00:00Z`) / 86_400_000);
        expect(numbers.map(number => number - (numbers[0] ?? 0))).toEqual([0, 1, 2, 3, 4, 5, 6]);
      },
    ),
  );
});

test('an open screen follows a change of preference and of language', async () => {
  await startI18n();
  const { result } = renderHook(() => useFormat().formatDay(instant, instant));
  expect(result.current).toBe('Nov 21');
  act(() => setFormat({ ...usual, dateFormat: 'dd.MM.yyyy' }));
  expect(result.current).toBe('21 Nov');
  await act(() => changeLanguage('de'));
  expect(result.current).toBe('21. Nov.');
});
