import { useState } from 'react';
import { from } from '@cairn/ui/tokens/breakpoints.ts';
import { useChangePreferences, usePreferences } from '../../../shared/session/preferences.ts';
import { useMedia } from './use-media.ts';

export type Side = {
  /** Names beside the icons; otherwise a rail of icons. */
  isFull: boolean;
  toggle: () => void;
};

/** The sidebar's width: on a desk as the person prefers and keeps it, on a tablet a rail until it is opened. */
export function useSide(): Side {
  const isDesktop = useMedia(from('lg'));
  const { preferences } = usePreferences();
  const change = useChangePreferences();
  const [opened, setOpened] = useState(false);
  if (!isDesktop) return { isFull: opened, toggle: () => setOpened(!opened) };
  const collapsed = preferences.sidebar_collapsed;
  return { isFull: !collapsed, toggle: () => void change({ sidebar_collapsed: !collapsed }) };
}
