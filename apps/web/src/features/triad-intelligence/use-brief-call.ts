import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { failureText } from '../../shared/failure-text.ts';
import { ServerRefusal, type ServerCalls } from '../../shared/server-calls.ts';
import { useSignedIn } from '../../shared/session.ts';
import { useServerAct } from '../../shared/use-server-act.ts';

/** Decides something about a brief on the server; what it changed comes to this device at once. */
export function useBriefCall<Args extends unknown[], A>(act: (calls: ServerCalls, ...args: Args) => Promise<A>) {
  const { t } = useTranslation('triad');
  const { t: tFailure } = useTranslation('failure');
  const { engine } = useSignedIn();
  const say = useCallback(
    (error: unknown) => {
      if (error instanceof Failure) return tFailure(failureText[error.code]);
      if (!(error instanceof ServerRefusal)) throw error;
      return t(error.code === '42501' ? 'refused.changed' : 'refused.other');
    },
    [t, tFailure],
  );
  const { run, ...rest } = useServerAct(act, say);
  const runAndSync = useCallback(
    async (...args: Args) => {
      const done = await run(...args);
      // Refused because something changed: that is fetched too.
      engine.syncNow();
      return done;
    },
    [engine, run],
  );
  return { run: runAndSync, ...rest };
}
