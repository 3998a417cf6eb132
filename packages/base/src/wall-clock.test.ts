import { afterEach, expect, test, vi } from 'vitest';
import { wallClock } from './wall-clock.ts';

afterEach(() => vi.restoreAllMocks());

test('so many zones are kept, whoever names how many: the first is made anew after the others', () => {
  const at = Date.parse('2026-11-21T12:00:00.000Z');
  const made = vi.spyOn(Intl, 'DateTimeFormat');
  const ask = (zone: string) => {
    made.mockClear();
    wallClock(at, zone);
    return made.mock.calls.length > 0;
  };
  // Other files of this process may have named it.
  for (let n = 0; n < 120; n += 1) ask(`Elsewhere/${n}`);
  expect([ask('Europe/Berlin'), ask('Europe/Berlin')]).toEqual([true, false]);
  for (let n = 0; n < 120; n += 1) ask(`Nowhere/${n}`);
  expect([ask('Nowhere/119'), ask('Europe/Berlin')]).toEqual([false, true]);
});

test('an unknown zone counts as UTC', () => {
  const at = Date.parse('2026-11-21T12:00:00.000Z');
  expect(wallClock(at, 'Zabc+3')).toBe(at);
});
