import type { Session } from '../store/session.ts';

/** The first nudge is followed at once; those of the next ms (a colleague's device sending a day's work) as one. */
const NUDGE_WINDOW_MS = 100;

/** Follows the person's scopes; when they change the subscription does too. */
export function openNudges({ backend, platform: { clock } }: Session, onNudge: () => void) {
  let followed = '';
  let stop = () => {};
  let wake = () => {};
  let wokeAt = Number.NEGATIVE_INFINITY;
  let cancel: (() => void) | null = null;
  const wakeNow = () => {
    cancel = null;
    wokeAt = clock.now();
    wake();
  };
  return {
    follow(scopes: string[]) {
      const wanted = scopes.toSorted().join(' ');
      if (wanted === followed) return;
      followed = wanted;
      stop();
      stop = backend.onNudge(scopes, () => {
        onNudge();
        if (cancel) return;
        const wait = wokeAt + NUDGE_WINDOW_MS - clock.now();
        if (wait <= 0) wakeNow();
        else cancel = clock.after(wait, wakeNow);
      });
    },
    unsubscribe() {
      stop();
      stop = () => {};
      followed = '';
    },
    listen(listener: () => void) {
      wake = listener;
      return () => {
        wake = () => {};
        cancel?.();
        stop();
      };
    },
  };
}
