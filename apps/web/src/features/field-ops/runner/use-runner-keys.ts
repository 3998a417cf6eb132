import { judges } from '@cairn/core/forms/question-types/question-types.ts';
import type { QuestionActs } from '../answers/question-acts.ts';
import { questionLabel } from '../answers/question-label.ts';
import { useKeys } from './use-keys.ts';
import type { Moves } from './use-moves.ts';

const isRtl = (): boolean => document.documentElement.dir === 'rtl';

/** 1, 2, 3 answer pass, fail, N/A; arrows turn the page. */
export function useRunnerKeys({ step, advance, next, back }: Moves, acts: QuestionActs, language: string): void {
  const { current, index } = step;
  const forward = () => current && next();
  const backward = () => index > 0 && back();
  const say = (value: 'pass' | 'fail' | 'na') => () => {
    if (!current || !judges(current.question.type)) return;
    if (value === 'na' && current.question.allow_na === false) return;
    acts.answer(current.path, { value }, 'now');
    advance.answered(current, current.label || questionLabel(current.question, language), value);
  };
  useKeys({
    '1': say('pass'),
    '2': say('fail'),
    '3': say('na'),
    ArrowRight: () => void (isRtl() ? backward() : forward()),
    ArrowLeft: () => void (isRtl() ? forward() : backward()),
  });
}
