import { useEffect } from 'react';

/** Whatever waits to be written is written when the screen goes away, in whichever way it goes. */
export function useFlushOnLeaving(waiting: { flush(): Promise<void> }): void {
  useEffect(() => {
    const flush = () => void waiting.flush();
    const hide = () => document.visibilityState === 'hidden' && flush();
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', hide);
    return () => {
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', hide);
      flush();
    };
  }, [waiting]);
}
