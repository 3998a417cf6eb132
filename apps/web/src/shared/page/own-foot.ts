import { useLayoutEffect, useSyncExternalStore } from 'react';

const feet = new Set<object>();
const heard = new Set<() => void>();
const tell = (): void => {
  for (const hear of heard) hear();
};
const subscribe = (hear: () => void): (() => void) => {
  heard.add(hear);
  return () => heard.delete(hear);
};

/** While this stands, a foot of the screen's own takes the place of the bottom navigation on a phone (R2.17). */
export function useOwnFoot(): void {
  useLayoutEffect(() => {
    const foot = {};
    feet.add(foot);
    tell();
    return () => {
      feet.delete(foot);
      tell();
    };
  }, []);
}

/** Whether a screen has a foot of its own now. */
export const useHasOwnFoot = (): boolean => useSyncExternalStore(subscribe, () => feet.size > 0);
