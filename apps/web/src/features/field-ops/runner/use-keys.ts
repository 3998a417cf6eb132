import { useEffect, useEffectEvent } from 'react';

/** What each key does; keys are `event.key`. */
export type Keys = Record<string, () => void>;

/** Single keys act while nobody is typing and no dialog is open. */
export function useKeys(keys: Keys): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    // A key that is held down is one press: it must not answer question after question.
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    if (!act || isTaken(event)) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (document.querySelector('[role="dialog"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  // Arrows move inside a radio group; figures there are free.
  if (target instanceof HTMLInputElement && target.type === 'radio') return key.startsWith('Arrow');
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
