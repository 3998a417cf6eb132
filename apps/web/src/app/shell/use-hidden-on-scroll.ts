import { useEffect, useState } from 'react';

/** px; a thumb that rests moves less. */
const SLACK = 8;
const PHONE = '(max-width: 767px)';

/** True after scrolling down on a phone; false again after scrolling up, and at the ends of the page (R2.19). */
export function useHiddenOnScroll(): boolean {
  const [hidden, setHidden] = useState(false);
  useEffect(() => {
    let last = scrollY;
    const onScroll = () => {
      const moved = scrollY - last;
      if (Math.abs(moved) < SLACK) return;
      last = scrollY;
      const atEnd = scrollY <= SLACK || scrollY + innerHeight >= document.documentElement.scrollHeight - SLACK;
      setHidden(moved > 0 && !atEnd && matchMedia(PHONE).matches);
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  return hidden;
}
