import { useEffect, useState } from 'react';

/** Whether an element is on the screen or about to be: within one and a half screens. */
export function useNear(): [onElement: (element: HTMLElement | null) => void, isNear: boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [isNear, setNear] = useState(typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    if (!element || typeof IntersectionObserver === 'undefined') return undefined;
    const near = new IntersectionObserver(entries => setNear(entries.some(each => each.isIntersecting)), {
      rootMargin: '150% 0px',
    });
    near.observe(element);
    return () => near.disconnect();
  }, [element]);
  return [setElement, isNear];
}
