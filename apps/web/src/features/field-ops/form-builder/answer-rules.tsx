import { useTranslation } from 'react-i18next';
import { asksNothing, choosesFromList } from '@cairn/core/forms/question-types/question-types.ts';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { ExpressionField } from './expression-field.tsx';
import { namesFor, type QuestionParts } from './question-parts.ts';
import { typeEditors } from './type-editors.ts';
import { TranslatedField } from './translated-field.tsx';

/** Help, what an answer must be like, and what it is before anybody answered. */
export function AnswerRules(parts: QuestionParts) {
  const { outline, question, set, problemAt } = parts;
  const { t } = useTranslation('builder');
  const { languages } = outline.head;
  const names = namesFor(outline, question.name);
  return (
    <div className="parts">
      <TranslatedField
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
            <TranslatedField
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
        <TranslatedField
          label={t('question.requiredMessage')}
          value={question.required_message}
          languages={outline.head.languages}
          onChange={message => set({ required_message: message })}
        />
      )}
    </>
  );
}

function Defaults({ outline, question, set, problemAt }: QuestionParts) {
  const { t } = useTranslation('builder');
  const { Default } = typeEditors[question.type];
  return (
    <>
      {Default && question.default_expression === undefined && <Default question={question} set={set} />}
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
