import { useEffect, useState } from 'react';

/**
 * ms; a second press this soon after a step came up was meant for the step before: it lay under the finger when the button of
 * the new one took its place. Double taps 350 ms apart passed a question nobody had seen; the slowest double click that
 * desktops know by default takes 500 ms, and nobody has read a step by then.
 */
export const SECOND_TAP_MS = 500;

/**
 * Whether a step has been on the screen long enough for a press to be meant for it.
 *
 * @param step its name; another one begins anew
 * @returns with `settle`, for what shows sooner that the step was seen
 */
export function useTapGuard(step: string): { isSettled: boolean; settle: () => void } {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(step), SECOND_TAP_MS);
    return () => {
      clearTimeout(timer);
      setSettled(null);
    };
  }, [step]);
  return { isSettled: settled === step, settle: () => setSettled(step) };
}
