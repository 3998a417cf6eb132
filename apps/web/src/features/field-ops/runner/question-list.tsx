import { memo, useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Camera, Check, CircleDashed, Info, MessageSquare, Minus, TriangleAlert, X } from 'lucide-react';
import { isShown } from '@cairn/core/forms/question-types/question-types.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { FilterChip } from '@cairn/ui/controls/chip.tsx';
import { Icon } from '@cairn/ui/controls/icon.tsx';
import type { QuestionMark } from '@cairn/ui/feedback/progress.tsx';
import { RowsWithin } from '@cairn/ui/data/rows-within.tsx';
import { SearchInput } from '@cairn/ui/controls/search-input.tsx';
import type { LatestRef } from './latest.ts';
import { entryLabel } from '../answers/question-label.ts';

/** How a question stands, for its segment and its row. */
export function markOf(state: QuestionState): QuestionMark {
  if (isShown(state.question.type)) return 'answered';
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
  commentCounts: ReadonlyMap<string, number>;
  /** What opens a question; the same object for as long as the runner is on the screen. */
  opener: LatestRef<(index: number) => void>;
};

/** From so many on only the rows in sight are drawn, and one can be looked for. */
const MANY = 60;
/** Height of a row in css px before it was measured. */
const ROW = 57;

type Entry = { id: string; state: QuestionState; index: number };

/**
 * Every question of the inspection with how it stands; what still blocks finishing is marked. A form may have thousands: a row
 * is drawn again only when its own question changed, and the list only when any did.
 */
export const QuestionList = memo(function QuestionList(props: Props) {
  const { t } = useTranslation('field');
  // The answer is on the screen before the list follows.
  const questions = useDeferredValue(props.questions);
  if (questions.length > MANY) return <LongList {...props} questions={questions} />;
  return (
    <ol className="question-list" aria-label={t('runner.questions')}>
      {questions.map((state, index) => (
        <li key={state.path}>
          <Row {...props} entry={{ id: state.path, state, index }} />
        </li>
      ))}
    </ol>
  );
});

function LongList(props: Props) {
  const { questions, current, language } = props;
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  const [wanted, setWanted] = useState('');
  const [openOnly, setOpenOnly] = useState(false);
  const text = useDeferredValue(wanted.trim().toLocaleLowerCase());
  const entries = useMemo(() => {
    const all = questions.map((state, index): Entry => ({ id: state.path, state, index }));
    const isWanted = ({ state }: Entry) =>
      (!openOnly || markOf(state) === 'open' || state.problem !== null) &&
      (text === '' || entryLabel(state, language).toLocaleLowerCase().includes(text));
    return text === '' && !openOnly ? all : all.filter(isWanted);
  }, [questions, text, openOnly, language]);
  return (
    <div className="question-long">
      <div className="question-find">
        <SearchInput label={tc('list.find')} value={wanted} onChange={setWanted} clearLabel={tc('list.clear')} />
        <FilterChip pressed={openOnly} onChange={setOpenOnly}>
          {tc('list.open')}
        </FilterChip>
      </div>
      {entries.length === 0 && <output className="muted question-none">{tc('list.none')}</output>}
      <RowsWithin
        rows={entries}
        estimate={ROW}
        className="question-list"
        label={t('runner.questions')}
        startAt={current < questions.length ? current : 0}
        renderRow={entry => <Row {...props} entry={entry} />}
      />
    </div>
  );
}

const Row = ({ entry: { state, index }, current, language, commentCounts, opener }: Props & { entry: Entry }) => (
  <QuestionRow
    state={state}
    index={index}
    isCurrent={index === current}
    language={language}
    commentCount={commentCounts.get(state.path) ?? 0}
    opener={opener}
  />
);

type RowProps = {
  state: QuestionState;
  index: number;
  isCurrent: boolean;
  language: string;
  commentCount: number;
  opener: Props['opener'];
};

const QuestionRow = memo(function QuestionRow({ state, index, isCurrent, language, commentCount, opener }: RowProps) {
  const { t } = useTranslation('field');
  const { t: tc } = useTranslation('capture');
  return (
    <button
      type="button"
      className={`item${isCurrent ? ' is-current' : ''}`}
      aria-current={isCurrent ? 'step' : undefined}
      onClick={() => opener.get()(index)}
    >
      <Mark state={state} />
      <span className="grow">
        <span className="t">{entryLabel(state, language)}</span>
        {state.problem && <span className="d question-missing">{tc(`missing.${state.problem.kind}`)}</span>}
      </span>
      <OpenComments count={commentCount} />
      {state.mediaIds.length > 0 && (
        <span className="count row">
          <Icon of={Camera} size="s" />
          {state.mediaIds.length}
          <span className="sr">{t('runner.photoWord', { count: state.mediaIds.length })}</span>
        </span>
      )}
    </button>
  );
});

function Mark({ state }: { state: QuestionState }) {
  const { t } = useTranslation('field');
  const mark = markOf(state);
  const warn = state.problem !== null && state.answered;
  const note = isShown(state.question.type);
  const icon = note ? Info : warn ? TriangleAlert : FACES[mark].icon;
  return (
    <span className={`question-mark ${warn ? 'warn' : mark}`}>
      <Icon of={icon} size="s" />
      <span className="sr">{note ? t('mark.note') : t(`mark.${FACES[mark].word}`)}</span>
    </span>
  );
}

/** How many open comments a question has, in its row; nothing for none. */
function OpenComments({ count }: { count: number }) {
  const { t } = useTranslation('review');
  if (count === 0) return null;
  return (
    <span className="row comment-count">
      <Icon of={MessageSquare} size="s" />
      <span aria-hidden="true">{count}</span>
      <span className="sr">{t('comments.count', { count })}</span>
    </span>
  );
}
