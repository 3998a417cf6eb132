import { memo } from 'react';
import type { QuestionState } from '@cairn/core/field-ops/form-state.ts';
import { QuestionProgress } from '@cairn/ui/progress.tsx';
import { markOf } from './question-list.tsx';

type Props = { questions: readonly QuestionState[]; current: number; figure: string };

/** How far the inspection is; drawn again only when a question changed or another one is looked at. */
export const RunnerProgress = memo(function RunnerProgress({ questions, current, figure }: Props) {
  return (
    <div className="runner-progress">
      <QuestionProgress marks={questions.map(markOf)} current={current} figure={figure} />
    </div>
  );
});
