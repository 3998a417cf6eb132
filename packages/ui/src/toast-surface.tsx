import { useEffect } from 'react';
import { Toaster as Sonner, toast as show } from 'sonner';
import type { ToastMessage } from './toast.ts';
import './toast.css';

type Props = {
  label: string;
  closeLabel: string;
  waiting: readonly ToastMessage[];
  onShown: (messages: readonly ToastMessage[]) => void;
};

/** ms; long enough to read two lines and press Undo. */
const SHOWN_MS = 6000;

/** Draws the toasts; loaded on first use. */
export function ToastSurface({ label, closeLabel, waiting, onShown }: Props) {
  useEffect(() => {
    if (waiting.length === 0) return;
    for (const message of waiting) present(message);
    onShown(waiting);
  }, [waiting, onShown]);

  return (
    <Sonner
      position="bottom-center"
      containerAriaLabel={label}
      mobileOffset={{ bottom: 132, left: 16, right: 16 }}
      offset={{ bottom: 24 }}
      toastOptions={{ unstyled: true, closeButtonAriaLabel: closeLabel, classNames: CLASSES }}
    />
  );
}

const CLASSES = { toast: 'toast', title: 'toast-title', description: 'toast-text', actionButton: 'toast-act' };

function present({ title, description, tone, action, sticky }: ToastMessage): void {
  show(title, {
    ...(description && { description }),
    ...(action && { action: { label: action.label, onClick: action.onPress } }),
    duration: sticky ? Number.POSITIVE_INFINITY : SHOWN_MS,
    ...(tone === 'bad' && { className: 'bad' }),
  });
}
