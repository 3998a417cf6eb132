import { useTranslation } from 'react-i18next';
import type { Scoring } from '@cairn/core/forms/definition/form-definition.ts';
import { judges } from '@cairn/core/forms/question-types/question-types.ts';
import { Checkbox, CheckCards } from '@cairn/ui/controls/choice.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { ExpressionField } from './expression-field.tsx';
import { choicesOf } from './outline-names.ts';
import { namesFor, type QuestionParts } from './question-parts.ts';

const FRESH: Scoring = { weight: 1, critical: false };

/** What counts as it would by itself is left out: a text with points of its own would count as passed. */
const meaning = (scoring: Scoring): Scoring | undefined =>
  scoring.weight === 1 && !scoring.critical && !scoring.fails && !scoring.fail_when ? undefined : scoring;

/** How an answer counts, and which answers fail. */
export function ScoringPart({ outline, question, set, problemAt }: QuestionParts) {
  const { t, i18n } = useTranslation('builder');
  const scoring = question.scoring ?? FRESH;
  const change = (part: Partial<Scoring>) => set({ scoring: meaning({ ...scoring, ...part }) });
  const choices = choicesOf(outline, question);
  const isJudged = judges(question.type);
  return (
    <div className="parts">
      <NumberInput
        label={t('score.weight')}
        hint={t('score.weightHint')}
        value={scoring.weight}
        min={0}
        max={1000}
        locale={i18n.resolvedLanguage ?? 'en'}
        notANumber={t('number')}
        onChange={weight => change({ weight: Math.min(1000, Math.max(0, weight ?? 1)) })}
      />
      {choices.length > 0 && (
        <CheckCards
          label={t('score.fails')}
          options={choices}
          values={scoring.fails ?? []}
          onChange={fails => change({ fails: fails.length > 0 ? fails : undefined })}
        />
      )}
      {!isJudged && (
        <ExpressionField
          label={t('score.failWhen')}
          hint={t('score.failWhenHint')}
          value={scoring.fail_when}
          onChange={when => change({ fail_when: when })}
          names={namesFor(outline, question.name)}
          problem={problemAt('fail_when')}
        />
      )}
      <Checkbox label={t('score.critical')} checked={scoring.critical} onChange={critical => change({ critical })} />
      {isJudged && (
        <Checkbox
          label={t('score.allowNa')}
          checked={question.allow_na !== false}
          onChange={allowed => set({ allow_na: allowed ? undefined : false })}
        />
      )}
    </div>
  );
}
