import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import type { Side } from '../shell/use-side.ts';
import { useCommandList } from './use-command-list.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeysSheet = lazy(async () => ({ default: (await import('./keys-sheet.tsx')).KeysSheet }));

export type Commands = {
  openPalette: () => void;
  /** The search page: what a phone has for the palette. */
  openSearch: () => void;
  /** The palette and the list of keys while they are open. */
  dialogs: ReactNode;
};

/** What can be done from every screen: palette, keys, search. */
export function useCommands(side: Side): Commands {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const commands = useCommandList(side, () => setOpen('keys'));
  const openPalette = () => setOpen('palette');
  useShortcuts(commands, openPalette);
  const close = () => setOpen(null);
  return {
    openPalette,
    openSearch: () => void navigate({ to: '/search' }),
    dialogs: open !== null && (
      <Suspense fallback={null}>
        {open === 'palette' ? (
          <Palette commands={commands} onClose={close} />
        ) : (
          <KeysSheet commands={commands} onClose={close} />
        )}
      </Suspense>
    ),
  };
}
