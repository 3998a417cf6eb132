import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServerCalls, ServerRefusal } from '../../shared/server/server-calls.ts';
import { useProblemText } from '../../shared/errors/use-problem-text.ts';
import { useServerAct } from '../../shared/server/use-server-act.ts';

/** Does something on the server; what goes wrong comes back as a sentence. */
export function useCircleCall<Args extends unknown[], A>(act: (calls: ServerCalls, ...args: Args) => Promise<A>) {
  const { t } = useTranslation('circle');
  const words = useCallback(({ code }: ServerRefusal) => t(code === '42501' ? 'refused.link' : 'refused.other'), [t]);
  return useServerAct(act, useProblemText(words));
}
