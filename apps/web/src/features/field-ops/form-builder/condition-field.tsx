import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Question } from '@cairn/core/forms/definition/form-definition.ts';
import type { BuildProblem } from '@cairn/core/forms/draft/form-problems.ts';
import { type PlainCondition, readCondition, writeCondition } from '@cairn/core/forms/expression/plain-condition.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select, type Choice } from '@cairn/ui/controls/select.tsx';
import type { Outline } from '@cairn/core/forms/draft/form-outline.ts';
import { ExpressionField } from './expression-field.tsx';
import { answersOf, questionsIn, type NamedQuestion } from './outline-names.ts';
import { typeEditors } from './type-editors.ts';

type Props = {
  label: string;
  outline: Outline;
  /** The question or section the condition belongs to: it cannot hang on itself. */
  own: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  problem: BuildProblem | undefined;
};

/** When something is asked: chosen from a question, a comparison and a value, or written as a formula. */
export function ConditionField(props: Props) {
  const { label, outline, own, value, onChange, problem } = props;
  const { t } = useTranslation('builder');
  const others = questionsIn(outline).filter(({ name }) => name !== own);
  const plain = value === undefined ? null : readCondition(value);
  const known = plain?.question != null && others.some(({ name }) => name === plain.question);
  const [asFormula, setAsFormula] = useState(value !== undefined && !known);
  if (asFormula || (value !== undefined && !known)) {
    return (
      <ExpressionField
        label={label}
        hint={t('condition.formulaHint')}
        value={value}
        onChange={onChange}
        names={others.map(({ name, label: text }) => ({ value: name, label: text, hint: name }))}
        problem={problem}
        aside={
          (value === undefined || known) && (
            <Button size="sm" variant="plain" onClick={() => setAsFormula(false)}>
              {t('condition.choose')}
            </Button>
          )
        }
      />
    );
  }
  return (
    <fieldset className="condition">
      <legend className="label">{label}</legend>
      <PlainFields plain={plain} others={others} outline={outline} onChange={onChange} />
      <Button size="sm" variant="plain" onClick={() => setAsFormula(true)}>
        {t('condition.write')}
      </Button>
    </fieldset>
  );
}

type PlainProps = {
  plain: PlainCondition | null;
  others: readonly NamedQuestion[];
  outline: Outline;
  onChange: Props['onChange'];
};

function PlainFields({ plain, others, outline, onChange }: PlainProps) {
  const { t } = useTranslation('builder');
  const question = others.find(({ name }) => name === plain?.question)?.question;
  const set = (change: Partial<PlainCondition>) => {
    const next = { question: null, test: 'is' as const, value: '', ...plain, ...change };
    onChange(next.question === null ? undefined : writeCondition(next));
  };
  return (
    <div className="condition-fields">
      <Select
        label={t('condition.question')}
        labelHidden
        placeholder={t('condition.always')}
        value={plain?.question ?? ''}
        choices={others.map(({ name, label }) => ({ value: name, label }))}
        onChange={({ target }) => {
          const next = others.find(({ name }) => name === target.value)?.question;
          if (!next) return onChange(undefined);
          set({ question: next.name, ...firstTest(next, outline) });
        }}
      />
      {plain && question && (
        <>
          <Select
            label={t('condition.test')}
            labelHidden
            value={plain.test}
            choices={testsOf(question).map(test => ({ value: test, label: t(`condition.tests.${test}`) }))}
            onChange={({ target }) => set(withTest(target.value as PlainCondition['test'], plain, question, outline))}
          />
          <ValueField plain={plain} choices={answersOf(outline, question, value => t(`answers.${value}`))} set={set} />
        </>
      )}
    </div>
  );
}

type ValueProps = { plain: PlainCondition; choices: readonly Choice[]; set: (change: { value: string }) => void };

function ValueField({ plain, choices, set }: ValueProps) {
  const { t } = useTranslation('builder');
  if (plain.test === 'answered' || plain.test === 'unanswered') return null;
  if (choices.length > 0) {
    return (
      <Select
        label={t('condition.value')}
        labelHidden
        value={plain.value}
        choices={choices}
        onChange={({ target }) => set({ value: target.value })}
      />
    );
  }
  return (
    <Input
      label={t('condition.value')}
      labelHidden
      value={plain.value}
      // An empty value would be another condition: "not answered".
      onChange={({ target }) => target.value !== '' && set({ value: target.value })}
    />
  );
}

const testsOf = ({ type }: Question) => typeEditors[type].tests;

function firstTest(question: Question, outline: Outline): Pick<PlainCondition, 'test' | 'value'> {
  const [test = 'answered'] = testsOf(question);
  return { test, value: firstValue(test, question, outline) };
}

function firstValue(test: PlainCondition['test'], question: Question, outline: Outline): string {
  if (test === 'answered' || test === 'unanswered') return '';
  const [choice] = answersOf(outline, question, value => value);
  return choice?.value ?? (testsOf(question).includes('more') ? '0' : t0);
}

/** What a text is compared with until the person has written something. */
const t0 = '…';

function withTest(test: PlainCondition['test'], plain: PlainCondition, question: Question, outline: Outline) {
  return {
    test,
    value:
      plain.value === '' || test === 'answered' || test === 'unanswered'
        ? firstValue(test, question, outline)
        : plain.value,
  };
}
