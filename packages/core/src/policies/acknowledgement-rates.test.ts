import { describe, expect, test } from 'vitest';
import { ratesCsv, shareOf, spansOf, type RateDay } from './acknowledgement-rates.ts';

const on = (day: string, done: number, overdue = 0): RateDay => ({ day, asked: 8, done, overdue });
// 30 November 2026 is a Monday.
const DAYS = [on('2026-11-27', 1), on('2026-11-29', 2), on('2026-11-30', 3, 1), on('2026-12-02', 5, 2)];

describe('spans of time', () => {
  test('weeks begin on Monday and stand as their last day stood, an unfinished one as it is now', () => {
    expect(spansOf(DAYS, 'week', '2026-12-02', 6)).toEqual([
      { from: '2026-11-23', at: DAYS[1] },
      { from: '2026-11-30', at: DAYS[3] },
    ]);
  });

  test('months stand as their last day stood', () => {
    expect(spansOf(DAYS, 'month', '2026-12-02', 6).map(({ from, at }) => [from, at?.done])).toEqual([
      ['2026-11-01', 3],
      ['2026-12-01', 5],
    ]);
  });

  test('begin with the first figures, and leave nothing out after them', () => {
    expect(spansOf(DAYS, 'week', '2026-12-16', 300).map(({ from, at }) => [from, at?.done ?? null])).toEqual([
      ['2026-11-23', 2],
      ['2026-11-30', null],
      ['2026-12-07', null],
      ['2026-12-14', null],
    ]);
  });

  test('a day on which nobody was asked is a gap, not a zero', () => {
    const spans = spansOf(DAYS, 'day', '2026-12-02', 3);
    expect(spans.map(({ from, at }) => [from, shareOf(at, 'done'), shareOf(at, 'overdue')])).toEqual([
      ['2026-11-30', 37.5, 12.5],
      ['2026-12-01', null, null],
      ['2026-12-02', 62.5, 25],
    ]);
  });
});

test('a spreadsheet has a line a span, empty where nobody was asked', () => {
  const text = ratesCsv(spansOf(DAYS, 'day', '2026-12-02', 3), ['From', 'At', 'A', 'D', 'O', '%', 'late']);
  expect(text.replace('\uFEFF', '').trim().split(/\r?\n/)).toEqual([
    'From,At,A,D,O,%,late',
    '2026-11-30,2026-11-30,8,3,1,37.5,12.5',
    '2026-12-01,,,,,,',
    '2026-12-02,2026-12-02,8,5,2,62.5,25.0',
  ]);
});
