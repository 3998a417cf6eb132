import { useEffect, useState } from 'react';
import { ToastEvent, toasts, type ToastMessage } from './toast.ts';
import './toast.css';

type Surface = typeof import('./toast-surface.tsx').ToastSurface;

type Props = {
  /** Name of the region for screen readers. */
  label: string;
  closeLabel: string;
};

/**
 * Mount once. What draws the toasts is loaded with the first of them; where it cannot be (no network on a first visit) they
 * wait for the next one.
 */
export function Toaster({ label, closeLabel }: Props) {
  const [waiting, setWaiting] = useState<readonly ToastMessage[]>([]);
  const [Surface, setSurface] = useState<Surface | null>(null);

  useEffect(() => {
    const hear = (event: Event) => {
      if (event instanceof ToastEvent) setWaiting(messages => [...messages, event.message]);
    };
    toasts.addEventListener('toast', hear);
    return () => toasts.removeEventListener('toast', hear);
  }, []);

  useEffect(() => {
    if (Surface || waiting.length === 0) return;
    import('./toast-surface.tsx').then(
      loaded => setSurface(() => loaded.ToastSurface),
      () => undefined,
    );
  }, [Surface, waiting]);

  return Surface && <Surface label={label} closeLabel={closeLabel} waiting={waiting} setWaiting={setWaiting} />;
}
