import type { Row } from '@cairn/schema';
import type { Query } from '@cairn/sync/store.ts';
import { isEnded, type IssueReport } from './report-status.ts';

export type ReportLists = {
  /** What waits for a decision or for work: the most severe first, then the newest. */
  open: IssueReport[];
  /** Settled, the newest decision first. */
  ended: IssueReport[];
};

const WEIGHT: Record<IssueReport['severity'], number> = { critical: 0, high: 1, medium: 2, low: 3 };

/** The issue reports of an organisation that this device has. */
export function issueReports(organizationId: string): Query<ReportLists> {
  return {
    key: `issue-reports/issueReports/${organizationId}`,
    tables: ['issue_reports'],
    async read(tx) {
      const all = await tx.all('issue_reports');
      const rows = all.filter(row => row.organization_id === organizationId && row.deleted_at === null);
      const timeOf = (iso: string | null): number => Date.parse(iso ?? '') || 0;
      return {
        open: rows
          .filter(({ status }) => !isEnded(status))
          .toSorted((a, b) => WEIGHT[a.severity] - WEIGHT[b.severity] || timeOf(b.reported_at) - timeOf(a.reported_at)),
        ended: rows
          .filter(({ status }) => isEnded(status))
          .toSorted((a, b) => timeOf(b.decided_at) - timeOf(a.decided_at)),
      };
    },
  };
}

export type OpenedReport = {
  report: IssueReport;
  site: Row<'sites'> | null;
  asset: Row<'assets'> | null;
  /** The work that came from it, oldest first. */
  actions: Row<'action_items'>[];
};

/** One report with its place and the work that came from it; null when it is not on this device. */
export function issueReport(id: string): Query<OpenedReport | null> {
  return {
    key: `issue-reports/issueReport/${id}`,
    tables: ['issue_reports', 'sites', 'assets', 'action_items'],
    async read(tx) {
      const report = await tx.get('issue_reports', id);
      if (!report || report.deleted_at !== null) return null;
      const actions = await tx.range('action_items', 'source', id, id);
      return {
        report,
        site: report.site_id === null ? null : ((await tx.get('sites', report.site_id)) ?? null),
        asset: report.asset_id === null ? null : ((await tx.get('assets', report.asset_id)) ?? null),
        actions: actions
          .filter(row => row.deleted_at === null)
          .toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at)),
      };
    },
  };
}
