import { useTranslation } from 'react-i18next';
import type { AnswerTexts } from '../../shared/server/server-answer.tsx';

/** What is said while the server is asked, and where it does not answer. */
export function useAnswerTexts(): AnswerTexts {
  const { t } = useTranslation('workflows');
  const told = [
    'loading',
    'offline',
    'offlineText',
    'failed',
    'failedText',
    'again',
    'notAllowed',
    'notAllowedText',
  ] as const;
  return Object.fromEntries(told.map(each => [each, t(`answer.${each}`)])) as AnswerTexts;
}
