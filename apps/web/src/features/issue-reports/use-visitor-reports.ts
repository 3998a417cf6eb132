import { useCallback, useEffect, useState } from 'react';
import { isOwed, sendWaiting, type VisitorCalls } from './send-waiting.ts';
import { waitingReports, type WaitingReport } from './waiting-reports.ts';

/** ms between two tries while the network says nothing of its return. */
const FIRST_MS = 5_000;
const LAST_MS = 300_000;

/** What somebody reported from this phone by public codes; whatever waits is sent as soon as there is a network. */
export function useVisitorReports(calls: () => Promise<VisitorCalls>) {
  const [reports, setReports] = useState<readonly WaitingReport[]>([]);
  const [fault, setFault] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  if (fault !== null) throw fault;

  useEffect(() => {
    const read = () => void waitingReports.all().then(setReports, setFault);
    read();
    return waitingReports.watch(read);
  }, []);

  const send = useCallback(async () => {
    // A page without a network cannot even load what it would ask with.
    const reached = navigator.onLine ? await calls().catch(() => null) : null;
    return reached === null ? (await waitingReports.all()).some(isOwed) : sendWaiting(reached);
  }, [calls]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wait = FIRST_MS;
    const attempt = () => {
      clearTimeout(timer);
      send().then(isLeft => {
        if (!isLeft) return;
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
  }, [send, round]);

  /** Begins anew, with short waits: something was just written, or somebody asked for it. */
  const sendNow = useCallback(() => setRound(before => before + 1), []);
  return { reports, sendNow };
}
