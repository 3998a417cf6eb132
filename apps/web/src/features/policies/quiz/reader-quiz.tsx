import { useEffect, useRef, useState } from 'react';
import { Check, RotateCcw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { answerQuiz } from '@cairn/core/policies/answer-quiz.ts';
import {
  answersOf,
  isPassed,
  isRight,
  quizOf,
  quizResult,
  rightAnswers,
  type QuizAnswers,
  type QuizQuestion,
} from '@cairn/core/policies/quiz.ts';
import { useStore } from '@cairn/sync/store-context.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { CheckCards, RadioCards } from '@cairn/ui/controls/choice.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { useAction } from '../../../shared/errors/use-action.ts';
import { FailureLine } from '../../../shared/errors/failure-line.tsx';
import { offeredChoices } from './offered-choices.ts';
import type { PanelProps } from '../document/policy-links.ts';
import { QuizSolved } from './quiz-key.tsx';
import { useQuizText } from './quiz-text.ts';
import { usePolicySections } from '../document/use-markdown.ts';
import './quiz.css';

/** Where the reader stands with the quiz of what is shown. */
export function quizOfReader({ opened, shown }: Pick<PanelProps, 'opened' | 'shown'>) {
  const questions = quizOf(shown.quiz);
  const acknowledgement = opened.acknowledgements.find(({ version }) => version?.id === shown.id)?.acknowledgement;
  const needed = opened.current?.id === shown.id ? opened.quizNeeded : null;
  const answers = answersOf(acknowledgement?.quiz_answers);
  const result = acknowledgement ? quizResult(acknowledgement, shown) : null;
  const passed = isPassed({ right: rightAnswers(questions, answers), of: questions.length, needed });
  return { questions, needed, isNeeded: needed !== null, isPassed: passed, answers, result };
}

/** The quiz between reading and signing; nothing where the version has none. */
export function ReaderQuiz(props: PanelProps) {
  const { t } = useTranslation('quiz');
  const { questions, needed, isPassed: passed } = quizOfReader(props);
  const [wasPassed] = useState(passed);
  const of = questions.length;
  if (of === 0) return null;
  if (passed) return <Passed {...props} hadForm={!wasPassed} />;
  if (needed === null)
    return (
      <details className="quiz-fold">
        <summary>
          {t('title')} · {t('free', { count: of })}
        </summary>
        <QuizForm {...props} />
      </details>
    );
  return (
    <section className="stack" aria-label={t('title')}>
      <h3 className="h3">{t('title')}</h3>
      <p className="sm">{needed === of ? t('asked.all', { count: of }) : t('asked.some', { needed, of })}</p>
      <QuizForm {...props} />
    </section>
  );
}

/** What is passed; whoever has just passed it goes on from here, for the form they were in is gone. */
function Passed({ hadForm, ...props }: PanelProps & { hadForm: boolean }) {
  const { t } = useTranslation('quiz');
  const quizText = useQuizText();
  const { questions, needed, result } = quizOfReader(props);
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    if (hadForm) frame.current?.focus();
  }, [hadForm]);
  return (
    <section ref={frame} tabIndex={-1} className="stack" aria-label={t('title')}>
      <Banner tone="good" title={quizText(result && { ...result, needed })} />
      {result && result.right < questions.length && (
        <details className="sm">
          <summary>{t('key')}</summary>
          <QuizSolved questions={questions} />
        </details>
      )}
    </section>
  );
}

/** All questions at once; what was right stays, what was not is answered again. */
function QuizForm(props: PanelProps) {
  const { t } = useTranslation('quiz');
  const { questions, needed, answers, result } = quizOfReader(props);
  const [chosen, setChosen] = useState<QuizAnswers>(answers);
  const [tried, setTried] = useState(false);
  const answering = useAnswering(props.shown.id);
  const { sections: places } = usePolicySections(props.shown.body);
  const lacks = questions.some(({ id }) => !chosen[id]?.length);
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        setTried(true);
        if (lacks) return;
        setTried(false);
        answering.run(chosen);
      }}
    >
      {questions.map(question => (
        <Question
          key={question.id}
          question={question}
          chosen={chosen[question.id] ?? []}
          last={answers[question.id]}
          place={places.find(({ title }) => title === question.section && title !== '')}
          lacks={tried}
          onChange={values => setChosen(before => ({ ...before, [question.id]: values }))}
        />
      ))}
      <output className="sm strong">
        {result && `${t('result', { right: result.right, of: result.of })} `}
        {result && t('needed', { needed: needed ?? result.of })}
      </output>
      <FailureLine failure={answering.failure} />
      <Button type="submit" variant="primary" block busy={answering.busy}>
        {t(result ? 'again' : 'check')}
      </Button>
    </form>
  );
}

function useAnswering(versionId: string) {
  const { userId } = useSpace();
  const store = useStore();
  return useAction(async (answers: QuizAnswers) => {
    const at = new Date().toISOString();
    await store.write('policies.quiz', tx => answerQuiz(tx, { versionId, userId, at, answers }));
  });
}

type QuestionProps = {
  question: QuizQuestion;
  chosen: readonly string[];
  /** What was answered in the last attempt. */
  last: readonly string[] | undefined;
  /** Where it can be read again. */
  place: { id: string; title: string } | undefined;
  lacks: boolean;
  onChange: (values: string[]) => void;
};

/** One question with its choices; answered, also whether that was right and where to read it again. */
export function Question({ question, chosen, last, place, lacks, onChange }: QuestionProps) {
  const { t } = useTranslation('quiz');
  const isDone = last !== undefined && isRight(question, last);
  const options = offeredChoices(question, t).map(option => ({ ...option, disabled: isDone }));
  const error = lacks && chosen.length === 0 ? t('answerNeeded') : undefined;
  return (
    <div className="stack quiz-question">
      {question.type === 'select_multiple' ? (
        <>
          <CheckCards label={question.text} options={options} values={chosen} error={error} onChange={onChange} />
          {!isDone && <p className="hint">{t('several')}</p>}
        </>
      ) : (
        <RadioCards
          label={question.text}
          options={options}
          value={chosen[0] ?? null}
          error={error}
          onChange={value => onChange([value])}
        />
      )}
      {last !== undefined && <Verdict question={question} isDone={isDone} place={place} />}
    </div>
  );
}

type VerdictProps = Pick<QuestionProps, 'question' | 'place'> & { isDone: boolean };

/** What the last answer was, why, and where to read it again. */
function Verdict({ question, isDone, place }: VerdictProps) {
  const { t } = useTranslation('quiz');
  return (
    <div className={`quiz-verdict ${isDone ? 'right' : 'wrong'}`}>
      <p className="strong sm">
        <Icon of={isDone ? Check : RotateCcw} size="s" /> {t(isDone ? 'right' : 'wrong')}
      </p>
      {question.explanation !== '' && <p className="sm">{question.explanation}</p>}
      {!isDone && place && (
        <a href={`#${place.id}`} className="link tap sm">
          {t('readAgain', { section: place.title })}
        </a>
      )}
    </div>
  );
}
