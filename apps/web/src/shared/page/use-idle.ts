import { useEffect, useState } from 'react';

/** ms; what waits for a quiet moment begins by then, quiet or not. */
const PATIENCE_MS = 3000;

/** ms after the page was opened: by then a start is over, also on a slow phone. Its gaps while the device is read are none. */
const START_MS = 3000;

/**
 * Calls back in a quiet moment of the page.
 * @param notBefore ms after the page was opened; unless told, when its start is over
 * @returns what takes the wish back
 */
export function whenIdle(callback: () => void, notBefore = START_MS): () => void {
  let isWanted = true;
  const call = () => isWanted && callback();
  const ask = () =>
    'requestIdleCallback' in globalThis ? requestIdleCallback(call, { timeout: PATIENCE_MS }) : call();
  setTimeout(ask, notBefore - performance.now());
  return () => void (isWanted = false);
}

/** False until the page had a quiet moment: for what nobody sees, so that it delays nothing seen. @param notBefore as above */
export function useIdle(notBefore?: number): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true), notBefore), []);
  return isIdle;
}
