import { useEffect, useRef, useState } from 'react';

/** ms without a touch until the page asks whether somebody is there. */
export const ASKS_AFTER_MS = 90_000;
/** ms from then until it closes. */
export const CLOSES_AFTER_MS = 20_000;

/** A click and an input too: who is helped by a screen reader or speaks sends nothing else. */
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchmove', 'click', 'input'] as const;

/** Whether a page of the kiosk asks if somebody is still there; calls back when nobody was. @param isOn whether it watches at all */
export function useKioskIdle(isOn: boolean, onGone: () => void): { isAsking: boolean } {
  const [isAsking, setAsking] = useState(false);
  const gone = useRef(onGone);
  useEffect(() => void (gone.current = onGone));
  useEffect(() => {
    if (!isOn) return undefined;
    let timer = 0;
    let last = Date.now();
    const ask = () => {
      setAsking(true);
      timer = window.setTimeout(() => gone.current(), CLOSES_AFTER_MS);
    };
    const here = () => {
      window.clearTimeout(timer);
      // A device that slept counted nothing: whoever touches it first is not whoever left it.
      if (Date.now() - last >= ASKS_AFTER_MS + CLOSES_AFTER_MS) {
        gone.current();
        return;
      }
      last = Date.now();
      setAsking(false);
      timer = window.setTimeout(ask, ASKS_AFTER_MS);
    };
    here();
    for (const sign of SIGNS) addEventListener(sign, here, { passive: true });
    return () => {
      window.clearTimeout(timer);
      for (const sign of SIGNS) removeEventListener(sign, here);
    };
  }, [isOn]);
  return { isAsking: isOn && isAsking };
}
