import type { TFunction } from 'i18next';
import type { QuizQuestion } from '@cairn/core/policies/quiz.ts';

type ChoiceOption = { value: string; label: string };

/** What can be chosen for a question, in the words of the reader. */
export function offeredChoices({ type, choices }: QuizQuestion, t: TFunction<'quiz'>): ChoiceOption[] {
  if (type === 'true_false') return (['true', 'false'] as const).map(value => ({ value, label: t(value) }));
  return choices.map(({ id, text }) => ({ value: id, label: text }));
}
