import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Split } from 'lucide-react';
import type { Conflict } from '@cairn/sync/engine.ts';
import { Button } from '@cairn/ui/button.tsx';
import { Pill } from '@cairn/ui/pill.tsx';
import { Card } from '@cairn/ui/surface.tsx';
import { useSignedIn } from '../../shared/session.ts';
import { useAction } from '../../shared/use-action.ts';
import { questionsOf, resolutionOf, type Choice, type ConflictQuestion } from './conflict-questions.ts';
import { GoneCard } from './gone-card.tsx';
import { editorOf, questionWords, valueWords, type People } from './field-words.ts';
import { ThirdValue } from './third-value.tsx';
import { ValueCards } from './value-cards.tsx';

type Props = { conflict: Conflict; people: People };

/** Two versions of one record: asks field by field, and repeats the choice on the button. */
export function ConflictCard({ conflict, people }: Props) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const questions = questionsOf(conflict);
  const [choices, setChoices] = useState<readonly Choice[]>(() => questions.map(() => ({ keep: 'mine' })));
  const [later, setLater] = useState(false);
  const settling = useAction(() => engine.resolve(conflict.id, resolutionOf(questions, choices)));
  const name = conflict.title ?? t('conflict.thisRecord');
  const choose = (index: number, choice: Choice) =>
    setChoices(before => before.map((each, at) => (at === index ? choice : each)));
  const unfinished = choices.some(choice => choice.keep === 'other' && choice.value.trim() === '');

  if (later) {
    return (
      <Card className="conflict-later" label={t('conflict.label')}>
        <span className="grow">{t('conflict.laterText', { name })}</span>
        <Button size="sm" onClick={() => setLater(false)}>
          {t('conflict.open')}
        </Button>
      </Card>
    );
  }
  if (conflict.kind !== 'fields' || questions.length === 0) return <GoneCard conflict={conflict} />;
  return (
    <Card flush className="conflict" label={t('conflict.label')}>
      <div className="conflict-head">
        <Pill tone="warn" icon={Split}>
          {t('conflict.two')}
        </Pill>
        <p className="sm muted">{t('conflict.both', { name })}</p>
      </div>
      {questions.map((question, index) => (
        <Question
          key={question.lead.f}
          question={question}
          title={conflict.title}
          people={people}
          choice={choices[index] ?? { keep: 'mine' }}
          onChoose={choice => choose(index, choice)}
        />
      ))}
      <div className="row conflict-acts">
        <Button variant="plain" onClick={() => setLater(true)}>
          {t('conflict.later')}
        </Button>
        <Button
          variant="primary"
          className="grow"
          disabled={unfinished}
          busy={settling.busy}
          onClick={() => settling.run()}
        >
          {t(`conflict.keep.${wordOf(choices)}`)}
        </Button>
      </div>
    </Card>
  );
}

function wordOf(choices: readonly Choice[]): 'mine' | 'theirs' | 'mixed' {
  const [first] = choices;
  return first && first.keep !== 'other' && choices.every(choice => choice.keep === first.keep) ? first.keep : 'mixed';
}

type QuestionProps = {
  question: ConflictQuestion;
  title: string | null;
  people: People;
  choice: Choice;
  onChoose: (choice: Choice) => void;
};

function Question({ question, title, people, choice, onChoose }: QuestionProps) {
  const { t } = useTranslation('sync');
  const { f, base, mine, theirs } = question.lead;
  const asked = questionWords(question, title, t);
  const words = (value: unknown) => valueWords(f, value, people, t);
  const editor = editorOf(f);
  const write = () => onChoose({ keep: 'other', value: typeof mine === 'string' ? mine : '' });
  return (
    <div className="conflict-question">
      <h3 className="h2">{asked}</h3>
      <div className="conflict-before">
        <span className="muted">{t('conflict.before')}</span>
        <s className="muted">{words(base)}</s>
      </div>
      <ValueCards
        label={asked}
        value={choice.keep}
        onChange={keep => (keep === 'other' ? write() : onChoose({ keep }))}
        options={[
          { value: 'mine', label: t('conflict.mine'), text: words(mine), hint: t('conflict.here') },
          { value: 'theirs', label: t('conflict.theirs'), text: words(theirs), hint: t('conflict.server') },
        ]}
      />
      {editor && choice.keep !== 'other' && (
        <Button variant="plain" size="sm" onClick={write}>
          {t('conflict.write')}
        </Button>
      )}
      {editor && choice.keep === 'other' && (
        <ThirdValue editor={editor} value={choice.value} onChange={value => onChoose({ keep: 'other', value })} />
      )}
    </div>
  );
}
