import { useEffect, useEffectEvent } from 'react';

/** What browsers on phones tell the back gesture to; not in every browser, and not in the types yet. */
type CloseWatcher = EventTarget & { destroy(): void };
declare const CloseWatcher: (new () => CloseWatcher) | undefined;

/** Lets the phone's back gesture close what stands over the screen instead of leaving the screen. */
export function BackCloses({ onClose }: { onClose: () => void }) {
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (typeof CloseWatcher === 'undefined') return undefined;
    const watcher = new CloseWatcher();
    const told = () => close();
    watcher.addEventListener('close', told);
    return () => {
      watcher.removeEventListener('close', told);
      watcher.destroy();
    };
  }, []);
  return null;
}
