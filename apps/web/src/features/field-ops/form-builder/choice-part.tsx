import { useTranslation } from 'react-i18next';
import { Plus } from 'lucide-react';
import { changeQuestion } from '@cairn/core/forms/draft/form-outline.ts';
import { addList } from '@cairn/core/forms/draft/new-question.ts';
import { isOrder } from '@cairn/core/forms/question-types/question-types.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Checkbox } from '@cairn/ui/controls/choice.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { ChoiceList } from './choice-list.tsx';
import { useProblemText } from './problem-text.ts';
import type { QuestionParts } from './question-parts.ts';

/** What can be chosen: a set of answers, which other questions may share. */
export function ChoicePart(parts: QuestionParts) {
  const { outline, edit, nodeKey, question, set, problemAt } = parts;
  const { t } = useTranslation('builder');
  const problemText = useProblemText();
  const problem = problemAt('list');
  const sets = Object.keys(outline.head.choice_lists);
  const fresh = () =>
    edit(before => {
      const made = addList(before);
      return changeQuestion(made.outline, nodeKey, { ...question, list: made.list });
    });
  return (
    <>
      <Select
        label={t('choices.set')}
        hint={t('choices.setHint')}
        placeholder={t('choices.none')}
        error={problem && problemText(problem)}
        value={question.list ?? ''}
        choices={sets.map(name => ({ value: name, label: setLabel(outline, name) }))}
        onChange={({ target }) => target.value !== '' && set({ list: target.value })}
      />
      {question.list !== undefined && outline.head.choice_lists[question.list] && (
        <ChoiceList outline={outline} edit={edit} list={question.list} />
      )}
      <div className="row wrap">
        <Button size="sm" variant="plain" icon={Plus} onClick={fresh}>
          {t('choices.fresh')}
        </Button>
      </div>
      {!isOrder(question.type) && (
        <Checkbox
          label={t('choices.other')}
          checked={question.or_other === true}
          onChange={other => set({ or_other: other || undefined })}
        />
      )}
    </>
  );
}

/** A set is known by what is in it: "Good, Fair, Poor". */
export function setLabel({ head }: QuestionParts['outline'], name: string): string {
  const labels = (head.choice_lists[name] ?? []).slice(0, 4).map(({ label, name: own }) => {
    return (typeof label === 'string' ? label : label?.[head.languages[0] ?? '']) ?? own;
  });
  return labels.length > 0 ? `${name}: ${labels.join(', ')}` : name;
}
