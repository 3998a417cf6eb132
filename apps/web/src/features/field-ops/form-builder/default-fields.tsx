import { useTranslation } from 'react-i18next';
import { Input } from '@cairn/ui/controls/field.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { SpanInput } from '../answers/span-input.tsx';
import type { QuestionParts } from './question-parts.ts';

type Props = Pick<QuestionParts, 'question' | 'set'>;

function useDefaultWords() {
  const { t } = useTranslation('builder');
  return { label: t('question.default'), hint: t('question.defaultHint') };
}

export function SpanDefault({ question: { default: given }, set }: Props) {
  const { t } = useTranslation('builder');
  return (
    <SpanInput
      {...useDefaultWords()}
      value={typeof given === 'number' ? given : null}
      wrong={t('timer.wrong')}
      onChange={value => typeof value !== 'string' && set({ default: value ?? undefined })}
    />
  );
}

export function NumberDefault({ question: { default: given }, set }: Props) {
  const { t, i18n } = useTranslation('builder');
  return (
    <NumberInput
      {...useDefaultWords()}
      value={typeof given === 'number' ? given : null}
      locale={i18n.resolvedLanguage ?? 'en'}
      notANumber={t('number')}
      onChange={value => set({ default: value ?? undefined })}
    />
  );
}

export function TextDefault({ question: { default: given }, set }: Props) {
  return (
    <Input
      {...useDefaultWords()}
      value={typeof given === 'string' ? given : ''}
      onChange={({ target }) => set({ default: target.value === '' ? undefined : target.value })}
    />
  );
}
