import { useEffect } from 'react';
import { Toaster as Sonner, toast as show } from 'sonner';
import type { ToastMessage } from './toast.ts';

type Props = {
  label: string;
  closeLabel: string;
  waiting: readonly ToastMessage[];
  setWaiting: (change: (messages: readonly ToastMessage[]) => readonly ToastMessage[]) => void;
};

/** Above whatever a screen holds at its foot (`standsAtFoot`); on a phone without that, above the bar of the app. */
const ABOVE = { wide: 'calc(var(--foot, 0px) + 24px)', phone: 'calc(var(--foot, 116px) + 16px)' };

/** ms; long enough to read two lines and press Undo. */
const SHOWN_MS = 6000;
const PASSING_MS = 3000;

/** Draws the toasts; loaded on first use. */
export function ToastSurface({ label, closeLabel, waiting, setWaiting }: Props) {
  useEffect(() => {
    if (waiting.length === 0) return;
    for (const message of waiting) present(message);
    setWaiting(messages => messages.filter(message => !waiting.includes(message)));
  }, [waiting, setWaiting]);

  return (
    <Sonner
      position="bottom-center"
      containerAriaLabel={label}
      mobileOffset={{ bottom: ABOVE.phone, left: 16, right: 16 }}
      offset={{ bottom: ABOVE.wide }}
      toastOptions={{ unstyled: true, closeButton: true, closeButtonAriaLabel: closeLabel, classNames: CLASSES }}
    />
  );
}

const CLASSES = {
  toast: 'toast',
  title: 'toast-title',
  description: 'toast-text',
  actionButton: 'toast-act',
  closeButton: 'toast-close',
};

function durationOf({ sticky, passing }: ToastMessage): number {
  if (sticky) return Number.POSITIVE_INFINITY;
  return passing ? PASSING_MS : SHOWN_MS;
}

function present(message: ToastMessage): void {
  const { title, description, tone, action, passing, onGone, id } = message;
  show(title, {
    ...(id !== undefined && { id }),
    ...(description && { description }),
    ...(action && { action: { label: action.label, onClick: action.onPress } }),
    ...(onGone && { onDismiss: onGone, onAutoClose: onGone }),
    duration: durationOf(message),
    className: [tone === 'bad' && 'bad', passing && 'passing'].filter(Boolean).join(' '),
  });
}
