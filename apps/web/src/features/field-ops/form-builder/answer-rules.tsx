import { useTranslation } from 'react-i18next';
import { asksNothing, choosesFromList } from '@cairn/core/forms/draft/new-question.ts';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { ExpressionField } from './expression-field.tsx';
import { namesFor, type QuestionParts } from './question-parts.ts';
import { SpanInput } from '../answers/span-input.tsx';
import { WordsField } from './words-field.tsx';

/** Help, what an answer must be like, and what it is before anybody answered. */
export function AnswerRules(parts: QuestionParts) {
  const { outline, question, set, problemAt } = parts;
  const { t } = useTranslation('builder');
  const { languages } = outline.head;
  const names = namesFor(outline, question.name);
  return (
    <div className="parts">
      <WordsField
        label={t('question.hint')}
        value={question.hint}
        languages={languages}
        onChange={hint => set({ hint })}
      />
      {!asksNothing(question.type) && (
        <>
          <ExpressionField
            label={t('question.constraint')}
            hint={t('question.constraintHint')}
            value={question.constraint}
            onChange={constraint => set({ constraint })}
            names={names}
            problem={problemAt('constraint')}
          />
          {question.constraint !== undefined && (
            <WordsField
              label={t('question.constraintMessage')}
              value={question.constraint_message}
              languages={languages}
              onChange={message => set({ constraint_message: message })}
            />
          )}
          <RequiredWhen {...parts} />
          <Defaults {...parts} />
        </>
      )}
      {choosesFromList(question.type) && (
        <ExpressionField
          label={t('question.filter')}
          hint={t('question.filterHint')}
          value={question.choice_filter}
          onChange={filter => set({ choice_filter: filter })}
          names={names}
          problem={problemAt('choice_filter')}
        />
      )}
    </div>
  );
}

function RequiredWhen({ outline, question, set, problemAt }: QuestionParts) {
  const { t } = useTranslation('builder');
  const formula = typeof question.required === 'string' ? question.required : undefined;
  const isRequired = question.required !== undefined && question.required !== false;
  return (
    <>
      <ExpressionField
        label={t('question.requiredWhen')}
        hint={t('question.requiredWhenHint')}
        value={formula}
        onChange={required => set({ required: required ?? (formula === undefined ? question.required : undefined) })}
        names={namesFor(outline, question.name)}
        problem={problemAt('required')}
      />
      {isRequired && (
        <WordsField
          label={t('question.requiredMessage')}
          value={question.required_message}
          languages={outline.head.languages}
          onChange={message => set({ required_message: message })}
        />
      )}
    </>
  );
}

function FixedDefault({ question, set }: Pick<QuestionParts, 'question' | 'set'>) {
  const { t, i18n } = useTranslation('builder');
  const words = { label: t('question.default'), hint: t('question.defaultHint') };
  const { default: given } = question;
  if (question.type === 'timer') {
    return (
      <SpanInput
        {...words}
        value={typeof given === 'number' ? given : null}
        wrong={t('timer.wrong')}
        onChange={value => typeof value !== 'string' && set({ default: value ?? undefined })}
      />
    );
  }
  if (NUMBERS.has(question.type)) {
    return (
      <NumberInput
        {...words}
        value={typeof given === 'number' ? given : null}
        locale={i18n.resolvedLanguage ?? 'en'}
        notANumber={t('number')}
        onChange={value => set({ default: value ?? undefined })}
      />
    );
  }
  return (
    <Input
      {...words}
      value={typeof given === 'string' ? given : ''}
      onChange={({ target }) => set({ default: target.value === '' ? undefined : target.value })}
    />
  );
}

const TYPED = new Set(['text', 'barcode', 'integer', 'decimal', 'range', 'timer', 'select_one', 'date', 'time']);
const NUMBERS = new Set(['integer', 'decimal', 'range']);

function Defaults({ outline, question, set, problemAt }: QuestionParts) {
  const { t } = useTranslation('builder');
  const fixed = question.default_expression === undefined && TYPED.has(question.type);
  return (
    <>
      {fixed && <FixedDefault question={question} set={set} />}
      {question.default === undefined && (
        <ExpressionField
          label={t('question.defaultExpression')}
          hint={t('question.defaultExpressionHint')}
          value={question.default_expression}
          onChange={expression => set({ default_expression: expression })}
          names={namesFor(outline, question.name)}
          problem={problemAt('default_expression')}
        />
      )}
      <Checkbox
        label={t('question.readOnly')}
        checked={question.read_only === true}
        onChange={isFixed => set({ read_only: isFixed || undefined })}
      />
    </>
  );
}
