import { useTranslation } from 'react-i18next';
import { isPassed, type QuizResult } from '@cairn/core/policies/quiz.ts';

/** "Quiz passed · 3 of 3 right · 2 attempts"; null where none was answered. */
export function useQuizText(): (result: QuizResult | null) => string | null {
  const { t } = useTranslation('quiz');
  return result => {
    if (result === null) return null;
    const { right, of, attempts } = result;
    const outcome = t(isPassed(result) ? 'passed' : 'notPassed');
    return [outcome, t('counted', { right, of }), t('attempts', { count: attempts })].join(' · ');
  };
}
