/** Browsers tell of this one as an error; it only means that a size was measured a frame later. */
const HARMLESS = /^ResizeObserver loop/;

/**
 * Shows and keeps every error that nothing caught. What the message needs is loaded with the first one, so that it costs
 * the first paint nothing.
 */
export function watchErrors(): void {
  addEventListener('error', event => {
    if (!HARMLESS.test(event.message)) report(event.error ?? new Error(event.message));
  });
  addEventListener('unhandledrejection', event => report(event.reason));
}

/** Told of what a boundary caught: the boundary speaks to the person, here it is only kept. */
export function keepCaught(error: unknown): void {
  import('./recent-errors.ts').then(
    ({ keepError }) => keepError(error, null, new Date()),
    () => undefined,
  );
}

function report(error: unknown): void {
  import('./report-error.ts').then(
    ({ reportUncaught }) => reportUncaught(error),
    // Without a network the message itself may not be on this device yet; the browser's console has the error.
    () => undefined,
  );
}
