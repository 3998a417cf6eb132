import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { Failure } from '@cairn/base/failure.ts';
import { failureText } from './failure-text.ts';
import { ServerRefusal } from '../server/server-calls.ts';

/**
 * What a person reads when a call did not do what they asked. A bug of ours is no sentence: it is thrown on.
 *
 * @param words the area's own sentence for what the server refused; to stay the same from one drawing to the next
 */
export function useProblemText(words: (refusal: ServerRefusal) => string): (error: unknown) => string {
  const { t } = useTranslation('failure');
  return useCallback(
    (error: unknown) => {
      if (error instanceof Failure) return t(failureText[error.code]);
      if (!(error instanceof ServerRefusal)) throw error;
      return words(error);
    },
    [t, words],
  );
}
