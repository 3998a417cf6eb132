import { useEffect, useRef } from 'react';

/** What each key does; keys are `event.key`. */
export type Keys = Record<string, () => void>;

/** Single keys act while nobody is typing and no dialog is open. */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = latest.current[event.key];
      if (!act || isTaken(event)) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  // Arrows move inside a radio group; figures there are free.
  if (target instanceof HTMLInputElement && target.type === 'radio') return key.startsWith('Arrow');
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
