import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Question } from '@cairn/core/forms/definition/form-definition.ts';
import {
  asksNothing,
  choosesFromList,
  questionTypes,
  type QuestionType,
} from '@cairn/core/forms/question-types/question-types.ts';
import { changeQuestion, freshName, namesIn, renameNode } from '@cairn/core/forms/draft/form-outline.ts';
import { addList, isMadeUpName, nameFromText, withType } from '@cairn/core/forms/draft/new-question.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { Accordion } from '@cairn/ui/layout/accordion.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { ConditionField } from './condition-field.tsx';
import { FollowUpPart } from './follow-up-part.tsx';
import { NameField } from './name-field.tsx';
import type { QuestionParts } from './question-parts.ts';
import { ScoringPart } from './scoring-part.tsx';
import { AnswerRules } from './answer-rules.tsx';
import { typeEditors } from './type-editors.ts';
import type { BuilderPart } from './use-builder.ts';
import { TranslatedField } from './translated-field.tsx';

type Props = BuilderPart & { nodeKey: string; question: Question; isNew: boolean };

/** Everything about one question: what is asked first, the rest folded away until it is wanted. */
export function QuestionEditor(props: Props) {
  const { outline, problems, edit, nodeKey, question, isNew } = props;
  const { t } = useTranslation('builder');
  const { languages } = outline.head;
  const set = (change: Partial<Question>) =>
    edit(before => changeQuestion(before, nodeKey, { ...question, ...change }));
  const own = problems.filter(({ key }) => key === nodeKey);
  const problemAt = (field: string) => own.find(problem => problem.field === field);
  const { Fields } = typeEditors[question.type];
  const parts: QuestionParts = { outline, problems, edit, nodeKey, question, set, problemAt };
  const nameIt = () => {
    const name = nameFromText(inLanguage(question.label, languages[0]));
    if (!isMadeUpName(question.name) || name === '') return;
    edit(before => renameNode(before, nodeKey, freshName(namesIn(before), name)));
  };
  return (
    <div className="parts">
      <TranslatedField
        label={t('question.label')}
        value={question.label}
        languages={languages}
        onChange={label => set({ label })}
        onBlur={nameIt}
        focused={isNew}
      />
      <TypeField {...parts} />
      {!asksNothing(question.type) && <RequiredField {...parts} />}
      {Fields && <Fields {...parts} />}
      <Folds {...parts} />
    </div>
  );
}

function TypeField({ edit, nodeKey, question }: QuestionParts) {
  const { t } = useTranslation('builder');
  const { t: tf } = useTranslation('field');
  const change = (type: QuestionType) =>
    edit(before => {
      const needsList = choosesFromList(type) && question.list === undefined;
      const made = needsList ? addList(before) : { outline: before, list: question.list };
      return changeQuestion(made.outline, nodeKey, withType(question, type, made.list));
    });
  return (
    <Select
      label={t('question.type')}
      hint={tf(`types.${question.type}.hint`)}
      value={question.type}
      choices={questionTypes.map(type => ({ value: type, label: tf(`types.${type}.name`) }))}
      onChange={({ target }) => change(target.value as QuestionType)}
    />
  );
}

function RequiredField({ question, set }: QuestionParts) {
  const { t } = useTranslation('builder');
  return (
    <Checkbox
      label={t('question.required')}
      checked={question.required !== undefined && question.required !== false}
      onChange={required => set({ required: required || undefined })}
    />
  );
}

const FOLDS: Record<string, readonly string[]> = {
  when: ['relevant'],
  rules: ['required', 'constraint', 'default', 'default_expression', 'choice_filter'],
  follow: ['rules'],
  score: ['fail_when', 'scoring'],
  name: ['name'],
};

/** Which part a problem's field is in. */
const foldOf = (field: string): string | undefined =>
  Object.keys(FOLDS).find(fold => FOLDS[fold]?.some(each => field === each || field.startsWith(`${each}.`)));

function Folds(parts: QuestionParts) {
  const { t } = useTranslation('builder');
  const { outline, question, set, problems, nodeKey, problemAt } = parts;
  const [open] = useState(() =>
    problems.flatMap(({ key, field }) => (key === nodeKey ? [foldOf(field) ?? ''] : [])).concat(usedFolds(question)),
  );
  const asks = !asksNothing(question.type);
  const folds = [
    {
      value: 'when',
      title: t('fold.when'),
      content: (
        <ConditionField
          label={t('question.relevant')}
          outline={outline}
          own={question.name}
          value={question.relevant}
          onChange={relevant => set({ relevant })}
          problem={problemAt('relevant')}
        />
      ),
    },
    ...(asks ? [{ value: 'follow', title: t('fold.follow'), content: <FollowUpPart {...parts} /> }] : []),
    ...(asks ? [{ value: 'score', title: t('fold.score'), content: <ScoringPart {...parts} /> }] : []),
    { value: 'rules', title: t('fold.rules'), content: <AnswerRules {...parts} /> },
    {
      value: 'name',
      title: t('fold.name'),
      detail: question.name,
      content: <NameField {...parts} name={question.name} problem={problemAt('name')} />,
    },
  ];
  return <Accordion folds={folds} open={open} />;
}

/** What is filled in stands open. */
function usedFolds({ relevant, on_fail: onFail, rules }: Question): string[] {
  return [...(relevant === undefined ? [] : ['when']), ...(onFail || (rules?.length ?? 0) > 0 ? ['follow'] : [])];
}
