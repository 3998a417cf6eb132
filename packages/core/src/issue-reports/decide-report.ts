import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { isEnded } from '../action-items/action-status.ts';
import {
  isEnded as isReportEnded,
  mayMoveReport,
  needsAnswer,
  type IssueReport,
  type ReportStatus,
} from './report-status.ts';

export type DecideReport = {
  id: string;
  /** The state to go to; the present one where left out. */
  status?: ReportStatus;
  severity?: IssueReport['severity'];
  category?: IssueReport['category'];
  /** What its author is told; left as it is where left out. */
  answer?: string;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Moves a report on, or judges it anew.
 *
 * @throws {Failure} `not_found`; `stale_version` for a move its state does not allow, and for another judgement of what is
 * decided; `invalid` when it would be resolved or
 * dismissed without a word to its author, or resolved while work that came from it is open
 */
export async function decideReport(tx: WriteTx, decision: DecideReport): Promise<void> {
  const { id, by, at } = decision;
  const report = await tx.get('issue_reports', id);
  if (!report || report.deleted_at !== null) throw new Failure('not_found', `decideReport: no report ${id}`);
  const status = decision.status ?? report.status;
  if (!mayMoveReport(report.status, status))
    throw new Failure('stale_version', `decideReport: ${id} cannot go from ${report.status} to ${status}`);
  const judgesAnew = (['severity', 'category'] as const).some(
    field => decision[field] !== undefined && decision[field] !== report[field],
  );
  if (judgesAnew && isReportEnded(report.status) && isReportEnded(status))
    throw new Failure('stale_version', `decideReport: ${id} is decided`);
  const answer = decision.answer === undefined ? report.answer : decision.answer.trim() || null;
  if (needsAnswer(status) && answer === null)
    throw new Failure('invalid', `decideReport: ${id} ${status} without a word`);
  if (status === 'resolved' && (await hasOpenWork(tx, id)))
    throw new Failure('invalid', `decideReport: work from ${id} is open`);
  await tx.change('issue_reports', id, {
    status,
    answer,
    ...(decision.severity && { severity: decision.severity }),
    ...(decision.category && { category: decision.category }),
    ...(status !== report.status && { decided_at: at, decided_by: by }),
  });
}

async function hasOpenWork(tx: WriteTx, id: string): Promise<boolean> {
  const actions = await tx.range('action_items', 'source', id, id);
  return actions.some(({ status, deleted_at: gone }) => gone === null && !isEnded(status));
}
