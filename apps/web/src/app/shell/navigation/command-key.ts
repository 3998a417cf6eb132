const APPLE = /Mac|iPhone|iPad/;

/** How the key that goes with letters is written on this machine: ⌘ on Apple's, Ctrl elsewhere. */
export const commandKey = (userAgent: string = navigator.userAgent): '⌘' | 'Ctrl' =>
  APPLE.test(userAgent) ? '⌘' : 'Ctrl';
