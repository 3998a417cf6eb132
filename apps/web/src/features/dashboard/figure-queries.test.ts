import { describe, expect, test } from 'vitest';
import { complianceRate, startOfDay } from './figure-queries.ts';

const today = startOfDay(new Date(2026, 10, 21, 9));
const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();

describe('R2.41 compliance rate: duties met of duties due', () => {
  test('nothing due gives no rate, rather than 0 or 100', () => {
    expect(complianceRate([], today)).toBeNull();
  });

  test('done later on the due day still counts as met, done the day after does not', () => {
    const duties = [
      { dueAt: at(20, 8), doneAt: at(20, 23) },
      { dueAt: at(20, 8), doneAt: at(21, 1) },
      { dueAt: at(19, 8), doneAt: null },
    ];
    expect(complianceRate(duties, today)).toEqual({ met: 1, due: 3, percent: 33 });
  });

  test('what is due today and still open is neither met nor missed', () => {
    const open = { dueAt: at(21, 7), doneAt: null };
    expect(complianceRate([open], today)).toBeNull();
    expect(complianceRate([open, { dueAt: at(21, 7), doneAt: at(21, 8) }], today)).toEqual({
      met: 1,
      due: 1,
      percent: 100,
    });
  });
});
