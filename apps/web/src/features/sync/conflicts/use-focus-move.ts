import { useEffect, useRef, type RefObject } from 'react';

/** The control a value is written in, within its question. */
export const WRITTEN_IN = ':is(select, textarea, input:not([type=radio]))';

/**
 * For a press that takes its own button off the screen: without it the focus would go back to the beginning of the document.
 *
 * @returns for the element in which it stands, and what names where the focus goes once that is drawn
 */
export function useFocusMove<E extends HTMLElement>(): {
  place: RefObject<E | null>;
  moveTo: (selector: string) => void;
} {
  const place = useRef<E>(null);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (wanted.current === null) return;
    place.current?.querySelector<HTMLElement>(wanted.current)?.focus();
    wanted.current = null;
  });
  return { place, moveTo: selector => void (wanted.current = selector) };
}
