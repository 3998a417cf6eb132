import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { keepFile, type NewFile } from '../media/keep-file.ts';
import { lookUpHash } from './look-up-code.ts';
import type { IssueReport } from './report-status.ts';

export type ReportIssue = {
  /** A fresh id. */
  id: string;
  organizationId: string;
  siteId: string | null;
  assetId: string | null;
  title: string;
  description: string;
  category: IssueReport['category'];
  severity: IssueReport['severity'];
  /** In words: "Bay 2". */
  location: string;
  photos: readonly NewFile[];
  by: string;
  /** The private code of whoever gives no name; null for a report with a name. */
  anonymousCode: string | null;
  /** Device time, ISO 8601. */
  at: string;
};

/** Photos of one report. */
export const MAX_PHOTOS = 20;

/**
 * Writes down an issue with its photos. Without a name, the record carries none; the code its author keeps is stored as a
 * hash only. Write it with `together`: the photos mean nothing without it.
 *
 * @throws {Failure} `invalid` without a title, or with more than 20 photos
 */
export async function reportIssue(tx: WriteTx, report: ReportIssue): Promise<void> {
  const title = report.title.trim();
  if (title === '') throw new Failure('invalid', `reportIssue: ${report.id} has no title`);
  if (report.photos.length > MAX_PHOTOS) throw new Failure('invalid', `reportIssue: ${report.photos.length} photos`);
  const place = { organization_id: report.organizationId, site_id: report.siteId };
  for (const photo of report.photos)
    await keepFile(tx, photo, { ...place, captured_at: report.at, captured_by: report.by });
  const isAnonymous = report.anonymousCode !== null;
  await tx.put('issue_reports', {
    id: report.id,
    organization_id: report.organizationId,
    site_id: report.siteId,
    asset_id: report.assetId,
    title,
    description: report.description.trim() || null,
    category: report.category,
    severity: report.severity,
    location: report.location.trim() || null,
    media_ids: report.photos.map(({ id }) => id),
    is_anonymous: isAnonymous,
    reported_by: isAnonymous ? null : report.by,
    look_up_hash: report.anonymousCode === null ? null : lookUpHash(report.anonymousCode),
    reported_at: report.at,
  });
}
