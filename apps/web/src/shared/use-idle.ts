import { useEffect, useState } from 'react';

/** ms; what waits for a quiet moment begins by then, quiet or not. */
const PATIENCE_MS = 3000;

/** Calls back in a quiet moment of the page. @returns what takes the wish back */
export function whenIdle(callback: () => void): () => void {
  if ('requestIdleCallback' in globalThis) {
    const asked = requestIdleCallback(callback, { timeout: PATIENCE_MS });
    return () => cancelIdleCallback(asked);
  }
  const asked = setTimeout(callback, PATIENCE_MS / 3);
  return () => clearTimeout(asked);
}

/** False until the page had a quiet moment: for what nobody sees, so that it delays nothing seen. */
export function useIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}
