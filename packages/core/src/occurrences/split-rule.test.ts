import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays } from '@cairn/base/local-day.ts';
import { anyDay, anyRule, monthsLater, oracle } from './oracle-for-tests.ts';
import { parseRecurrence, type Recurrence } from './recurrence.ts';
import { recurringDays } from './recurring-days.ts';
import { ruleFrom } from './split-rule.ts';

const END = '2040-12-31';

/** The days of a duty that was changed from one of them on, and goes on as it was: as it ends the day before, and what follows. */
function splitDays(rule: Recurrence, start: string, { from, to }: { from: string; to: string }): string[] {
  const { count: _, ...first } = rule;
  const next = ruleFrom({ rule, start, from });
  return [...recurringDays({ ...first, until: addDays(from, -1) }, start, to), ...recurringDays(next, from, to)];
}

test('changed from any of its days on, any rule keeps the days another library finds for the whole', () => {
  // A soak: `RUNS=10000`.
  fc.assert(
    fc.property(anyRule, anyDay, fc.nat({ max: 40 }), (rule, start, at) => {
      const to = monthsLater(start, 60);
      const whole = oracle(rule, start, to);
      const from = whole[at % Math.max(1, whole.length)];
      if (from === undefined || from === start) return;
      expect(splitDays(rule, start, { from, to })).toEqual(whole);
    }),
    { numRuns: Number(process.env['RUNS'] ?? 500) },
  );
}, 900_000);

test.each([
  ['FREQ=MONTHLY;RSCALE=GREGORIAN;SKIP=BACKWARD', '2026-10-31', '2026-11-30', '2027-01-31'],
  ['FREQ=YEARLY;RSCALE=GREGORIAN;SKIP=BACKWARD', '2024-02-29', '2026-02-28', '2028-02-29'],
  ['FREQ=MONTHLY;INTERVAL=2;RSCALE=GREGORIAN;SKIP=BACKWARD;COUNT=9', '2026-12-31', '2027-02-28', '2027-08-31'],
])('the last day of a month stays the last: %s from %s, changed on %s', (text, start, from, has) => {
  const read = parseRecurrence(text);
  if (!read.ok) throw new Error(read.problem);
  const days = splitDays(read.recurrence, start, { from, to: END });
  expect(days).toEqual([...recurringDays(read.recurrence, start, END)]);
  expect(days).toContain(has);
});

test('so many times stay so many when the rule is changed, and are another number when that is', () => {
  const rule: Recurrence = { every: 'week', interval: 1, count: 10 };
  const split = { rule, start: '2026-11-02', from: '2026-11-23' };
  expect(ruleFrom(split, { ...rule, interval: 2 }).count).toBe(7);
  expect(ruleFrom(split, { ...rule, count: 3 }).count).toBe(3);
});
