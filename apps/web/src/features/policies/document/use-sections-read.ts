import { useEffect, useState } from 'react';

export type ReadingProgress = {
  read: ReadonlySet<string>;
  /** The section whose beginning was passed last. */
  current: string | null;
  /** Goes on the element around the sections; each section carries its id and ends with `[data-section-end]`. */
  onFrame: (frame: HTMLDivElement | null) => void;
};

/** Which sections were on the screen to their end: what an acknowledgement says was read. */
export function useSectionsRead(key: string): ReadingProgress {
  const [root, setRoot] = useState<HTMLDivElement | null>(null);
  const [read, setRead] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  useEffect(() => {
    // Browsers without it count nothing as read, which is the truth.
    if (!root || typeof IntersectionObserver === 'undefined') return undefined;
    const ends = new IntersectionObserver(entries => {
      const seen = entries
        .filter(each => each.isIntersecting)
        .map(each => each.target.getAttribute('data-section-end'));
      if (seen.length > 0) setRead(before => new Set([...before, ...seen.filter(id => id !== null)]));
    });
    const begins = new IntersectionObserver(
      entries => {
        const last = entries.findLast(each => each.isIntersecting);
        if (last) setCurrent(last.target.id);
      },
      { rootMargin: '0px 0px -70% 0px' },
    );
    for (const end of root.querySelectorAll('[data-section-end]')) ends.observe(end);
    for (const section of root.querySelectorAll('section[id]')) begins.observe(section);
    return () => {
      ends.disconnect();
      begins.disconnect();
    };
  }, [key, root]);
  return { read, current, onFrame: setRoot };
}
