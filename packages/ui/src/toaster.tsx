import { useCallback, useEffect, useState } from 'react';
import { ToastEvent, toasts, type ToastMessage } from './toast.ts';
import './toast.css';

type Surface = typeof import('./toast-surface.tsx').ToastSurface;

type Props = {
  /** Name of the region for screen readers. */
  label: string;
  closeLabel: string;
};

/**
 * Mount once. What draws the toasts is loaded with the first of them; where it cannot be (no network on a first visit) the
 * messages wait for the next one, or for the network.
 */
export function Toaster({ label, closeLabel }: Props) {
  const [waiting, setWaiting] = useState<ToastMessage[]>([]);
  const [Surface, setSurface] = useState<Surface | null>(null);

  useEffect(() => {
    const hear = (event: Event) => {
      if (event instanceof ToastEvent) setWaiting(messages => [...messages, event.message]);
    };
    toasts.addEventListener('toast', hear);
    return () => toasts.removeEventListener('toast', hear);
  }, []);

  useEffect(() => {
    if (Surface || waiting.length === 0) return undefined;
    const load = () =>
      void import('./toast-surface.tsx').then(
        loaded => setSurface(() => loaded.ToastSurface),
        () => undefined,
      );
    load();
    addEventListener('online', load);
    return () => removeEventListener('online', load);
  }, [Surface, waiting]);

  const onShown = useCallback((shown: readonly ToastMessage[]) => {
    setWaiting(messages => messages.filter(message => !shown.includes(message)));
  }, []);

  return Surface && <Surface label={label} closeLabel={closeLabel} waiting={waiting} onShown={onShown} />;
}
