import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, Check, CircleDashed, Info, Minus, TriangleAlert, X } from 'lucide-react';
import type { QuestionState } from '@cairn/core/field-ops/form-state.ts';
import { Icon } from '@cairn/ui/icon.tsx';
import type { QuestionMark } from '@cairn/ui/progress.tsx';
import type { Latest } from './latest.ts';
import { OpenComments } from './question-comments.tsx';
import { entryLabel } from './question-label.ts';

/** How a question stands, for its segment and its row. */
export function markOf(state: QuestionState): QuestionMark {
  if (state.question.type === 'note') return 'answered';
  if (!state.answered) return 'open';
  if (state.score.outcome === 'fail') return 'finding';
  return state.score.outcome === 'na' ? 'not_applicable' : 'answered';
}

const FACES = {
  open: { icon: CircleDashed, word: 'open' },
  answered: { icon: Check, word: 'answered' },
  finding: { icon: X, word: 'failed' },
  not_applicable: { icon: Minus, word: 'na' },
} as const;

type Props = {
  questions: readonly QuestionState[];
  current: number;
  language: string;
  /** Open comments by the path of their question. */
  said: ReadonlyMap<string, number>;
  /** What opens a question; the same object for as long as the runner is on the screen. */
  opener: Latest<(index: number) => void>;
};

/**
 * Every question of the inspection with how it stands; what still blocks finishing is marked. A form may have thousands: a row
 * is drawn again only when its own question changed, and the list only when any did.
 */
export const QuestionList = memo(function QuestionList({ questions, current, language, said, opener }: Props) {
  const { t } = useTranslation('field');
  return (
    <ol className="question-list" aria-label={t('runner.questions')}>
      {questions.map((state, index) => (
        <QuestionRow
          key={state.path}
          state={state}
          index={index}
          isCurrent={index === current}
          language={language}
          said={said.get(state.path) ?? 0}
          opener={opener}
        />
      ))}
    </ol>
  );
});

type RowProps = {
  state: QuestionState;
  index: number;
  isCurrent: boolean;
  language: string;
  said: number;
  opener: Props['opener'];
};

const QuestionRow = memo(function QuestionRow({ state, index, isCurrent, language, said, opener }: RowProps) {
  const { t } = useTranslation('field');
  return (
    <li>
      <button
        type="button"
        className={`item${isCurrent ? ' is-current' : ''}`}
        aria-current={isCurrent ? 'step' : undefined}
        onClick={() => opener.get()(index)}
      >
        <Mark state={state} />
        <span className="grow">
          <span className="t">{entryLabel(state, language)}</span>
          {state.problem && <span className="d question-missing">{t(`missing.${state.problem.kind}`)}</span>}
        </span>
        <OpenComments count={said} />
        {state.mediaIds.length > 0 && (
          <span className="count row">
            <Icon of={Camera} size="s" />
            {state.mediaIds.length}
            <span className="sr">{t('runner.photoWord', { count: state.mediaIds.length })}</span>
          </span>
        )}
      </button>
    </li>
  );
});

function Mark({ state }: { state: QuestionState }) {
  const { t } = useTranslation('field');
  const mark = markOf(state);
  const warn = state.problem !== null && state.answered;
  const note = state.question.type === 'note';
  const icon = note ? Info : warn ? TriangleAlert : FACES[mark].icon;
  return (
    <span className={`question-mark ${warn ? 'warn' : mark}`}>
      <Icon of={icon} size="s" />
      <span className="sr">{note ? t('mark.note') : t(`mark.${FACES[mark].word}`)}</span>
    </span>
  );
}
