import { useState } from 'react';
import { isShown } from '@cairn/core/forms/question-types/question-types.ts';
import type { FormState, QuestionState } from '@cairn/core/forms/answers/form-state.ts';
import { openByQuestion, type Review } from '../review/use-review.ts';

/** Where the person is: at a question (kept by its path, since others come and go), or at the review. */
type Step = { path: string; index: number } | 'review';

/** The first question that needs something: an answer, or a look at what a reviewer said. The review when none does. */
function resumeAt(questions: readonly QuestionState[], trail: Review['trail']): Step {
  const said = openByQuestion(trail);
  const needsAnswer = ({ question, answered, problem }: QuestionState) =>
    !isShown(question.type) && (!answered || problem !== null);
  const index = questions.findIndex(state => needsAnswer(state) || (said.get(state.path) ?? 0) > 0);
  const state = questions[index];
  if (!state) return 'review';
  // A form nobody has begun opens at its very first page, also when that only explains.
  return questions.some(each => each.answered) ? { path: state.path, index } : at(questions, 0);
}

function at(questions: readonly QuestionState[], index: number): Step {
  const state = questions[index];
  return state ? { path: state.path, index } : 'review';
}

export function useStep(form: FormState, trail: Review['trail']) {
  const { questions } = form;
  const [step, setStep] = useState<Step>(() => resumeAt(questions, trail));
  const [visited, setVisited] = useState<ReadonlySet<string>>(new Set());
  const index = step === 'review' ? questions.length : placeOf(step, questions);
  const current = questions[index] ?? null;

  function go(to: number) {
    if (current) setVisited(before => new Set(before).add(current.path));
    setStep(at(questions, Math.max(0, to)));
  }
  function review() {
    setVisited(new Set(questions.map(state => state.path)));
    setStep('review');
  }
  return { index, current, visited, isLast: index >= questions.length - 1, go, review };
}

/** The question itself, or the one nearest before it when its condition made it vanish. */
function placeOf(step: { path: string; index: number }, questions: readonly QuestionState[]): number {
  const index = questions.findIndex(state => state.path === step.path);
  return index >= 0 ? index : Math.max(0, Math.min(step.index, questions.length - 1));
}
