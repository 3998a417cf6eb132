import { Failure } from '@cairn/base/failure.ts';
import type { WriteTx } from '@cairn/sync/store.ts';
import { lookUpHash } from './look-up-code.ts';
import type { IssueReport } from './report-status.ts';

export type ReportPhoto = {
  /** A fresh id. */
  id: string;
  bytes: ArrayBuffer;
  /** e.g. image/jpeg */
  mime: string;
  /** Hex, over `bytes`. Worked out before the write: nothing else may be awaited in it. */
  sha256: string;
  /** px */
  width: number | null;
  height: number | null;
};

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
  photos: readonly ReportPhoto[];
  by: string;
  /** The private code of whoever gives no name; null for a report with a name. */
  anonymousCode: string | null;
  /** Device time, ISO 8601. */
  at: string;
};

/** Photos of one report. */
export const MOST_PHOTOS = 20;

/**
 * Writes down an issue with its photos. Without a name, the record carries none; the code its author keeps is stored as a
 * hash only. Write it with `together`: the photos mean nothing without it.
 *
 * @throws {Failure} `invalid` without a title, or with more than 20 photos
 */
export async function reportIssue(tx: WriteTx, report: ReportIssue): Promise<void> {
  const title = report.title.trim();
  if (title === '') throw new Failure('invalid', `reportIssue: ${report.id} has no title`);
  if (report.photos.length > MOST_PHOTOS) throw new Failure('invalid', `reportIssue: ${report.photos.length} photos`);
  for (const photo of report.photos) await keepPhoto(tx, report, photo);
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

async function keepPhoto(tx: WriteTx, { organizationId, siteId, by, at }: ReportIssue, photo: ReportPhoto) {
  await tx.put('media', {
    id: photo.id,
    organization_id: organizationId,
    site_id: siteId,
    kind: 'photo',
    mime: photo.mime,
    bytes: photo.bytes.byteLength,
    sha256: photo.sha256,
    width: photo.width,
    height: photo.height,
    captured_at: at,
    captured_by: by,
  });
  await tx.putBytes(photo.id, photo.bytes);
}
