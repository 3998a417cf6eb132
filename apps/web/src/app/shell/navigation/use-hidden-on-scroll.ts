import { useEffect, useState } from 'react';
import { deviceOf } from '@cairn/ui/tokens/breakpoints.ts';

/** px; a thumb that rests moves less. */
const SLACK = 8;
/** ms without scrolling after which a scroll counts as over (R9.23). */
export const SCROLL_IDLE_MS = 150;

/**
 * True after scrolling down on a phone; false again after scrolling up, and at the ends of the page (R2.19). A movement
 * is measured from where the last one came to rest.
 */
export function useHiddenOnScroll(): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    let last = scrollY;
    let idle: ReturnType<typeof setTimeout> | undefined;
    const settle = () => {
      last = scrollY;
      if (isAtEnd()) setHidden(false);
    };
    const onScroll = () => {
      clearTimeout(idle);
      idle = setTimeout(settle, SCROLL_IDLE_MS);
      const moved = scrollY - last;
      if (Math.abs(moved) < SLACK) return;
      last = scrollY;
      setHidden(moved > 0 && !isAtEnd() && deviceOf(innerWidth) === 'mobile');
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => {
      clearTimeout(idle);
      removeEventListener('scroll', onScroll);
    };
  }, []);
  return hidden;
}

const isAtEnd = (): boolean =>
  scrollY <= SLACK || scrollY + innerHeight >= document.documentElement.scrollHeight - SLACK;
