import type { Session } from './session.ts';

/** Calls back again and again, `ms` after the last time. @returns what ends it */
export function every({ platform }: Session, ms: number, callback: () => void): () => void {
  let cancel = () => {};
  const arm = () => {
    cancel = platform.clock.after(ms, () => {
      arm();
      callback();
    });
  };
  arm();
  return () => cancel();
}
