import { useEffect, useRef, useState } from 'react';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';

/** ms; the pressed answer is seen before the next question comes. */
export const ANSWER_SEEN_MS = 200;

/** A question that was left by answering it. */
export type LeftBehind = { path: string; label: string; value: 'pass' | 'na' };

/** Nothing more is asked at a question: it is answered, and its answer asks for no photo, note or action. */
const isDone = ({ problem, followUp }: QuestionState): boolean => problem === null && followUp === null;

/** @returns the question shown once what was pressed has been worked out; null at the review */
type Settled = () => QuestionState | null;

/**
 * After Pass or N/A the next question comes by itself, where the person wants it so and the answer asks for nothing more. A
 * failure stays, and so does an answer that is changed.
 *
 * @param next goes on to the next question, or to the review
 */
export function useAutoAdvance({ isOn, settled, next }: { isOn: boolean; settled: Settled; next: () => void }) {
  const [left, setLeft] = useState<LeftBehind | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  /** Any other move: nothing is left to come back to. */
  const stop = () => {
    clearTimeout(timer.current);
    setLeft(null);
  };
  const answered = (state: QuestionState, label: string, value: 'pass' | 'fail' | 'na') => {
    stop();
    if (!isOn || value === 'fail' || state.answered) return;
    const { path } = state;
    timer.current = setTimeout(() => {
      const shown = settled();
      if (shown?.path !== path || !isDone(shown)) return;
      next();
      setLeft({ path, label, value });
    }, ANSWER_SEEN_MS);
  };
  return { left, answered, stop };
}

export type AutoAdvance = ReturnType<typeof useAutoAdvance>;
