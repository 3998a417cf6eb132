import { useEffect, useState, useSyncExternalStore } from 'react';
import { useSignedIn } from '../../../shared/session/session.ts';
import { RecorderController, type RecorderParts } from './recorder-controller.ts';

/** ms between two looks at the clock. */
const TICK_MS = 250;

/** A recorder of one question; give the screen around it the question's path as key. */
export function useSoundRecorder(parts: Omit<RecorderParts, 'unfinished'>) {
  const { unfinished } = useSignedIn().engine;
  const [controller] = useState(() => new RecorderController({ ...parts, unfinished }));
  const state = useSyncExternalStore(controller.subscribe, controller.snapshot);
  const [ms, setMs] = useState(0);
  const [bug, setBug] = useState<{ error: unknown } | null>(null);
  if (bug) throw bug.error;

  useEffect(() => {
    if (state !== 'recording') return undefined;
    const timer = setInterval(() => setMs(controller.ms), TICK_MS);
    return () => clearInterval(timer);
  }, [controller, state]);

  const told = (work: Promise<void>) => void work.catch((error: unknown) => setBug({ error }));
  return {
    state,
    ms,
    start() {
      setMs(0);
      told(controller.start());
    },
    pause: () => controller.pause(),
    goOn: () => controller.goOn(),
    stop: () => told(controller.stop()),
  };
}
