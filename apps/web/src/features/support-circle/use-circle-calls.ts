import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { failureText } from '../../shared/failure-text.ts';
import { ServerRefusal, type ServerCalls } from '../../shared/server-calls.ts';
import { useServerAct } from '../../shared/use-server-act.ts';

/** Does something on the server; what goes wrong comes back as a sentence. */
export function useCircleCall<Args extends unknown[], A>(act: (calls: ServerCalls, ...args: Args) => Promise<A>) {
  const { t } = useTranslation('circle');
  const { t: tFailure } = useTranslation('failure');
  const say = useCallback(
    (error: unknown) => {
      if (error instanceof Failure) return tFailure(failureText[error.code]);
      if (!(error instanceof ServerRefusal)) throw error;
      return t(error.code === '42501' ? 'refused.link' : 'refused.other');
    },
    [t, tFailure],
  );
  return useServerAct(act, say);
}
