import { useRef } from 'react';

/**
 * Gives the focus back to where it was before a dialog opened. Radix does so only for dialogs with a trigger of their own;
 * ours are opened by whoever shows them. Spread it over the dialog's content.
 */
export function useReturnFocus(): { onOpenAutoFocus: () => void; onCloseAutoFocus: (event: Event) => void } {
  const before = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: () => {
      before.current = document.activeElement;
    },
    onCloseAutoFocus: event => {
      event.preventDefault();
      // Whatever the dialog did may have taken that element away, or moved on to something else on purpose.
      const isFree = document.activeElement === null || document.activeElement === document.body;
      if (isFree && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
    },
  };
}
