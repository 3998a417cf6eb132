/** The part of a router that is listened to. */
export type PageSource = {
  state: { matches: readonly { fullPath: string }[] };
  subscribe(event: 'onResolved', listener: (change: { pathChanged: boolean }) => void): () => void;
};

export type PageTrail = {
  /** Calls back with what was opened so far, in its order, and with each page from then on; returns what stops it. */
  follow(listener: (route: string) => void): () => void;
  stop(): void;
};

/** More than anybody opens while the device reads one choice; a trail that nobody ever follows does not grow. */
const KEPT = 20;

/** Whether usage is shared is read from the device: pages opened until it is known wait here for the answer. */
export function openPageTrail(router: PageSource): PageTrail {
  let waiting: string[] = [];
  let tell: ((route: string) => void) | null = null;
  const seen = () => {
    const route = router.state.matches.at(-1)?.fullPath;
    if (!route) return;
    if (tell) tell(route);
    else waiting = [...waiting, route].slice(-KEPT);
  };
  seen();
  const stop = router.subscribe('onResolved', ({ pathChanged }) => pathChanged && seen());
  return {
    follow(listener) {
      const before = waiting;
      waiting = [];
      tell = listener;
      before.forEach(route => listener(route));
      return () => (tell = null);
    },
    stop,
  };
}
