import type { Row } from '@cairn/schema';

export type IssueReport = Row<'issue_reports'>;
export type ReportStatus = IssueReport['status'];

/** From a state to those a report may move to; `issue.may_move_report` holds the same in the database. */
export const reportMoves: Record<ReportStatus, readonly ReportStatus[]> = {
  reported: ['triaged', 'acting', 'dismissed'],
  triaged: ['acting', 'resolved', 'dismissed'],
  acting: ['triaged', 'resolved', 'dismissed'],
  resolved: ['closed', 'triaged'],
  closed: ['triaged'],
  dismissed: ['triaged'],
};

export const reportStatuses = Object.keys(reportMoves).filter(
  (status): status is ReportStatus => status in reportMoves,
);

const ENDED: ReadonlySet<ReportStatus> = new Set(['resolved', 'closed', 'dismissed']);

/** Whether nothing is left to decide. */
export const isEnded = (status: ReportStatus): boolean => ENDED.has(status);

/** Whether a report may move so; staying is always allowed. */
export const mayMoveReport = (from: ReportStatus, to: ReportStatus): boolean =>
  from === to || reportMoves[from].includes(to);

/** States a report reaches only with a word to its author. */
export const needsAnswer = (status: ReportStatus): boolean => status === 'resolved' || status === 'dismissed';
