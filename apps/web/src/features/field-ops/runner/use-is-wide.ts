import { useSyncExternalStore } from 'react';
import { from } from '@cairn/ui/tokens/breakpoints.ts';

const WIDE = from('lg');

/** Where nothing can be asked, as in tests, there is room. */
const isWide = (): boolean => (typeof matchMedia === 'function' ? matchMedia(WIDE).matches : true);

function subscribe(listener: () => void): () => void {
  if (typeof matchMedia !== 'function') return () => {};
  const media = matchMedia(WIDE);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

/** Whether there is room for a list beside what is worked on; what has none is not drawn at all. */
export const useIsWide = (): boolean => useSyncExternalStore(subscribe, isWide);
