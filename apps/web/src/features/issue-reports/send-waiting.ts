import { answered, sendInTurn, sendPhotos, type OutsideCalls } from '../../shared/server/send-stored.ts';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

async function sendReport(calls: OutsideCalls, report: WaitingReport): Promise<WaitingReport> {
  const args = { p_token: report.token, p_key: report.key, p_report: report.body };
  const answer = await answered(calls.call<{ reference: string } | null>('submit_public_report', args), 'refused');
  if (answer === 'refused') return { ...report, state: 'refused' };
  return answer === null ? { ...report, state: 'closed' } : { ...report, state: 'sent', reference: answer.reference };
}

async function sendOne(calls: OutsideCalls, waiting: WaitingReport): Promise<void> {
  const report = waiting.state === 'waiting' ? await sendReport(calls, waiting) : waiting;
  await waitingReports.keep(report);
  if (report.state !== 'sent') return;
  const whole = await sendPhotos(report, { calls, service: 'reports/photo', keep: kept => waitingReports.keep(kept) });
  // What was said is the organisation's now; the reference and the code are its author's.
  await waitingReports.keep({ ...whole, body: null });
}

/**
 * Sends what waits on this phone, each report once: its key makes a repeated call the same one. Tabs take turns where the
 * browser knows how.
 *
 * @returns whether something still waits for a network
 */
export function sendWaiting(calls: OutsideCalls): Promise<boolean> {
  return sendInTurn('cairn.visitor', { all: () => waitingReports.all(), send: report => sendOne(calls, report) });
}

/** Another try for one that a closed code turned away. */
export const askAgain = (report: WaitingReport): Promise<void> => waitingReports.keep({ ...report, state: 'waiting' });
