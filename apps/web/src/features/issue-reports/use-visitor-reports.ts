import { useCallback } from 'react';
import { useSending } from '../../shared/server/use-sending.ts';
import { isOwed, type OutsideCalls } from '../../shared/server/send-stored.ts';
import { sendWaiting } from './send-waiting.ts';
import { waitingReports } from './waiting-reports.ts';

/** What somebody reported from this phone by public codes; whatever waits is sent as soon as there is a network. */
export function useVisitorReports(calls: () => Promise<OutsideCalls>) {
  const send = useCallback(async () => {
    // A page without a network cannot even load what it would ask with.
    const reached = navigator.onLine ? await calls().catch(() => null) : null;
    return reached === null ? (await waitingReports.all()).some(isOwed) : sendWaiting(reached);
  }, [calls]);
  const { rows, sendNow } = useSending(waitingReports, send);
  return { reports: rows ?? [], sendNow };
}
