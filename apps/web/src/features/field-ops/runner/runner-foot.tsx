import { useTranslation } from 'react-i18next';
import { ArrowRight, ChevronLeft } from 'lucide-react';
import { judges } from '@cairn/core/forms/question-types/question-types.ts';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { AnswerButtons, type Answer } from '@cairn/ui/controls/answer-buttons.tsx';
import { Button } from '@cairn/ui/controls/button.tsx';
import { stickToFoot } from '@cairn/ui/layout/stick-to-foot.ts';
import { usePressed } from '../answers/use-pressed.ts';
import type { LeftBehind } from './use-auto-advance.ts';
import { useTapGuard } from './use-tap-guard.ts';
import { useOwnFoot } from '../../../shared/page/own-foot.ts';

type Props = {
  state: QuestionState;
  label: string;
  onAnswer: (value: 'pass' | 'fail' | 'na') => void;
  onBack: (() => void) | null;
  onNext: () => void;
  last: boolean;
  /** The question before, where its answer brought this one. */
  left: LeftBehind | null;
  onUndo: () => void;
};

/** In reach of the thumb: the answer, then the way on. */
export function RunnerFoot({ state, label, onAnswer, onBack, onNext, last, left, onUndo }: Props) {
  const { t } = useTranslation('field');
  useOwnFoot();
  // What is answered cannot be passed over unseen: whoever goes through it quickly is not held up.
  const { isSettled, settle } = useTapGuard(state.path);
  const answer = (value: 'pass' | 'fail' | 'na') => {
    settle();
    onAnswer(value);
  };
  return (
    <footer ref={stickToFoot} className="runner-foot">
      {left && <LeftLine left={left} onUndo={onUndo} />}
      {judges(state.question.type) && (
        <PassFail
          key={state.path}
          label={label}
          value={typeof state.value === 'string' ? state.value : null}
          withNa={state.question.allow_na !== false}
          // The second half of a double tap was meant for the question before, whose answers lay at the same place.
          isHeld={left !== null && !isSettled}
          onAnswer={answer}
        />
      )}
      <div className="row">
        <Button
          size="lg"
          className="runner-back"
          icon={ChevronLeft}
          aria-label={t('runner.back')}
          disabled={!onBack}
          onClick={onBack ?? undefined}
        >
          {''}
        </Button>
        <Button
          size="lg"
          variant="primary"
          className="grow"
          iconEnd={ArrowRight}
          notYet={!isSettled && !state.answered}
          onClick={onNext}
        >
          {last ? t('runner.review') : t('runner.next')}
        </Button>
      </div>
    </footer>
  );
}

type PassFailProps = {
  label: string;
  value: string | null;
  withNa: boolean;
  isHeld: boolean;
  onAnswer: (value: 'pass' | 'fail' | 'na') => void;
};

function PassFail({ label, value, withNa, isHeld, onAnswer }: PassFailProps) {
  const { t } = useTranslation('field');
  const answers: Answer[] = [
    { value: 'pass', label: t('answer.pass'), face: 'pass' },
    { value: 'fail', label: t('answer.fail'), face: 'fail' },
    ...(withNa ? [{ value: 'na', label: t('answer.na'), face: 'na' } as const] : []),
  ];
  const { shown, press } = usePressed(value, chosen => {
    if (chosen === 'pass' || chosen === 'fail' || chosen === 'na') onAnswer(chosen);
  });
  return (
    <AnswerButtons
      label={label}
      answers={answers}
      value={typeof shown === 'string' ? shown : null}
      onChange={chosen => !isHeld && press(chosen)}
    />
  );
}

/** What was just answered, and the way back to it. */
function LeftLine({ left: { label, value }, onUndo }: { left: LeftBehind; onUndo: () => void }) {
  const { t } = useTranslation('field');
  return (
    <output className="runner-left sm">
      <span className="runner-left-words">{t('runner.left', { question: label, answer: t(`answer.${value}`) })}</span>
      <button type="button" className="link" onClick={onUndo}>
        {t('runner.undo')}
      </button>
    </output>
  );
}
