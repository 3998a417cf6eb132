import { useTranslation } from 'react-i18next';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import type { QuestionParts } from './question-parts.ts';

const EMPTY = { start: 0, end: 10, step: 1 };

/** From where to where a scale goes, and in which steps. A scale that is none is said and not kept. */
export function RangeFields({ question, set }: QuestionParts) {
  const { t, i18n } = useTranslation('builder');
  const range = question.range ?? EMPTY;
  const change = (part: keyof typeof EMPTY) => (value: number | null) => {
    if (value === null) return;
    const next = { ...range, [part]: value };
    if (next.start < next.end && next.step > 0) set({ range: next });
  };
  const common = { locale: i18n.resolvedLanguage ?? 'en', notANumber: t('number') };
  return (
    <>
      <div className="builder-row">
        <NumberInput label={t('range.start')} value={range.start} onChange={change('start')} {...common} />
        <NumberInput label={t('range.end')} value={range.end} onChange={change('end')} {...common} />
        <NumberInput label={t('range.step')} value={range.step} onChange={change('step')} {...common} />
      </div>
      {question.range === undefined && <Banner tone="warn" title={t('problem.no_range')} />}
      <p className="hint">{t('range.hint')}</p>
    </>
  );
}
