import { useCallback, useEffect, useState } from 'react';
import type { StoredEntry, VisitorStore } from './visitor-store.ts';

/** ms between two tries while the network says nothing of its return. */
const FIRST_MS = 5_000;
const LAST_MS = 300_000;

/**
 * What is kept on this phone, and sends it as soon as there is a network.
 *
 * @param send answers whether something is left; both it and `store` are to stay the same from one drawing to the next
 */
export function useSending<A extends StoredEntry>(store: VisitorStore<A>, send: () => Promise<boolean>) {
  const [rows, setRows] = useState<readonly A[] | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const [round, setRound] = useState(0);
  if (fault !== null) throw fault;

  useEffect(() => {
    const read = () => void store.all().then(setRows, setFault);
    read();
    return store.watch(read);
  }, [store]);

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
  return { rows, sendNow };
}
