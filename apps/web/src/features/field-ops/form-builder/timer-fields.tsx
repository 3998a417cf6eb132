import { useTranslation } from 'react-i18next';
import type { QuestionParts } from './question-parts.ts';
import { SpanInput } from '../answers/span-input.tsx';

/** How long a stopwatch counts down from, if it does. */
export function TimerFields({ question, set }: Pick<QuestionParts, 'question' | 'set'>) {
  const { t } = useTranslation('builder');
  const change = (value: number | string | null) => {
    if (value === null) set({ target_seconds: undefined });
    else if (typeof value === 'number' && value > 0) set({ target_seconds: value });
  };
  return (
    <SpanInput
      label={t('timer.target')}
      hint={t('timer.targetHint')}
      value={question.target_seconds ?? null}
      wrong={t('timer.wrong')}
      onChange={change}
    />
  );
}
