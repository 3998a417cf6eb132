import type { IssueReport } from '@cairn/core/issue-reports/report-status.ts';

/** Whether of a report's time the day alone is known: the server keeps no more of one that a member made without a name. */
export const isDayOnly = ({ is_anonymous: isNameless, source }: IssueReport): boolean => isNameless && source === 'app';

/** When it was reported; of a day alone (UTC) its noon here, so that no zone makes another day of it. */
export const reportedAt = (report: IssueReport): Date =>
  new Date(isDayOnly(report) ? `${report.reported_at.slice(0, 10)}T12:00:00` : report.reported_at);
