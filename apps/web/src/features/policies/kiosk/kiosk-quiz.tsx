import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isPassed, quizOf, rightAnswers, type QuizAnswers } from '@cairn/core/policies/quiz.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { Banner } from '@cairn/ui/feedback/banner.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { usePolicySections } from '../document/use-markdown.ts';
import { Question } from '../quiz/reader-quiz.tsx';
import '../quiz/quiz.css';

/** Attempts at the quiz of whoever stands at the kiosk: kept with their word, and nowhere before. */
export type KioskTries = { attempts: number; answers: QuizAnswers; /** Device time, ISO 8601. */ at: string | null };

export const NO_TRIES: KioskTries = { attempts: 0, answers: {}, at: null };

type Props = { version: PolicyVersion; needed: number; tries: KioskTries; onTries: (tries: KioskTries) => void };

/** The quiz between reading and signing at a kiosk. */
export function KioskQuiz({ version, needed, tries, onTries }: Props) {
  const { t } = useTranslation('quiz');
  const questions = useMemo(() => quizOf(version.quiz), [version.quiz]);
  const { sections: places } = usePolicySections(version.body);
  const [chosen, setChosen] = useState<QuizAnswers>({});
  const [tried, setTried] = useState(false);
  const of = questions.length;
  const right = rightAnswers(questions, tries.answers);
  if (tries.attempts > 0 && isPassed({ right, of, needed }))
    return <Banner tone="good" title={t('result', { right, of })} />;
  return (
    <form
      className="parts"
      onSubmit={event => {
        event.preventDefault();
        const lacks = questions.some(({ id }) => !chosen[id]?.length);
        setTried(lacks);
        if (!lacks) onTries({ attempts: tries.attempts + 1, answers: chosen, at: new Date().toISOString() });
      }}
    >
      <h2 className="h2">{t('title')}</h2>
      <p className="sm">{needed === of ? t('asked.all', { count: of }) : t('asked.some', { needed, of })}</p>
      {questions.map(question => (
        <Question
          key={question.id}
          question={question}
          chosen={chosen[question.id] ?? []}
          last={tries.answers[question.id]}
          place={places.find(({ title }) => title === question.section && title !== '')}
          lacks={tried}
          onChange={values => setChosen(before => ({ ...before, [question.id]: values }))}
        />
      ))}
      <output className="sm strong">
        {tries.attempts > 0 && `${t('result', { right, of })} ${t('needed', { needed })}`}
      </output>
      <Button type="submit" variant="primary" block>
        {t(tries.attempts > 0 ? 'again' : 'check')}
      </Button>
    </form>
  );
}
