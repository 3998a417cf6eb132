import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { quizOf, type QuizQuestion } from '@cairn/core/policies/quiz.ts';
import type { PolicyVersion } from '@cairn/core/policies/version-states.ts';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import { useSpace } from '../../../shared/session/space.ts';
import { offeredChoices } from './offered-choices.ts';
import './quiz.css';

/** The questions of a version with what is right, for whoever writes and approves it. */
export function QuizKey({ version }: { version: PolicyVersion }) {
  const { t } = useTranslation('quiz');
  const { may } = useSpace();
  const questions = quizOf(version.quiz);
  if (questions.length === 0 || !(may('policy.author') || may('policy.approve'))) return null;
  return (
    <details className="quiz-fold" open={version.major === null}>
      <summary>
        {t('title')} · {t('key')}
      </summary>
      <QuizSolved questions={questions} />
    </details>
  );
}

/** Questions, what could be chosen, and what is right. */
export function QuizSolved({ questions }: { questions: readonly QuizQuestion[] }) {
  const { t } = useTranslation('quiz');
  return (
    <ol className="quiz-solved">
      {questions.map(question => (
        <li key={question.id} className="stack">
          <p className="strong">{question.text}</p>
          <ul className="stack sm">
            {offeredChoices(question, t).map(({ value, label }) => {
              const isRight = question.right.includes(value);
              return (
                <li key={value} className={isRight ? 'quiz-mark right' : 'quiz-mark'}>
                  {isRight && <Icon of={Check} size="s" />}
                  <span>
                    {label}
                    {isRight && <span className="sr"> ({t('right')})</span>}
                  </span>
                </li>
              );
            })}
          </ul>
          {question.explanation !== '' && <p className="sm muted">{question.explanation}</p>}
        </li>
      ))}
    </ol>
  );
}
