import { useEffect, useState } from 'react';

/**
 * A sheet's state that an address can open: `atOnce` opens it, `onOpened` then takes the wish off the address, so that
 * closing the sheet, or coming back, does not open it again.
 */
export function useOpenedAtOnce(atOnce: boolean, onOpened: () => void): [boolean, (isOpen: boolean) => void] {
  const [isOpen, setOpen] = useState(atOnce);
  const [wasAsked, setAsked] = useState(atOnce);
  if (atOnce !== wasAsked) {
    setAsked(atOnce);
    if (atOnce) setOpen(true);
  }
  useEffect(() => {
    if (atOnce) onOpened();
  }, [atOnce]);
  return [isOpen, setOpen];
}
