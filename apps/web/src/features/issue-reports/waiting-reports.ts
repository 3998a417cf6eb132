import type { PublicPlace, VisitorReportBody } from '@cairn/core/issue-reports/public-report.ts';
import type { WaitingPhoto } from '../../shared/server/send-stored.ts';
import { visitorStore } from '../../shared/server/visitor-store.ts';

/** A visitor's report on this phone, from the moment it is made until its author lets go of it. */
export type WaitingReport = {
  /** The key of the submission. */
  key: string;
  token: string;
  place: PublicPlace | null;
  /** Null once everything was sent: then only what its author needs stays here. */
  body: VisitorReportBody | null;
  photos: WaitingPhoto[];
  /** The private look-up code. */
  code: string;
  /** Phone's time, ISO 8601. */
  madeAt: string;
  /** `closed`: the code took no report when it was sent; `refused`: the server did not understand it. */
  state: 'waiting' | 'closed' | 'refused' | 'sent';
  reference: string | null;
};

/** Reports of whoever was here, whoever that was. */
export const waitingReports = visitorStore<WaitingReport>('cairn.visitor', 'reports');
