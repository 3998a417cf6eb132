import { expect, test } from 'vitest';
import type { IssueReport } from '@cairn/core/issue-reports/report-status.ts';
import { isDayOnly, reportedAt } from './reported-at.ts';

const report = (of: Partial<IssueReport>): IssueReport =>
  ({ is_anonymous: true, source: 'app', reported_at: '2026-11-21T00:00:00+00:00', ...of }) as IssueReport;

test('of a report without a name the day is shown, the same in every zone', () => {
  expect(isDayOnly(report({}))).toBe(true);
  const at = reportedAt(report({}));
  expect([at.getFullYear(), at.getMonth(), at.getDate()]).toEqual([2026, 10, 21]);
});

test('of a visitor’s, and of one with a name, the instant', () => {
  const instant = '2026-11-21T08:15:00.000Z';
  for (const other of [{ source: 'public_code' as const }, { is_anonymous: false }])
    expect(reportedAt(report({ ...other, reported_at: instant })).toISOString()).toBe(instant);
});
