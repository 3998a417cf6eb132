import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Ids of the headings a page's focus goes to when what it stood on is gone. */
export const HEADINGS = { page: 'sync-page', needs: 'sync-needs', outbox: 'sync-outbox' } as const;

/**
 * Whoever stood in a row that goes stands at its heading then, not at the beginning of the document.
 *
 * @param heading id of a heading with `tabIndex={-1}`; where it goes too, the page's own takes its place
 * @returns for the row's element
 */
export function useFocusAfter<E extends HTMLElement>(heading: string): RefObject<E | null> {
  const element = useRef<E>(null);
  useLayoutEffect(() => {
    const row = element.current;
    return () => {
      if (!row?.contains(document.activeElement)) return;
      // Not before the row, and perhaps the heading with it, is gone.
      queueMicrotask(() => {
        const next = document.getElementById(heading) ?? document.getElementById(HEADINGS.page);
        next?.focus({ preventScroll: true });
      });
    };
  }, [heading]);
  return element;
}
