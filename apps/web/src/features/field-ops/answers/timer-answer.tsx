import { isWorkedOut } from '@cairn/core/forms/answers/worked-out.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BellRing, Pause, Play, RotateCcw } from 'lucide-react';
import { isRunning, pauseTimer, secondsShown, startTimer } from '@cairn/core/forms/question-types/timer-value.ts';
import type { Json } from '@cairn/schema';
import { Button } from '@cairn/ui/controls/button.tsx';
import { Pill } from '@cairn/ui/feedback/pill.tsx';
import { ProgressBar } from '@cairn/ui/feedback/progress.tsx';
import { toast } from '@cairn/ui/feedback/toast.ts';
import type { AnswerProps } from './answer-props.ts';
import { SpanInput, spanAsText } from './span-input.tsx';
import './special-answers.css';

/** ms between two looks at the clock; whole seconds are shown while it runs. */
const TICK_MS = 250;
/** ms of shaking, rest, shaking. */
const SHAKE = [200, 100, 200];

/** The present moment in ms, looked at again for as long as something runs. */
function useTicking(runs: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!runs) return undefined;
    const look = () => setNow(Date.now());
    look();
    const timer = setInterval(look, TICK_MS);
    return () => clearInterval(timer);
  }, [runs]);
  return now;
}

/** Shakes the phone, where it can and may, when the time ends under the person's eyes. */
function useShakeAtEnd(isOver: boolean, runs: boolean): void {
  const [was, setWas] = useState({ isOver, runs });
  if (was.isOver !== isOver || was.runs !== runs) setWas({ isOver, runs });
  const ends = isOver && !was.isOver && runs && was.runs;
  useEffect(() => {
    if (ends && 'vibrate' in navigator) navigator.vibrate(SHAKE);
  }, [ends]);
}

/**
 * A stopwatch. Its answer is written when it starts and when it stops, and reckoned in between: closing the app, another question
 * or a flat battery change nothing.
 */
export function TimerAnswer({ question, label, onAnswer, onLeave }: AnswerProps) {
  const { t } = useTranslation('field');
  const { value, question: asked } = question;
  const runs = isRunning(value);
  const seconds = secondsShown(value, useTicking(runs));
  const isFixed = asked.read_only === true || isWorkedOut({ question: asked });
  const target = asked.target_seconds;
  useShakeAtEnd(target !== undefined && (seconds ?? 0) >= target, runs);
  return (
    <div className="stack">
      <Face seconds={seconds} runs={runs} target={target} label={label} />
      {!isFixed && <Buttons value={value} onAnswer={onAnswer} />}
      {!isFixed && !runs && (
        <SpanInput
          label={t('timer.byHand')}
          hint={t('timer.byHandHint')}
          value={typeof value === 'number' ? value : null}
          wrong={t('timer.wrong')}
          onChange={given => onAnswer(given, 'soon')}
          onLeave={onLeave}
        />
      )}
    </div>
  );
}

type FaceProps = { seconds: number | null; runs: boolean; target: number | undefined; label: string };

/** The time gone by, or with a target what is left of it; past its end what it is over by. */
function Face({ seconds, runs, target, label }: FaceProps) {
  const { t } = useTranslation('field');
  const gone = seconds ?? 0;
  const isOver = target !== undefined && gone >= target;
  const left = target === undefined ? gone : Math.abs(target - gone);
  // Of what is left a begun second counts whole, of what is gone it does not count.
  const shown = !runs ? left : target !== undefined && !isOver ? Math.ceil(left) : Math.floor(left);
  return (
    <>
      <p className={`scale-value timer-face num${isOver ? ' is-over' : ''}`} role="timer" aria-label={label}>
        {isOver && '+'}
        {spanAsText(shown)}
      </p>
      {target !== undefined && (
        <ProgressBar
          label={t('timer.progress')}
          figure={t('timer.of', { gone: spanAsText(runs ? Math.floor(gone) : gone), target: spanAsText(target) })}
          value={Math.min(gone, target)}
          max={target}
        />
      )}
      <p className="timer-end" aria-live="polite">
        {isOver && (
          <Pill tone="warn" icon={BellRing}>
            {t('timer.over')}
          </Pill>
        )}
      </p>
    </>
  );
}

function Buttons({ value, onAnswer }: { value: Json } & Pick<AnswerProps, 'onAnswer'>) {
  const { t } = useTranslation('field');
  const reset = () => {
    onAnswer(null, 'now');
    const back = { label: t('timer.undo'), onPress: () => onAnswer(value, 'now') };
    toast({ title: t('timer.wasReset'), action: back });
  };
  return (
    <div className="row wrap timer-acts">
      {isRunning(value) ? (
        <Button size="lg" variant="primary" icon={Pause} onClick={() => onAnswer(pauseTimer(value, Date.now()), 'now')}>
          {t('timer.pause')}
        </Button>
      ) : (
        <Button size="lg" variant="primary" icon={Play} onClick={() => onAnswer(startTimer(value, Date.now()), 'now')}>
          {t(value === null ? 'timer.start' : 'timer.goOn')}
        </Button>
      )}
      {value !== null && (
        <Button size="lg" icon={RotateCcw} onClick={reset}>
          {t('timer.reset')}
        </Button>
      )}
    </div>
  );
}
