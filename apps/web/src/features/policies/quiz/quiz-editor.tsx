import { useMemo } from 'react';
import { Plus, Trash2 } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { newId } from '@cairn/base/id.ts';
import {
  MAX_CHOICES,
  MAX_QUESTIONS,
  QUIZ_TYPES,
  quizFault,
  quizOf,
  quizText,
  type QuizQuestion,
  type QuizType,
} from '@cairn/core/policies/quiz.ts';
import { Button, IconButton } from '@cairn/ui/controls/button.tsx';
import { Checkbox, Segmented } from '@cairn/ui/controls/choice.tsx';
import { Input } from '@cairn/ui/controls/field.tsx';
import { Select } from '@cairn/ui/controls/select.tsx';
import { Textarea } from '@cairn/ui/controls/textarea.tsx';
import { Card } from '@cairn/ui/layout/surface.tsx';
import { usePolicySections } from '../document/use-markdown.ts';
import './quiz.css';

type Props = {
  /** As it is kept. */
  quiz: string | null;
  /** The words it asks about. */
  body: string;
  readOnly: boolean;
  onChange: (quiz: string | null) => void;
};

const newChoice = () => ({ id: newId(), text: '' });
const newQuestion = (): QuizQuestion => ({
  id: newId(),
  type: 'select_one',
  text: '',
  choices: [newChoice(), newChoice()],
  right: [],
  explanation: '',
  section: '',
});

/** Writes the questions that belong to a draft. */
export function QuizEditor({ quiz, body, readOnly, onChange }: Props) {
  const { t } = useTranslation('quiz');
  const questions = quizOf(quiz);
  const { sections } = usePolicySections(body);
  const titles = useMemo(() => [...new Set(sections.flatMap(({ title }) => title || []))], [sections]);
  const set = (next: readonly QuizQuestion[]) => onChange(quizText(next));
  return (
    <Card label={t('title')} className="parts">
      <div className="stack">
        <h2 className="h2">{t('title')}</h2>
        <p className="hint">{t('edit.hint')}</p>
      </div>
      {questions.length === 0 && <p className="sm muted">{t('edit.none')}</p>}
      {questions.map((question, index) => (
        <fieldset key={question.id} className="parts quiz-edit" disabled={readOnly}>
          <QuestionFields
            question={question}
            number={index + 1}
            titles={titles}
            onChange={next => set(questions.map(each => (each.id === question.id ? next : each)))}
            onRemove={() => set(questions.filter(({ id }) => id !== question.id))}
          />
        </fieldset>
      ))}
      {questions.length < MAX_QUESTIONS && (
        <div className="row">
          <Button icon={Plus} disabled={readOnly} onClick={() => set([...questions, newQuestion()])}>
            {t('edit.add')}
          </Button>
        </div>
      )}
    </Card>
  );
}

type FieldsProps = {
  question: QuizQuestion;
  number: number;
  titles: readonly string[];
  onChange: (question: QuizQuestion) => void;
  onRemove: () => void;
};

/** What stays of a question when its kind changes. */
function asType(question: QuizQuestion, type: QuizType): QuizQuestion {
  if (type === 'true_false') return { ...question, type, choices: [], right: [] };
  const choices = question.choices.length > 0 ? question.choices : [newChoice(), newChoice()];
  const ids = choices.map(({ id }) => id);
  const right = question.right.filter(each => ids.includes(each));
  return { ...question, type, choices, right: type === 'select_one' ? right.slice(0, 1) : right };
}

function QuestionFields({ question, number, titles, onChange, onRemove }: FieldsProps) {
  const { t } = useTranslation('quiz');
  const set = (part: Partial<QuizQuestion>) => onChange({ ...question, ...part });
  const fault = quizFault(question);
  const isGone = question.section !== '' && !titles.includes(question.section);
  const gone = isGone ? [{ value: question.section, label: t('edit.goneSection', { title: question.section }) }] : [];
  return (
    <>
      <legend className="row between policy-legend">
        <span className="strong">{t('edit.question', { number })}</span>
        <IconButton icon={Trash2} label={t('edit.remove', { number })} onClick={onRemove} />
      </legend>
      <Select
        label={t('edit.type')}
        choices={QUIZ_TYPES.map(value => ({ value, label: t(`edit.types.${value}`) }))}
        value={question.type}
        onChange={event =>
          onChange(asType(question, QUIZ_TYPES.find(each => each === event.target.value) ?? 'select_one'))
        }
      />
      <Textarea
        label={t(question.type === 'true_false' ? 'edit.statement' : 'edit.text')}
        rows={2}
        maxLength={500}
        value={question.text}
        onChange={event => set({ text: event.target.value })}
      />
      {question.type === 'true_false' ? (
        <Segmented
          label={t('edit.truth')}
          labelHidden={false}
          value={question.right[0] ?? null}
          onChange={value => set({ right: [value] })}
          options={(['true', 'false'] as const).map(value => ({ value, label: t(value) }))}
        />
      ) : (
        <ChoiceFields question={question} onChange={set} />
      )}
      <Textarea
        label={t('edit.explanation')}
        rows={2}
        maxLength={1000}
        value={question.explanation}
        onChange={event => set({ explanation: event.target.value })}
      />
      <Select
        label={t('edit.section')}
        placeholder={t('edit.noSection')}
        choices={[...gone, ...titles.map(title => ({ value: title, label: title }))]}
        value={question.section}
        onChange={event => set({ section: event.target.value })}
      />
      {fault && <p className="hint">{t(`edit.lacks.${fault}`)}</p>}
    </>
  );
}

type ChoiceProps = { question: QuizQuestion; onChange: (part: Partial<QuizQuestion>) => void };

function ChoiceFields({ question, onChange }: ChoiceProps) {
  const { t } = useTranslation('quiz');
  const { type, choices, right } = question;
  const mark = (id: string, on: boolean) => {
    const others = type === 'select_one' ? [] : right.filter(each => each !== id);
    onChange({ right: on ? [...others, id] : right.filter(each => each !== id) });
  };
  const remove = (id: string) =>
    onChange({ choices: choices.filter(each => each.id !== id), right: right.filter(each => each !== id) });
  return (
    <fieldset className="stack">
      <legend className="label">{t('edit.choices')}</legend>
      {choices.map(({ id, text }, index) => (
        <div key={id} className="quiz-choice">
          <Checkbox
            label={t('edit.isRight', { number: index + 1 })}
            labelHidden
            checked={right.includes(id)}
            onChange={on => mark(id, on)}
          />
          <Input
            label={t('edit.choice', { number: index + 1 })}
            labelHidden
            placeholder={t('edit.choice', { number: index + 1 })}
            maxLength={300}
            value={text}
            onChange={event =>
              onChange({ choices: choices.map(each => (each.id === id ? { id, text: event.target.value } : each)) })
            }
          />
          <IconButton icon={Trash2} label={t('edit.removeChoice', { number: index + 1 })} onClick={() => remove(id)} />
        </div>
      ))}
      {choices.length < MAX_CHOICES && (
        <div className="row">
          <Button
            size="sm"
            variant="plain"
            icon={Plus}
            onClick={() => onChange({ choices: [...choices, newChoice()] })}
          >
            {t('edit.addChoice')}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
