import { useCallback, useEffect, useState } from 'react';
import { sendWaiting, type VisitorCalls } from './send-waiting.ts';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

/** ms between two tries while the network says nothing of its return. */
const FIRST_MS = 5_000;
const LAST_MS = 300_000;

/** What somebody reported from this phone by public codes; whatever waits is sent as soon as there is a network. */
export function useVisitorReports(calls: () => Promise<VisitorCalls>) {
  const [reports, setReports] = useState<readonly WaitingReport[]>([]);
  const [fault, setFault] = useState<unknown>(null);
  if (fault !== null) throw fault;

  useEffect(() => {
    const read = () => void waitingReports.all().then(setReports, setFault);
    read();
    return waitingReports.watch(read);
  }, []);

  const send = useCallback(async () => {
    // A page without a network cannot even load what it would ask with.
    const reached = navigator.onLine ? await calls().catch(() => null) : null;
    return reached === null
      ? (await waitingReports.all()).some(({ state }) => state === 'waiting')
      : sendWaiting(reached);
  }, [calls]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = FIRST_MS;
    const attempt = () => {
      clearTimeout(timer);
      send().then(isOwed => {
        if (!isOwed) return;
        timer = setTimeout(attempt, wait);
        wait = Math.min(wait * 2, LAST_MS);
      }, setFault);
    };
    attempt();
    const again = () => {
      wait = FIRST_MS;
      attempt();
    };
    addEventListener('online', again);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', again);
    };
  }, [send]);

  const sendNow = useCallback(() => void send().catch(setFault), [send]);
  return { reports, sendNow };
}
