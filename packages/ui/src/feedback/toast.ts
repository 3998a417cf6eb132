/** What a toast says, and how to take it back. */
export type ToastMessage = {
  title: string;
  description?: string;
  tone?: 'plain' | 'bad';
  /** A button in the toast: usually Undo. */
  action?: { label: string; onPress: () => void };
  /** Stays until answered, e.g. an offered update. */
  sticky?: boolean;
  /** It stands on the screen as well: it goes sooner, and what lies under it can be pressed. */
  passing?: boolean;
  /** Called once it is off the screen, however that came. */
  onGone?: () => void;
  /** Takes the place of one that is still shown under the same id. */
  id?: string;
};

/** The way from `toast()` to the mounted Toaster; a window event would reach other copies of the app too. */
export const toasts = new EventTarget();

export class ToastEvent extends Event {
  readonly message: ToastMessage;

  constructor(message: ToastMessage) {
    super('toast');
    this.message = message;
  }
}

/** Shows a short message at the lower edge. The Toaster must be mounted. */
export function toast(message: ToastMessage): void {
  toasts.dispatchEvent(new ToastEvent(message));
}
