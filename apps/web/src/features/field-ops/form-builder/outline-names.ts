import type { Question } from '@cairn/core/forms/definition/form-definition.ts';
import { type Outline, walkOutline } from '@cairn/core/forms/draft/form-outline.ts';
import { isShown, judges, picksChoices } from '@cairn/core/forms/question-types/question-types.ts';
import { inLanguage } from '@cairn/core/forms/definition/words.ts';
import { questionLabel } from '../answers/question-label.ts';

export type NamedQuestion = { name: string; label: string; question: Question };

/** Every question of a form that can be named in a formula, in order. */
export function questionsIn({ nodes, head }: Outline): NamedQuestion[] {
  const language = head.languages[0] ?? '';
  return [...walkOutline(nodes)].flatMap(({ node }) =>
    node.kind === 'question' && !isShown(node.question.type)
      ? [{ name: node.question.name, label: questionLabel(node.question, language), question: node.question }]
      : [],
  );
}

/** The answers that can be chosen one by one, for a control that offers them; `words` say pass, fail and N/A. */
export function answersOf(
  outline: Outline,
  question: Question,
  words: (answer: 'pass' | 'fail' | 'na') => string,
): { value: string; label: string }[] {
  if (judges(question.type)) return (['pass', 'fail', 'na'] as const).map(value => ({ value, label: words(value) }));
  return choicesOf(outline, question);
}

/** The choices of a question's list that can be chosen and left, for a control that offers them. */
export function choicesOf({ head }: Outline, question: Question): { value: string; label: string }[] {
  if (!picksChoices(question.type)) return [];
  const language = head.languages[0] ?? '';
  return (head.choice_lists[question.list ?? ''] ?? []).map(({ name, label }) => ({
    value: name,
    label: inLanguage(label, language) || name,
  }));
}
