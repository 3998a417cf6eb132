import type { TFunction } from 'i18next';
import { inLanguage } from '@cairn/core/field-ops/form-definition.ts';
import type { QuestionState } from '@cairn/core/field-ops/form-state.ts';
import { formatNumber } from '../../shared/format.ts';

/** An answer as a person reads it; photos and signatures are shown, not told. */
export function answerWords({ question, item, value, mediaIds }: QuestionState, language: string, t: TFunction<'field'>) {
  if (question.type === 'photo') return mediaIds.length === 0 ? t('report.unanswered') : '';
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return t('report.unanswered');
  if (question.type === 'pass_fail' && (value === 'pass' || value === 'fail' || value === 'na')) {
    return t(`answer.${value}`);
  }
  const named = (name: unknown): string => {
    const choice = item.choices.find(each => each.name === name);
    return (choice && inLanguage(choice.label, language)) || String(name);
  };
  if (Array.isArray(value)) return value.map(named).join(', ');
  if (typeof value === 'number') return formatNumber(value, 6);
  return typeof value === 'string' ? named(value) : '';
}
