import { useLayoutEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import type { FormState } from '@cairn/core/forms/answers/form-state.ts';
import { usePreferences } from '../../../shared/session/preferences.ts';
import type { QuestionActs } from '../answers/question-acts.ts';
import type { Review } from '../review/use-review.ts';
import { LatestRef } from './latest.ts';
import { useAutoAdvance } from './use-auto-advance.ts';
import { useStep } from './use-step.ts';

type Step = ReturnType<typeof useStep>;

/** Where the person is in an inspection, and every way on from there. */
export function useMoves(form: FormState, acts: QuestionActs, trail: Review['trail']) {
  const step = useStep(form, trail);
  const { preferences } = usePreferences();
  const [isListed, list] = useState(false);
  const [latest] = useState(() => new LatestRef(step));
  useLayoutEffect(() => latest.set(step));
  // What was just pressed may have brought another question: only then it is known which comes next.
  const settled = () => {
    flushSync(acts.flush);
    return latest.get();
  };
  const move = (to: (step: Step) => void) => {
    const at = settled();
    list(false);
    to(at);
    window.scrollTo({ top: 0 });
  };
  const next = () => move(at => (at.isLast ? at.review() : at.go(at.index + 1)));
  const advance = useAutoAdvance({ isOn: preferences.auto_advance, settled: () => settled().current, next });
  const leave = (to: (step: Step) => void) => {
    advance.stop();
    move(to);
  };
  return {
    step,
    isListed,
    list,
    advance,
    open: (index: number) => leave(at => at.go(index)),
    review: () => leave(at => at.review()),
    back: () => leave(at => at.go(at.index - 1)),
    next() {
      advance.stop();
      next();
    },
  };
}

export type Moves = ReturnType<typeof useMoves>;
