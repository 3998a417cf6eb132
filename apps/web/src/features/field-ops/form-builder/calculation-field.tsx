import { useTranslation } from 'react-i18next';
import { ExpressionField } from './expression-field.tsx';
import { namesFor, type QuestionParts } from './question-parts.ts';

/** What the form works out. */
export function CalculationField({ outline, question, set, problemAt }: QuestionParts) {
  const { t } = useTranslation('builder');
  return (
    <ExpressionField
      label={t('question.calculation')}
      hint={t('question.calculationHint')}
      value={question.calculation}
      onChange={calculation => set({ calculation })}
      names={namesFor(outline, question.name)}
      problem={problemAt('calculation')}
    />
  );
}
