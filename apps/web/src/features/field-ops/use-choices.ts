import { useTranslation } from 'react-i18next';
import { inLanguage } from '@cairn/core/field-ops/form-definition.ts';
import { offeredChoices } from '@cairn/core/field-ops/form-values.ts';
import type { AnswerProps } from './answer-props.ts';

/** What a question offers now, for the controls that choose. */
export function useChoices({ question, values, language }: Pick<AnswerProps, 'question' | 'values' | 'language'>) {
  const { t } = useTranslation('field');
  return offeredChoices(question.item, question.place, values).map(choice => {
    const unnamed = choice.name === 'other' && question.question.or_other ? t('runner.other') : choice.name;
    return { value: choice.name, label: inLanguage(choice.label, language) || unnamed };
  });
}
