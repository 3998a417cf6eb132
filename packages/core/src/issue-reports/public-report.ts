import { lookUpHash } from './look-up-code.ts';
import { plainText } from './plain-text.ts';
import type { IssueReport } from './report-status.ts';

/** What a visitor may send; `intake.read_report` holds the same in the database. Text in characters, photos in bytes. */
export const VISITOR_LIMITS = { text: 4000, name: 100, contact: 200, photos: 5, photoBytes: 8_000_000 } as const;

/** Where a public code hangs, as whoever stands before it is told. */
export type PublicPlace = { organization: string; site: string | null; asset: string | null; spot: string | null };

/** A photo as it is announced with the report; its bytes follow. */
export type AnnouncedPhoto = {
  bytes: number;
  /** Hex. */
  sha256: string;
};

export type VisitorReport = {
  severity: IssueReport['severity'];
  text: string;
  /** Empty: no name is given. */
  name: string;
  contact: string;
  photos: readonly AnnouncedPhoto[];
  /** The private code with which the visitor looks up what becomes of it. */
  code: string;
  /** The phone's time, ISO 8601. */
  at: string;
};

/** What `submit_public_report` takes. */
export type VisitorReportBody = {
  severity: IssueReport['severity'];
  text: string;
  name: string | null;
  contact: string | null;
  photos: AnnouncedPhoto[];
  look_up_hash: string;
  reported_at: string;
};

/** What stands in the way of sending; null when nothing does. */
export function visitorFault({
  text,
  name,
  contact,
  photos,
}: Omit<VisitorReport, 'code' | 'at'>): 'empty' | 'long' | null {
  if (plainText(text) === '') return 'empty';
  const isLong =
    text.length > VISITOR_LIMITS.text || name.length > VISITOR_LIMITS.name || contact.length > VISITOR_LIMITS.contact;
  return isLong || photos.length > VISITOR_LIMITS.photos ? 'long' : null;
}

/**
 * A visitor's report as the server takes it: one bad character would make a report no server ever takes. Of their code it has
 * the hash only.
 *
 * @throws {RangeError} when `code` is no look-up code
 */
export function visitorReportBody(report: VisitorReport): VisitorReportBody {
  return {
    severity: report.severity,
    text: plainText(report.text),
    name: plainText(report.name) || null,
    contact: plainText(report.contact) || null,
    photos: report.photos.map(({ bytes, sha256 }) => ({ bytes, sha256 })),
    look_up_hash: lookUpHash(report.code),
    reported_at: new Date(report.at).toISOString(),
  };
}

/** The key of one submission, 64 hex digits: makes it the same one however often it is sent, and lets its photos follow. */
export const submissionKey = (random: Uint8Array): string => {
  if (random.length < 32) throw new RangeError(`a key needs 32 bytes, got ${random.length}`);
  return Array.from(random.slice(0, 32), byte => byte.toString(16).padStart(2, '0')).join('');
};
