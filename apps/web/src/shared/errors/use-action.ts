import { useCallback, useState } from 'react';
import { Failure } from '@cairn/base/failure.ts';

type Progress = { status: 'idle' } | { status: 'busy' } | { status: 'failed'; error: unknown };

/** Runs a write. A Failure comes back to be shown; any other error goes to the route's boundary. */
export function useAction<Args extends unknown[]>(action: (...args: Args) => Promise<unknown>) {
  const [progress, setProgress] = useState<Progress>({ status: 'idle' });
  const error = progress.status === 'failed' ? progress.error : null;
  if (progress.status === 'failed' && !(error instanceof Failure)) throw error;

  const run = useCallback(
    (...args: Args): void => {
      setProgress({ status: 'busy' });
      action(...args).then(
        () => setProgress({ status: 'idle' }),
        (error: unknown) => setProgress({ status: 'failed', error }),
      );
    },
    [action],
  );
  return { run, busy: progress.status === 'busy', failure: error instanceof Failure ? error : null };
}
