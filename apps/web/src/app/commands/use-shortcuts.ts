import { useEffect, useEffectEvent, useRef } from 'react';
import type { Command } from './command.ts';
import { nothingPressed, pressKey } from './key-sequence.ts';
import type { TypeAheadBuffer } from './typed-ahead.ts';

type BoundCommand = Command & { keys: readonly string[] };

/** Keys that were pressed before. */
export type EarlyKeys = { readonly current: KeyboardEvent[] };

type ShortcutTargets = {
  openPalette: () => void;
  early: EarlyKeys;
  /** Hears what is meant for a palette that is still on its way. */
  ahead: TypeAheadBuffer;
};

const hasKeys = (command: Command): command is BoundCommand => command.keys !== undefined;

/**
 * Runs commands by their keys. Never while somebody types or a dialog is open; Ctrl or ⌘ with K opens the palette even
 * from a field. Those of `early` come first.
 */
export function useShortcuts(commands: readonly Command[], { openPalette, early, ahead }: ShortcutTargets): void {
  const pressed = useRef(nothingPressed);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (ahead.takes(event)) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event)) return;
    const bound = commands.filter(hasKeys);
    const { pressed: next, done } = pressKey(pressed.current, { key: event.key, at: event.timeStamp }, bound);
    pressed.current = next;
    if (!done) return;
    event.preventDefault();
    done.run();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    for (const event of early.current.splice(0)) press(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, [early]);
}

const isPaletteKey = (event: KeyboardEvent): boolean =>
  (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === 'k';

/** Somebody types, or answers a dialog or a menu. */
function isBusy({ target, isComposing }: KeyboardEvent): boolean {
  if (isComposing || document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]')) return true;
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}
