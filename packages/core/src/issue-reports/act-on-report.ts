import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { decideReport } from './decide-report.ts';
import { isEnded } from './report-status.ts';

export type ActOnReport = {
  reportId: string;
  /** A fresh id. */
  actionId: string;
  title: string;
  assigneeId: string | null;
  /** ISO 8601. */
  dueAt: string | null;
  by: string;
  /** Device time, ISO 8601. */
  at: string;
};

/**
 * Makes the corrective work a report asks for: at its place, with its photos, as urgent as it is severe. The report is
 * then acted on.
 *
 * @throws {Failure} `not_found`; `stale_version` when the report is settled; `invalid` without a title
 */
export async function actOnReport(tx: WriteTx, act: ActOnReport): Promise<void> {
  const report = await tx.get('issue_reports', act.reportId);
  if (!report || report.deleted_at !== null) throw new Failure('not_found', `actOnReport: no report ${act.reportId}`);
  if (isEnded(report.status)) throw new Failure('stale_version', `actOnReport: ${report.id} is ${report.status}`);
  const title = act.title.trim();
  if (title === '') throw new Failure('invalid', `actOnReport: ${act.actionId} has no title`);
  await tx.put('action_items', {
    id: act.actionId,
    organization_id: report.organization_id,
    site_id: report.site_id,
    title,
    description: report.description,
    status: act.assigneeId === null ? 'open' : 'assigned',
    priority: report.severity,
    due_at: act.dueAt,
    assignee_id: act.assigneeId,
    source_type: 'issue_report',
    source_id: report.id,
    asset_id: report.asset_id,
    media_ids: report.media_ids,
    created_by: act.by,
  });
  if (report.status !== 'acting') await decideReport(tx, { id: report.id, status: 'acting', by: act.by, at: act.at });
}
