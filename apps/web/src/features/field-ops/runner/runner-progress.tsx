import { memo, useDeferredValue, useMemo } from 'react';
import type { QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { QuestionProgress } from '@cairn/ui/feedback/progress.tsx';
import { markOf } from './question-list.tsx';

type Props = { questions: readonly QuestionState[]; current: number; figure: string };

/** How far the inspection is; drawn again only when a question changed or another one is looked at. */
export const RunnerProgress = memo(function RunnerProgress({ questions, current, figure }: Props) {
  // A form may have thousands of questions: the answer is on the screen before the overview follows.
  const shown = useDeferredValue(questions);
  const marks = useMemo(() => shown.map(markOf), [shown]);
  return (
    <div className="runner-progress">
      <QuestionProgress marks={marks} current={current} figure={figure} />
    </div>
  );
});
