import { Suspense, lazy, useCallback, useEffect, useState } from 'react';
import { ToastEvent, toasts, type ToastMessage } from './toast.ts';

const ToastSurface = lazy(async () => ({ default: (await import('./toast-surface.tsx')).ToastSurface }));

type Props = {
  /** Name of the region for screen readers. */
  label: string;
  closeLabel: string;
};

/** Mount once. What draws the toasts is loaded with the first of them. */
export function Toaster({ label, closeLabel }: Props) {
  const [waiting, setWaiting] = useState<ToastMessage[]>([]);
  const [used, setUsed] = useState(false);

  useEffect(() => {
    const hear = (event: Event) => {
      if (!(event instanceof ToastEvent)) return;
      setUsed(true);
      setWaiting(messages => [...messages, event.message]);
    };
    toasts.addEventListener('toast', hear);
    return () => toasts.removeEventListener('toast', hear);
  }, []);

  const onShown = useCallback((shown: readonly ToastMessage[]) => {
    setWaiting(messages => messages.filter(message => !shown.includes(message)));
  }, []);

  if (!used) return null;
  return (
    <Suspense fallback={null}>
      <ToastSurface label={label} closeLabel={closeLabel} waiting={waiting} onShown={onShown} />
    </Suspense>
  );
}
