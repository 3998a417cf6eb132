import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Split } from 'lucide-react';
import type { Conflict } from '@cairn/sync/outbox/outbox-item.ts';
import { useLive } from '@cairn/sync/use-live.ts';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { useSignedIn } from '../../../shared/session/session.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { asItStands, recordNow } from './conflict-now.ts';
import { isSameAnswer, questionsOf, resolutionOf, type Choice, type ConflictQuestion } from './conflict-questions.ts';
import { GoneCard } from './gone-card.tsx';
import { beginning, editorOf, questionText, type People } from './field-text.ts';
import { ThirdValue } from './third-value.tsx';
import { useConflictTexts, type ConflictTexts } from './use-conflict-texts.ts';
import { useFocusMove, WRITTEN_IN } from './use-focus-move.ts';
import { ValueCards } from './value-cards.tsx';
import { sidesText } from './value-text.ts';

type Props = {
  conflict: Conflict;
  people: People;
  /** Its record was edited here since, and the server has not got that yet: what it says here is not theirs. */
  isEdited?: boolean;
};

/** Two versions of one record: asks field by field, and repeats the choice on the button. */
export function ConflictCard({ conflict, people, isEdited = false }: Props) {
  const live = useLive(recordNow(conflict));
  const now = live.status === 'ready' && !isEdited ? live.answer : null;
  const [words] = useConflictTexts([asItStands(conflict, now)], people);
  if (!words) return null;
  return conflict.kind === 'fields' && conflict.fields.length > 0 ? (
    <Asked words={words} />
  ) : (
    <GoneCard words={words} />
  );
}

function Asked({ words }: { words: ConflictTexts }) {
  const { t } = useTranslation('sync');
  const { engine } = useSignedIn();
  const { conflict, name, telling } = words;
  const questions = questionsOf(conflict);
  const [later, setLater] = useState(false);
  const { place, moveTo } = useFocusMove<HTMLDivElement>();
  const putOff = (isLater: boolean) => {
    moveTo(isLater ? 'button' : 'h3');
    setLater(isLater);
  };
  const [choices, setChoices] = useState<readonly Choice[]>(() => questions.map(() => ({ keep: 'mine' })));
  const settling = useAction(() => engine.resolve(conflict.id, resolutionOf(questions, choices)));
  const choose = (index: number, choice: Choice) =>
    setChoices(before => before.map((each, at) => (at === index ? choice : each)));
  const unfinished = choices.some(choice => choice.keep === 'other' && choice.value.trim() === '');

  if (later) {
    return (
      <div ref={place}>
        <Card className="conflict-later" label={t('conflict.label', { name })}>
          <span className="grow">{t('conflict.laterText', { name })}</span>
          <Button size="sm" onClick={() => putOff(false)}>
            {t('conflict.open')}
          </Button>
        </Card>
      </div>
    );
  }
  return (
    <div ref={place}>
      <Card flush className="conflict" label={t('conflict.label', { name })}>
        <div className="conflict-head">
          <Pill tone="warn" icon={Split}>
            {t('conflict.two')}
          </Pill>
          <p className="sm muted">{t('conflict.both', { name })}</p>
          {telling.question && <p className="sm muted">{t('failed.within', { name: telling.question.within })}</p>}
          {isSameAnswer(conflict) && <p className="sm">{t('conflictAll.same')}</p>}
          {telling.question?.isFinished && <p className="sm strong">{t('conflictAll.finished')}</p>}
        </div>
        {questions.map((question, index) => (
          <Question
            key={question.lead.f}
            question={question}
            words={words}
            choice={choices[index] ?? { keep: 'mine' }}
            onChoose={choice => choose(index, choice)}
          />
        ))}
        <div className="row conflict-acts">
          <Button variant="plain" onClick={() => putOff(true)}>
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
        {settling.failure && (
          <div className="conflict-acts">
            <FailureLine failure={settling.failure} />
          </div>
        )}
      </Card>
    </div>
  );
}

function wordOf(choices: readonly Choice[]): 'mine' | 'theirs' | 'mixed' {
  const [first] = choices;
  return first && first.keep !== 'other' && choices.every(choice => choice.keep === first.keep) ? first.keep : 'mixed';
}

/** Where nothing else differs: who gave each answer, and when. */
function whoAndWhen({ fields }: ConflictQuestion, telling: ConflictTexts['telling']) {
  const text = fields
    .toSorted((one, two) => two.f.localeCompare(one.f))
    .map(field => sidesText(field.f, field, telling));
  const joined = (side: 'base' | 'mine' | 'theirs') => [...new Set(text.map(each => each[side]))].join(', ');
  return { base: joined('base'), mine: joined('mine'), theirs: joined('theirs') };
}

type QuestionProps = {
  question: ConflictQuestion;
  words: ConflictTexts;
  choice: Choice;
  onChoose: (choice: Choice) => void;
};

function Question({ question, words, choice, onChoose }: QuestionProps) {
  const { t } = useTranslation('sync');
  const { lead } = question;
  const { table } = words.conflict;
  const isSame = isSameAnswer({ table, fields: question.fields });
  const asked = isSame ? t('conflictAll.whose', { name: words.name }) : questionText({ table, lead }, words.name, t);
  const text = isSame ? whoAndWhen(question, words.telling) : sidesText(lead.f, lead, words.telling);
  const editor = editorOf(table, lead.f);
  const { place, moveTo } = useFocusMove<HTMLDivElement>();
  const write = () => {
    if (!editor) return;
    moveTo(WRITTEN_IN);
    onChoose({ keep: 'other', value: beginning(editor, lead.mine) });
  };
  return (
    <div ref={place} className="conflict-question">
      <h3 className="h2" tabIndex={-1}>
        {asked}
      </h3>
      <div className="conflict-before">
        <span className="muted">{t('conflict.before')}</span>
        <s className="muted">{text.base}</s>
      </div>
      <ValueCards
        label={asked}
        value={choice.keep}
        onChange={keep => onChoose({ keep })}
        options={[
          { value: 'mine', label: t('conflict.mine'), text: text.mine, hint: t('conflict.here') },
          { value: 'theirs', label: t('conflict.theirs'), text: text.theirs, hint: t('conflict.server') },
        ]}
      />
      {editor && choice.keep !== 'other' && (
        <Button variant="plain" size="sm" onClick={write}>
          {t('conflict.write')}
        </Button>
      )}
      {editor && choice.keep === 'other' && (
        <ThirdValue
          table={table}
          editor={editor}
          value={choice.value}
          onChange={value => onChoose({ keep: 'other', value })}
        />
      )}
    </div>
  );
}
