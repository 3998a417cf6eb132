import { assert, integer, property } from 'fast-check';
import { expect, test } from 'vitest';
import { endOfDay } from '@cairn/base/end-of-day.ts';
import { addDays } from '@cairn/base/local-day.ts';
import { dayOf } from './due-day.ts';

test('a day survives its way through an instant, in any month and year', () => {
  assert(
    property(integer({ min: 0, max: 40_000 }), days => {
      const day = addDays('1990-01-01', days);
      expect(dayOf(endOfDay(day))).toBe(day);
    }),
  );
});

test.each(['', 'soon', '2026'])('"%s" is no day', text => {
  expect(endOfDay(text)).toBeNull();
});

test('something due today is not late before midnight', () => {
  expect(new Date(endOfDay('2026-11-21') ?? 0).getHours()).toBe(23);
});
