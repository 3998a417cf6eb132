import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerCalls, ServerRefusal } from '../../shared/server/server-calls.ts';
import { useSignedIn } from '../../shared/session/session.ts';
import { useProblemText } from '../../shared/errors/use-problem-text.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';

/** Decides something about a brief on the server; what it changed comes to this device at once. */
export function useBriefCall<Args extends unknown[], A>(act: (calls: ServerCalls, ...args: Args) => Promise<A>) {
  const { t } = useTranslation('triad');
  const { engine } = useSignedIn();
  const words = useCallback(
    ({ code }: ServerRefusal) => t(code === '42501' ? 'refused.changed' : 'refused.other'),
    [t],
  );
  const { run, ...rest } = useServerAct(act, useProblemText(words));
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
