import { keepError } from '../shared/errors/recent-errors.ts';
import { reportUncaught } from '../shared/errors/report-error.ts';
import { keepInstallOffer } from './pwa/install-prompt.ts';
import { offerUpdates } from './pwa/offer-updates.ts';

/** Browsers tell of this one as an error; it only means that a size was measured a frame later. */
const HARMLESS = /^ResizeObserver loop/;

/**
 * What the page listens to from its first moment and answers a little later, so that it costs the first paint nothing:
 * errors nobody caught, and the browser's offer to install.
 */
export function hear(event: Event): void {
  if (event instanceof ErrorEvent) {
    if (!HARMLESS.test(event.message)) reportUncaught(event.error ?? new Error(event.message));
  } else if (event.type === 'unhandledrejection') reportUncaught(Object(event)['reason'] as unknown);
  else keepInstallOffer(event);
}

/** Keeps what a boundary caught: the boundary speaks to the person. */
export const keepCaught = (error: unknown) => keepError(error, null, new Date());

/** The worker that keeps the app for offline use. */
export const keepOffline = (): Promise<void> => offerUpdates();
