/** What is told to nobody yet waits here for whoever follows. */
export type EventBuffer<Each> = {
  /** Calls back with what waits, in its order, and with each from then on; returns what stops it. */
  follow(listener: (each: Each) => void): () => void;
  stop(): void;
};

/** More than happens while the device reads one choice; a line that nobody ever follows does not grow. */
const KEPT = 20;

/** @param listen calls back with each; returns what stops it */
export function heldBack<Each>(listen: (listener: (each: Each) => void) => () => void): EventBuffer<Each> {
  let waiting: Each[] = [];
  let tell: ((each: Each) => void) | null = null;
  const stop = listen(each => {
    if (tell) tell(each);
    else waiting = [...waiting, each].slice(-KEPT);
  });
  return {
    follow(listener) {
      const before = waiting;
      waiting = [];
      tell = listener;
      before.forEach(listener);
      return () => (tell = null);
    },
    stop,
  };
}
