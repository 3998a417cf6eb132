import { lazy, Suspense, useEffect, useRef, useState, type ReactNode } from 'react';
import { useNavigate } from '@tanstack/react-router';
import { usedFeature } from '../../shared/analytics/used-feature.ts';
import { useIdle } from '../../shared/page/use-idle.ts';
import type { Side } from '../shell/navigation/use-side.ts';
import { useCommandList } from './use-command-list.ts';
import { TypeAheadBuffer } from './typed-ahead.ts';
import { type EarlyKeys, useShortcuts } from './use-shortcuts.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const KeysSheet = lazy(async () => ({ default: (await import('./keys-sheet.tsx')).KeysSheet }));

export type Commands = {
  openPalette: () => void;
  /** The search page: what a phone has for the palette. */
  openSearch: () => void;
  /** What hears the keys, with the palette and the list of keys while they are open. */
  dialogs: ReactNode;
};

type OpenPanel = 'palette' | 'keys' | null;

type HostProps = {
  side: Side;
  early: EarlyKeys;
  ahead: TypeAheadBuffer;
  open: OpenPanel;
  setOpen: (open: OpenPanel) => void;
};

/** Keys pressed before there is somebody who knows what they mean: kept for whoever comes. */
function useEarlyKeys(isWanted: boolean): EarlyKeys {
  const early = useRef<KeyboardEvent[]>([]);
  useEffect(() => {
    if (!isWanted) return undefined;
    const keep = (event: KeyboardEvent) => void early.current.push(event);
    addEventListener('keydown', keep);
    return () => removeEventListener('keydown', keep);
  }, [isWanted]);
  return early;
}

/** Working out everything that can be done is a good part of a frame, so it is no part of drawing the frame. */
function CommandHost({ side, early, ahead, open, setOpen }: HostProps) {
  const commands = useCommandList(side, () => setOpen('keys'));
  useShortcuts(commands, { openPalette: () => setOpen('palette'), early, ahead });
  const close = () => setOpen(null);
  if (open === null) return null;
  return (
    <Suspense fallback={null}>
      {open === 'palette' ? (
        <Palette commands={commands} ahead={ahead} onClose={close} />
      ) : (
        <KeysSheet commands={commands} onClose={close} />
      )}
    </Suspense>
  );
}

/** What can be done from every screen: palette, keys, search. */
export function useCommands(side: Side): Commands {
  const navigate = useNavigate();
  const [open, setShown] = useState<OpenPanel>(null);
  const [ahead] = useState(() => new TypeAheadBuffer());
  const setOpen = (next: OpenPanel) => {
    if (next === 'palette') {
      ahead.begin();
      if (open !== 'palette') usedFeature('command_palette');
    } else ahead.end();
    setShown(next);
  };
  const isDrawn = useIdle(0);
  const isHeard = isDrawn || open !== null;
  const early = useEarlyKeys(!isHeard);
  return {
    openPalette: () => setOpen('palette'),
    openSearch: () => void navigate({ to: '/search' }),
    dialogs: isHeard && <CommandHost side={side} early={early} ahead={ahead} open={open} setOpen={setOpen} />,
  };
}
