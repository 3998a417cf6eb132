import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Plus, Trash2 } from 'lucide-react';
import type { Choice } from '@cairn/core/forms/definition/form-definition.ts';
import { isMadeUpChoice, nameFromText, newChoice, withLists } from '@cairn/core/forms/draft/new-question.ts';
import { freshName, walkOutline } from '@cairn/core/forms/draft/form-outline.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { NumberInput } from '@cairn/ui/controls/number-input.tsx';
import { SortableList } from '@cairn/ui/data/sortable-list.tsx';
import { UndoNotice } from '@cairn/ui/feedback/undo-notice.tsx';
import { useSortTexts } from './sort-texts.ts';
import type { BuilderPart } from './use-builder.ts';
import { ChoicePicture } from './choice-picture.tsx';
import { TranslatedField } from './translated-field.tsx';

type Props = Pick<BuilderPart, 'outline' | 'edit'> & { list: string };

/** The answers of one set, in their order, each with its points. Every question that uses the set changes with it. */
export function ChoiceList({ outline, edit, list }: Props) {
  const { t } = useTranslation('builder');
  const sortTexts = useSortTexts();
  const choices = outline.head.choice_lists[list] ?? [];
  const [gone, setGone] = useState<{ choice: Choice; index: number } | null>(null);
  const [added, setAdded] = useState<number | null>(null);
  const change = (wanted: (before: readonly Choice[]) => Choice[]) =>
    edit(before => {
      const lists = before.head.choice_lists;
      return withLists(before, { ...lists, [list]: wanted(lists[list] ?? []) });
    });
  const add = () => {
    setAdded(choices.length);
    change(before => [...before, newChoice(before, '')]);
  };
  const language = outline.head.languages[0];
  const wordsOf = (choice: Choice) => inLanguage(choice.label, language) || choice.name;
  const users = usersOf(outline, list);
  return (
    <section className="choice-list" aria-label={t('choices.title')}>
      {users > 1 && <p className="hint">{t('choices.shared', { count: users })}</p>}
      <SortableList
        label={t('choices.title')}
        // By its place: a choice that gets its name while the focus is in it must stay the same row.
        items={choices.map((choice, index) => ({ id: String(index), choice, index }))}
        nameOf={({ choice }) => wordsOf(choice)}
        words={sortTexts}
        onReorder={order => change(before => order.flatMap(index => before[Number(index)] ?? []))}
        renderItem={({ choice, index }) => (
          <ChoiceRow
            choice={choice}
            languages={outline.head.languages}
            isNew={index === added}
            onChange={next => change(before => before.map((each, at) => (at === index ? next(each, before) : each)))}
            onRemove={() => {
              setGone({ choice, index });
              change(before => before.toSpliced(index, 1));
            }}
          />
        )}
      />
      {gone && (
        <UndoNotice
          undoLabel={t('undo')}
          onUndo={() => {
            change(before => before.toSpliced(gone.index, 0, gone.choice));
            setGone(null);
          }}
        >
          {t('choices.removed', { name: wordsOf(gone.choice) })}
        </UndoNotice>
      )}
      <Button size="sm" icon={Plus} onClick={add}>
        {t('choices.add')}
      </Button>
    </section>
  );
}

const usersOf = ({ nodes }: Props['outline'], list: string): number =>
  [...walkOutline(nodes)].filter(({ node }) => node.kind === 'question' && node.question.list === list).length;

type RowProps = {
  choice: Choice;
  languages: readonly string[];
  isNew: boolean;
  onChange: (next: (choice: Choice, all: readonly Choice[]) => Choice) => void;
  onRemove: () => void;
};

function ChoiceRow({ choice, languages, isNew, onChange, onRemove }: RowProps) {
  const { t, i18n } = useTranslation('builder');
  const words = inLanguage(choice.label, languages[0]);
  return (
    <div className="choice-row">
      <div className="grow">
        <TranslatedField
          label={t('choices.answer')}
          value={choice.label}
          languages={languages}
          focused={isNew}
          onChange={label => onChange(before => ({ ...before, label }))}
          // Formulas and exports say the name: it is made from the first words, and stays when they change.
          onBlur={() => onChange((before, all) => named(before, words, all))}
        />
      </div>
      <NumberInput
        label={t('choices.points')}
        value={choice.score ?? null}
        min={0}
        locale={i18n.resolvedLanguage ?? 'en'}
        notANumber={t('number')}
        onChange={score => onChange(before => ({ ...before, score: score ?? undefined }))}
      />
      <ChoicePicture choice={choice} name={words || choice.name} onChange={onChange} />
      <IconButton icon={Trash2} label={t('choices.remove', { name: words || choice.name })} onClick={onRemove} />
    </div>
  );
}

function named(choice: Choice, words: string, all: readonly Choice[]): Choice {
  const wanted = nameFromText(words);
  if (!isMadeUpChoice(choice.name) || wanted === '') return choice;
  return { ...choice, name: freshName(new Set(all.map(({ name }) => name)), wanted) };
}
