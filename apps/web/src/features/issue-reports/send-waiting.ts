import { Failure } from '@cairn/base/failure.ts';
import { ServerRefusal, type ServerCalls } from '../../shared/server-calls.ts';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

/** The calls of somebody who is not signed in. */
export type VisitorCalls = Pick<ServerCalls, 'call' | 'send'>;

/** What is asked of the server; what it did not want to hear is an answer too. */
async function answered<A, const B>(asked: Promise<A>, refused: B): Promise<A | B> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ServerRefusal) return refused;
    throw error;
  }
}

async function sendReport(calls: VisitorCalls, report: WaitingReport): Promise<WaitingReport> {
  const args = { p_token: report.token, p_key: report.key, p_report: report.body };
  const answer = await answered(calls.call<{ reference: string } | null>('submit_public_report', args), 'refused');
  if (answer === 'refused') return { ...report, state: 'refused' };
  return answer === null ? { ...report, state: 'closed' } : { ...report, state: 'sent', reference: answer.reference };
}

async function sendPhotos(calls: VisitorCalls, begun: WaitingReport): Promise<WaitingReport> {
  let report = begun;
  for (const [index, photo] of begun.photos.entries()) {
    if (photo.state !== 'waiting') continue;
    const form = new FormData();
    form.set('key', report.key);
    form.set('number', String(index + 1));
    form.set('photo', new Blob([photo.bytes], { type: photo.mime }), 'photo');
    const isKept = await answered(
      calls.send('reports/photo', form).then(() => true),
      false,
    );
    const done = { ...photo, bytes: new ArrayBuffer(0), state: isKept ? ('sent' as const) : ('refused' as const) };
    report = { ...report, photos: report.photos.with(index, done) };
    await waitingReports.keep(report);
  }
  return report;
}

/** Whether something of it has not arrived and goes by itself. */
export const isOwed = ({ state, photos }: WaitingReport): boolean =>
  state === 'waiting' || (state === 'sent' && photos.some(photo => photo.state === 'waiting'));

async function sendOne(calls: VisitorCalls, waiting: WaitingReport): Promise<void> {
  const report = waiting.state === 'waiting' ? await sendReport(calls, waiting) : waiting;
  await waitingReports.keep(report);
  if (report.state !== 'sent') return;
  const whole = await sendPhotos(calls, report);
  // What was said is the organisation's now; the reference and the code are its author's.
  await waitingReports.keep({ ...whole, body: null });
}

async function sendAll(calls: VisitorCalls): Promise<boolean> {
  for (const report of (await waitingReports.all()).filter(isOwed)) {
    try {
      await sendOne(calls, report);
    } catch (error) {
      if (error instanceof Failure) return true;
      throw error;
    }
  }
  return false;
}

/**
 * Sends what waits on this phone, each report once: its key makes a repeated call the same one. Tabs take turns where the
 * browser knows how.
 *
 * @returns whether something still waits for a network
 */
export function sendWaiting(calls: VisitorCalls): Promise<boolean> {
  const { locks }: { locks?: LockManager } = navigator;
  return locks ? locks.request('cairn.visitor', () => sendAll(calls)) : sendAll(calls);
}

/** Another try for one that a closed code turned away. */
export const askAgain = (report: WaitingReport): Promise<void> => waitingReports.keep({ ...report, state: 'waiting' });
